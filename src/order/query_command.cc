#include "order/query_command.h"

#include "base/error.h"

namespace acevec {

const Command kOrderQueryCommand{"order query", "", "", "", {}};
void run_order_query(const std::vector<std::string>&) {}

}  // namespace acevec
