#include "base/memory.h"

#include <malloc.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <new>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "base/numbers.h"

namespace acevec {
namespace {

// Returns the number in a file, or the number after `key` in a file of lines "key number"; −1 when
// there is none, as in "max".
int64_t number_in(const std::filesystem::path& path, std::string_view key = {}) {
  std::ifstream file(path);
  for (std::string word; word != key && file >> word;) continue;
  int64_t number = -1;
  return file >> number ? number : -1;
}

// One of this process's sizes in bytes, such as "VmRSS:"; 0 where the system does not report it.
int64_t own_bytes(std::string_view key) {
  return std::max<int64_t>(number_in("/proc/self/status", key), 0) * 1024;
}

int64_t left_by_system() {
  const int64_t kib = number_in("/proc/meminfo", "MemAvailable:");
  return kib < 0 ? kUnknownBytes : kib * 1024;
}

int64_t left_by_ulimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnknownBytes;
  return std::max<int64_t>(static_cast<int64_t>(limit.rlim_cur) - own_bytes("VmSize:"), 0);
}

// The files of one version of control groups. `idle`: the key in memory.stat of inactive file
// pages, which the kernel reclaims first, so they count as free.
struct GroupFiles {
  std::filesystem::path root;
  const char *limit, *usage, *idle;
};

// The minimum that the group at `path` and its ancestors leave.
int64_t left_by_groups(const GroupFiles& files, const std::filesystem::path& path) {
  int64_t least = kUnknownBytes;
  for (std::filesystem::path group = path.relative_path();; group = group.parent_path()) {
    const std::filesystem::path folder = files.root / group;
    const int64_t limit = number_in(folder / files.limit);
    const int64_t usage = number_in(folder / files.usage);
    if (limit >= 0 && usage >= 0) {
      const int64_t idle = std::max<int64_t>(number_in(folder / "memory.stat", files.idle), 0);
      least = std::min(least, std::max<int64_t>(limit - usage + idle, 0));
    }
    if (group.empty()) return least;
  }
}

int64_t left_by_control_groups() {
  std::ifstream file("/proc/self/cgroup");
  int64_t least = kUnknownBytes;
  for (std::string line; std::getline(file, line);) {  // "0::/user.slice", "4:memory:/docker/1f"
    const std::vector<std::string_view> parts = split(line, ":");
    if (parts.size() < 3) continue;
    const size_t path = parts[0].size() + parts[1].size() + 2;
    if (parts[1].empty()) {
      least = std::min(
          least, left_by_groups({"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"},
                                line.substr(path)));
    } else if (parts[1].find("memory") != std::string_view::npos) {
      least = std::min(least, left_by_groups({"/sys/fs/cgroup/memory", "memory.limit_in_bytes",
                                              "memory.usage_in_bytes", "total_inactive_file"},
                                             line.substr(path)));
    }
  }
  return least;
}

constexpr size_t kMostProcessors = 1 << 13;  // Linux supports no more
constexpr int kMostNodes = 1 << 10;

}  // namespace

int64_t resident_bytes() {
  return own_bytes("VmRSS:");
}

int64_t peak_resident_bytes() {
  return own_bytes("VmHWM:");
}

int64_t available_bytes() {
  return std::min({left_by_system(), left_by_ulimit(), left_by_control_groups()});
}

// The kernel counts private writable memory, touched or not.
AllocationLimit::AllocationLimit(int64_t bytes) {
  const int64_t own = own_bytes("VmData:");
  if (getrlimit(RLIMIT_DATA, &before_) != 0 || own == 0) return;
  rlimit now = before_;
  now.rlim_cur = std::min(now.rlim_cur, static_cast<rlim_t>(own) + static_cast<rlim_t>(bytes));
  setrlimit(RLIMIT_DATA, &now);
}

