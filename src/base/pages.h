// Large zeroed memory straight from the system, in huge pages where it has them, spread over the
// nodes of memory where there are several.
#pragma once

#include <cstdint>

namespace acevec {

// `bytes` zeros, bytes ≥ 1, aligned to a page. Throws std::bad_alloc.
void* map_zeros(int64_t bytes);

// Gives back what map_zeros() gave, for a std::unique_ptr.
struct Unmap {
  int64_t bytes;
  void operator()(void* memory) const;
};

}  // namespace acevec
