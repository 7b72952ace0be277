#include "base/pages.h"

#include <sys/mman.h>

#include <new>
#include <vector>

#include "base/memory_nodes.h"

namespace acevec {

void* map_zeros(int64_t bytes) {
  void* memory = mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  // Scattered accesses miss the translation buffer far less often in pages of 2 MB. Advice only.
  madvise(memory, static_cast<size_t>(bytes), MADV_HUGEPAGE);
  static const std::vector<int> nodes = memory_nodes();
  spread_pages(memory, bytes, nodes);
  return memory;
}

void Unmap::operator()(void* memory) const {
  munmap(memory, static_cast<size_t>(bytes));
}

}  // namespace acevec