void keep_freed_memory() {
  constexpr int kBlock = 32 << 20;  // the maximum of glibc's dynamic threshold
  malloc_trim(0);
  mallopt(M_MMAP_THRESHOLD, kBlock);
  mallopt(M_TRIM_THRESHOLD, 2 * kBlock);
}

bool huge_pages_by_default() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string word;
  return file >> word && word == "[always]";
}

int64_t bytes_of(const std::string& typed) {
  constexpr std::string_view kUnits = "KMGT";
  constexpr double kMost = 9e18;
  std::string_view letter = typed;  // after the number is taken off
  double number = take_number<double>(letter).value_or(0);
  const size_t unit = letter.size() == 1 ? kUnits.find(letter[0]) : std::string_view::npos;
  for (size_t i = 0; unit != std::string_view::npos && i <= unit; ++i) number *= 1024;
  if (unit == std::string_view::npos || !(number >= 1 && number < kMost)) {
    throw Error("give a size such as 500M or 4G");
  }
  return static_cast<int64_t>(number);
}

void* map_zeros(int64_t bytes) {
  void* memory = mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  // Scattered accesses miss the TLB far less often with 2 MiB pages. The call is only advice.
  madvise(memory, static_cast<size_t>(bytes), MADV_HUGEPAGE);
  static const std::vector<int> nodes = memory_nodes();
  spread_pages(memory, bytes, nodes);
  return memory;
}

int64_t untouched_bytes(const void* memory, int64_t bytes) {
  const int64_t page = sysconf(_SC_PAGESIZE);
  std::vector<unsigned char> present(static_cast<size_t>((bytes + page - 1) / page));
  mincore(const_cast<void*>(memory), static_cast<size_t>(bytes), present.data());
  int64_t untouched = 0;
  for (size_t i = 0; i < present.size(); ++i) {
    const int64_t begin = static_cast<int64_t>(i) * page;
    const char* const first = static_cast<const char*>(memory) + begin;
    const char* const last = first + std::min(page, bytes - begin);
    // A page that was only read is the system's page of zeros, which counts as present.
    const bool touched =
        (present[i] & 1) != 0 && std::any_of(first, last, [](char byte) { return byte != 0; });
    untouched += touched ? 0 : page;
  }
  return untouched;
}

void Unmap::operator()(void* memory) const {
  munmap(memory, static_cast<size_t>(bytes));
}

std::vector<int> memory_nodes(const std::string& folder) {
  std::vector<cpu_set_t> allowed(kMostProcessors / CPU_SETSIZE);  // empty if the next call fails
  const size_t bytes = allowed.size() * sizeof(cpu_set_t);
  sched_getaffinity(0, bytes, allowed.data());
  std::vector<int> nodes;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    int node = 0;
    char more = 0;
    const std::string name = entry.path().filename().string();
    if (std::sscanf(name.c_str(), "node%d%c", &node, &more) != 1) continue;
    if (node < 0 || node >= kMostNodes) continue;
    for (size_t i = 0; i < kMostProcessors; ++i) {
      if (!CPU_ISSET_S(i, bytes, allowed.data())) continue;
      if (!std::filesystem::exists(entry.path() / ("cpu" + std::to_string(i)), none)) continue;
      nodes.push_back(node);
      break;
    }
  }
  std::ranges::sort(nodes);
  return nodes;
}

void spread_pages(void* memory, int64_t bytes, const std::vector<int>& nodes) {
  if (nodes.size() < 2) return;
  constexpr int kInterleave = 3;  // MPOL_INTERLEAVE of libnuma's <numaif.h>
  constexpr int kBits = 8 * sizeof(unsigned long);
  unsigned long mask[kMostNodes / kBits] = {};
  for (const int node : nodes) mask[node / kBits] |= 1UL << (node % kBits);
  syscall(SYS_mbind, memory, static_cast<unsigned long>(bytes), kInterleave, mask,
          static_cast<unsigned long>(kMostNodes), 0U);
}

}  // namespace acevec
