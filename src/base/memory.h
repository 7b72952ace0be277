// The memory that the process has and can get, and large zeroed blocks straight from the system.
#pragma once

#include <sys/resource.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace acevec {

inline constexpr int64_t kUnknownBytes = std::numeric_limits<int64_t>::max();

// The resident memory in bytes, now and at its peak; 0 where the system does not report it.
int64_t resident_bytes();
int64_t peak_resident_bytes();

// The bytes that the process can still allocate: the minimum of what the system, its control groups
// (containers) and ulimit -v leave. kUnknownBytes where all are unknown.
int64_t available_bytes();

// While it lives, the system refuses this process more than about `bytes` of new memory: what would
// exceed them throws std::bad_alloc before a page is touched. Memory counts when it is allocated,
// except blocks that the process had freed before.
class AllocationLimit {
 public:
  explicit AllocationLimit(int64_t bytes);
  ~AllocationLimit() { setrlimit(RLIMIT_DATA, &before_); }
  AllocationLimit(const AllocationLimit&) = delete;
  AllocationLimit& operator=(const AllocationLimit&) = delete;

 private:
  rlimit before_{RLIM_INFINITY, RLIM_INFINITY};
};

// Returns the memory freed so far to the system, and from now on keeps freed blocks below 32 MiB in
// the process: returning an epoch's buffers and faulting them in again takes longer than an epoch
// of a small graph.
void keep_freed_memory();

// Returns whether the system backs all memory with 2 MiB pages by default. Each thread's stack and
// heap then take whole huge pages, however little they hold.
bool huge_pages_by_default();

// Parses a size such as 500M, 4G or 1.5T (powers of 1024) into bytes. Throws Error: "give ...".
int64_t bytes_of(const std::string& typed);

// Maps `bytes` ≥ 1 zeroed bytes, page-aligned: in huge pages where the system has them, and
// interleaved over the NUMA nodes where there are several. Throws std::bad_alloc.
void* map_zeros(int64_t bytes);

// The bytes of such memory that have no page of their own yet: nothing, or only zeros, was written
// to them.
int64_t untouched_bytes(const void* memory, int64_t bytes);

// Frees memory of map_zeros(); a deleter for std::unique_ptr.
struct Unmap {
  int64_t bytes;
  void operator()(void* memory) const;
};

// Machines with several processors have several memory (NUMA) nodes, each near one processor. Every
// training thread accesses rows at random, so the matrices' pages are interleaved over the nodes;
// otherwise all would be on the node of the thread that first touched them, whose memory would
// serve all other processors.
//
// Returns the numbers of the nodes that have a processor on which this process may run, ascending;
// a process bound to one node gets one. Empty where the system does not report nodes. `folder`:
// Linux's description of the nodes.
std::vector<int> memory_nodes(const std::string& folder = "/sys/devices/system/node");

// Asks the system to allocate the pages of this memory, all still untouched, from these nodes in
// turn. This is advice: it does nothing where the system lacks the call, or with fewer than two
// nodes.
void spread_pages(void* memory, int64_t bytes, const std::vector<int>& nodes);

}  // namespace acevec
