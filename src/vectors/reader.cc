#include "vectors/reader.h"

#include <limits>

#include "vectors/row_reader.h"

namespace acevec {

WordVectors read_vectors(const std::string& path, int64_t most) {
  return open_rows(path)->read_all(most > 0 ? most : std::numeric_limits<int64_t>::max());
}

}  // namespace acevec
