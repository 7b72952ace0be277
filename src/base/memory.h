// How much memory the process has and can get, and large zeroed memory straight from the system.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace acevec {

// Bytes in memory now, and at the peak. 0 where the system does not tell.
int64_t resident_bytes();
int64_t peak_resident_bytes();

// Bytes that the process can still get: the least of what the system, its control groups
// (containers) and ulimit -v leave it. The largest number where nothing tells.
int64_t available_bytes();

// Returns to the system the memory freed so far, and keeps for the process blocks below 32 MiB that
// are freed from now on. Returning the buffers of an epoch and faulting them in again takes longer
// than an epoch of a small graph.
void keep_freed_memory();

// Whether the system backs all memory by pages of 2 MiB unasked: the stack and the heap of a thread
// then take some each, however little is in them.
bool has_huge_pages_unasked();

// Parses a size: 500M, 4G, 1.5T (powers of 1024), in bytes. Throws Error: "give ...".
int64_t bytes_of(const std::string& typed);

// `bytes` zeros, bytes ≥ 1, aligned to a page: in huge pages where the system has them, and spread
// over the nodes of memory where there are several. Throws std::bad_alloc.
void* map_zeros(int64_t bytes);

// Frees memory of map_zeros(), for a std::unique_ptr.
struct Unmap {
  int64_t bytes;
  void operator()(void* memory) const;
};

// Machines with several processors have several nodes of memory, each near one of them. Training
// touches rows at random from every thread, so the matrices' pages are spread over the nodes: else
// all would be on the node of the thread that made them, whose memory would have to serve every
// other processor.
//
// The numbers of the nodes that have a processor on which this process may run, rising; a process
// bound to one node has one. Empty where the system does not tell. `folder`: Linux's description of
// the nodes.
std::vector<int> memory_nodes(const std::string& folder = "/sys/devices/system/node");

// Asks the system to take the pages of this memory, none of which has been touched, from these
// nodes in turn. Advice: it does nothing where the system has no such call, or with fewer than two
// nodes.
void spread_pages(void* memory, int64_t bytes, const std::vector<int>& nodes);

}  // namespace acevec
