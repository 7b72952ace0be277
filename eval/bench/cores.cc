// How far apart cores are: the nanoseconds that a cache line needs from one core to another, for
// each pair. Threads that train one model hand each other the rows of frequent words all the time,
// so two cores of one cache (some 30 ns) train faster than two that are far apart (100 to 200 ns),
// and a virtual machine's cores may come to be so, or cease to, while it runs.
//
//   make bench-cores        (or: build/bench_cores)

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <exception>
#include <thread>
#include <vector>

namespace {

constexpr int kRounds = 100'000;  // there and back, one measurement
constexpr int kMeasurements = 5;  // the median counts

std::vector<int> own_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  }
  return cores;
}

void stay_on(int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  sched_setaffinity(0, sizeof set, &set);  // of the calling thread
}

// Waits for `turn`, and gives the line back, so many times.
void play(std::atomic<int>& line, int core, int turn) {
  stay_on(core);
  for (int round = 0; round < kRounds; ++round) {
    while (line.load(std::memory_order_acquire) != turn) {
    }
    line.store(1 - turn, std::memory_order_release);
  }
}

double nanoseconds(int first, int second) {
  std::vector<double> measured;
  for (int i = 0; i < kMeasurements; ++i) {
    alignas(128) std::atomic<int> line{0};
    const auto start = std::chrono::steady_clock::now();
    std::thread other([&] { play(line, second, 1); });
    play(line, first, 0);
    other.join();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    measured.push_back(took.count() / (2.0 * kRounds));
  }
  std::ranges::nth_element(measured, measured.begin() + kMeasurements / 2);
  return measured[kMeasurements / 2];
}

}  // namespace

int main() {
  try {
    const std::vector<int> cores = own_cores();
    for (size_t i = 0; i < cores.size(); ++i) {
      for (size_t j = i + 1; j < cores.size(); ++j) {
        std::printf("cores %d and %d: %.0f ns\n", cores[i], cores[j],
                    nanoseconds(cores[i], cores[j]));
      }
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_cores: %s\n", error.what());
    return 1;
  }
}
