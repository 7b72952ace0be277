#include "base/memory_nodes.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace acevec {
namespace {

constexpr int kMostProcessors = 1 << 13;  // Linux is built for no more
constexpr int kMostNodes = 1 << 10;

// On which processors the process may run; none where the system does not tell.
std::vector<bool> allowed_processors() {
  std::vector<bool> allowed(kMostProcessors, false);
  cpu_set_t* const set = CPU_ALLOC(kMostProcessors);
  const size_t bytes = CPU_ALLOC_SIZE(kMostProcessors);
  if (set != nullptr && sched_getaffinity(0, bytes, set) == 0) {
    for (size_t i = 0; i < allowed.size(); ++i) allowed[i] = CPU_ISSET_S(i, bytes, set) != 0;
  }
  CPU_FREE(set);
  return allowed;
}

// Whether one of the processors of a list such as 0-3,8 is allowed.
bool any_allowed(std::istream& list, const std::vector<bool>& allowed) {
  for (std::string range; std::getline(list, range, ',');) {
    int first = 0;
    int last = 0;
    const int read = std::sscanf(range.c_str(), "%d-%d", &first, &last);
    if (read < 1 || first < 0) continue;
    if (read == 1) last = first;
    last = std::min(last, static_cast<int>(allowed.size()) - 1);
    for (int i = first; i <= last; ++i) {
      if (allowed[static_cast<size_t>(i)]) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<int> memory_nodes(const std::string& folder) {
  const std::vector<bool> allowed = allowed_processors();
  std::vector<int> nodes;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    int node = 0;
    char more = 0;
    const std::string name = entry.path().filename().string();
    if (std::sscanf(name.c_str(), "node%d%c", &node, &more) != 1) continue;
    if (node < 0 || node >= kMostNodes) continue;
    std::ifstream list(entry.path() / "cpulist");
    if (any_allowed(list, allowed)) nodes.push_back(node);
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

void spread_pages(void* memory, int64_t bytes, const std::vector<int>& nodes) {
  if (nodes.size() < 2) return;
  constexpr int kInterleave = 3;  // MPOL_INTERLEAVE of <numaif.h>, which is libnuma's
  constexpr int kBits = 8 * sizeof(unsigned long);
  unsigned long mask[kMostNodes / kBits] = {};
  for (const int node : nodes) mask[node / kBits] |= 1UL << (node % kBits);
  syscall(SYS_mbind, memory, static_cast<unsigned long>(bytes), kInterleave, mask,
          static_cast<unsigned long>(kMostNodes), 0U);
}

}  // namespace acevec
