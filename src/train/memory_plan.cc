#include "train/memory_plan.h"

#include <algorithm>

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

int64_t MemoryPlan::total() const {
  int64_t sum = 0;
  for (const Part& part : parts) sum += part.bytes;
  return sum;
}

void check_memory(const MemoryPlan& plan, int64_t limit, bool details, Progress& progress) {
  const int64_t now = resident_bytes();
  const int64_t needed = now + plan.total();
  int64_t allowed = limit;
  if (limit == 0 && __builtin_add_overflow(now, available_bytes(), &allowed)) allowed = needed;
  if (needed > allowed) {
    throw Error(format("%s needs %s MiB of memory, and %s are available; %s, or %s",
                       plan.job.c_str(), mib_rounded_up(needed).c_str(), mib(allowed).c_str(),
                       plan.advice.c_str(),
                       limit > 0 ? "raise -max-memory" : "set the limit with -max-memory"));
  }
  const std::string about = mib_rounded_up(std::max(peak_resident_bytes(), needed));
  progress.note(
      format("memory: about %s MiB, %s MiB available", about.c_str(), mib(allowed).c_str()));
  if (!details) return;
  std::string text = "memory: predicted " + about + " MiB; " + mib(now) + " now";
  for (const MemoryPlan::Part& part : plan.parts) text += ", " + part.what + " " + mib(part.bytes);
  progress.note(text + "; " + mib(peak_resident_bytes()) + " so far");
}

}  // namespace acevec
