#include "train/job_memory.h"

#include <algorithm>
#include <new>

#include "base/error.h"
#include "base/memory.h"

namespace acevec {
namespace {

constexpr int64_t kMib = 1 << 20;

std::string mib(int64_t bytes) {
  return grouped(bytes / kMib);
}

// Rounds up the memory needed, so that it differs from the memory available.
std::string mib_rounded_up(int64_t bytes) {
  return mib(bytes + kMib - 1);
}

}  // namespace

MemoryUse memory_of_training(const std::string& what, int64_t size, const std::string& advice) {
  return {format("training %s with vectors of size %ld", what.c_str(), static_cast<long>(size)),
          advice};
}

void take_memory(const MemoryUse& use, int64_t limit, Progress& progress,
                 const std::function<int64_t()>& make) {
  const int64_t now = resident_bytes();
  int64_t most = 0;  // that the system can give
  if (__builtin_add_overflow(now, available_bytes(), &most)) most = kUnknownBytes;
  const int64_t allowed = limit > 0 ? limit : most;
  const auto refuse = [&](const std::string& needed) {
    throw Error(format("%s needs %s MiB of memory, and %s are available; %s, or %s",
                       use.job.c_str(), needed.c_str(), mib(allowed).c_str(), use.advice.c_str(),
                       limit > 0 ? "raise -max-memory" : "set the limit with -max-memory"));
  };
  if (now >= allowed) refuse("more than " + mib(now));
  int64_t needed = 0;
  try {
    const AllocationLimit allocations(allowed - now);
    needed = make();
  } catch (const std::bad_alloc&) {
    if (allowed > most) throw;  // the system refused it, not the limit
    refuse("more than " + mib(allowed));
  }
  needed += resident_bytes();
  if (needed > allowed) refuse(mib_rounded_up(needed));
  progress.note(format("memory: about %s MiB, %s MiB available",
                       mib_rounded_up(std::max(peak_resident_bytes(), needed)).c_str(),
                       mib(allowed).c_str()));
}

}  // namespace acevec
