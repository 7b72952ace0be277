#include "base/parallel.h"

#include <sys/stat.h>

#include <chrono>
#include <latch>
#include <system_error>
#include <vector>

#include "base/error.h"

namespace acevec {
namespace {

// The most threads, the calling one included, that are known to be had.
std::atomic<int> known_threads{1};

// How many threads the process has; 0 when the system does not tell.
long running_threads() {
  struct stat status {};
  return stat("/proc/self/task", &status) == 0 ? static_cast<long>(status.st_nlink) - 2 : 0;
}

// Starts up to `count` threads that live at the same time, and ends them again. Returns how many
// there were.
int start_threads(int count) {
  std::latch end(1);
  std::vector<std::thread> threads;
  threads.reserve(static_cast<size_t>(count));
  try {
    while (static_cast<int>(threads.size()) < count) threads.emplace_back([&] { end.wait(); });
  } catch (const std::system_error&) {  // the system gives no more
  }
  end.count_down();
  for (std::thread& thread : threads) thread.join();
  return static_cast<int>(threads.size());
}

// A thread that was joined counts against the limits for a moment longer.
void wait_until_ended(long threads) {
  constexpr int kTries = 1000;
  for (int i = 0; i < kTries && running_threads() > threads; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace

void require_threads(int threads) {
  const int known = known_threads;
  if (threads <= known) return;
  const long running = running_threads();
  const int most = known + start_threads(threads - known);
  if (most < threads) {
    throw Error(
        format("the system gives this process %d threads, not %d; lower -threads, or raise "
               "the limit (ulimit -u, ulimit -v, or the container's)",
               most, threads));
  }
  wait_until_ended(running);
  known_threads = threads;
}

}  // namespace acevec
