// How much memory the process has, and how much more it can get.
#pragma once

#include <cstdint>
#include <string>

namespace acevec {

// Bytes in memory now, and the most there have been. 0 where the system does not tell.
int64_t resident_bytes();
int64_t peak_resident_bytes();

// Bytes that can still be had: the least of what the system has left, what the control groups of
// the process (containers) leave it, and what ulimit -v does. The largest number where nothing
// tells.
int64_t available_bytes();

// Gives back to the system what has been freed so far, and keeps for the process what is freed from
// now on, but for blocks of 32 MiB or more. To return the buffers of an epoch and fault them in
// again takes longer than an epoch of a small graph.
void keep_freed_memory();

// Whether the system backs all memory by pages of 2 MiB where it can, unasked: a thread's stack and
// heap then take some each, however little is in them.
bool has_huge_pages_unasked();

// Parses a size: 500M, 4G, 1.5T (powers of 1024), in bytes. Throws Error: "give ...".
int64_t bytes_of(const std::string& typed);

}  // namespace acevec
