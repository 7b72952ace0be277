#include "base/message.h"

#include <cstdio>

#include "base/error.h"

namespace acevec {

void print_message(std::string_view message) {
  constexpr size_t kMost = 1000;
  std::fprintf(stderr, "%s\n", excerpt(message, kMost).c_str());
}

}  // namespace acevec
