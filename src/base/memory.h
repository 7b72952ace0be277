// How much memory the process has.
#pragma once

#include <cstdint>

namespace acevec {

// Bytes in memory now, and the most there have been. 0 where the system does not tell.
int64_t resident_bytes();
int64_t peak_resident_bytes();

}  // namespace acevec
