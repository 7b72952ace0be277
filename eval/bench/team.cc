// How many times as fast a command would be with more threads than the machine has cores.
//
// One thread does all the work, and the time of each piece that a team would share is taken. The
// forecast for T threads adds up
// - what is outside teams, between the first work of a team and the last one,
// - for each work, the time of T threads that take its pieces in order; and, as a bound without the
//   noise of this machine, the time if all its pieces took their mean,
// - what a team needs to begin and end a work: 3 us, or the MICROSECONDS given.
// What it cannot know is what many cores lose to each other's caches and to memory. Training of
// words (-train without a command) has no such pieces.
//
//   make bench-team COMMAND='16 kg -train ...'   (or: build/bench_team 16 [-3] kg -train ...)

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "program.h"

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// The times of works that one thread did, and what `threads` would take for them.
struct Forecast {
  int64_t works = 0;
  double done = 0, by_team = 0, by_even_pieces = 0;  // seconds
  double begin = 0, end = 0;                         // of the first and the last work
};

Forecast forecast;
const Clock::time_point start = Clock::now();

// The longest that one of `threads` has to do, if each takes the next piece when it is idle.
double longest_share(int threads, const std::vector<double>& pieces) {
  std::vector<double> shares(static_cast<size_t>(threads));
  for (const double piece : pieces) *std::min_element(shares.begin(), shares.end()) += piece;
  return *std::max_element(shares.begin(), shares.end());
}

void run_alone(int threads, const acevec::TeamWork& work) {
  const Clock::time_point begin = Clock::now();
  if (forecast.works++ == 0) forecast.begin = seconds_since(start);
  std::vector<double> pieces;
  double before = 0;
  for (int64_t piece = 0; piece < work.count; ++piece) {
    work.body(static_cast<int>(piece % threads), piece);
    const double now = seconds_since(begin);
    pieces.push_back(now - before);
    before = now;
  }
  const auto rounds = static_cast<double>((work.count + threads - 1) / threads);
  forecast.done += before;
  forecast.by_team += longest_share(threads, pieces);
  forecast.by_even_pieces += before / static_cast<double>(work.count) * rounds;
  forecast.end = seconds_since(start);
}

void report(int threads, double microseconds) {
  const double all = forecast.end - forecast.begin;
  const double alone = all - forecast.done;
  const double between = 1e-6 * microseconds * static_cast<double>(forecast.works);
  std::printf(
      "one thread: %.2f s from the first work of a team to the last, %.2f s outside teams; %lld "
      "works\n",
      all, alone, static_cast<long long>(forecast.works));
  std::printf("%d threads: %.1f times as fast; %.1f if the pieces of a work took the same time\n",
              threads, all / (alone + forecast.by_team + between),
              all / (alone + forecast.by_even_pieces + between));
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const int threads = arguments.empty() ? 0 : std::atoi(arguments.front().c_str());
  if (threads < 2 || threads > 255 || arguments.size() < 2) {
    std::fprintf(stderr,
                 "usage: bench_team THREADS [-MICROSECONDS] kg|order|metric|sentence ...\n");
    return 2;
  }
  arguments.erase(arguments.begin());
  double microseconds = 3;
  if (std::atof(arguments.front().c_str()) < 0) {
    microseconds = -std::atof(arguments.front().c_str());
    arguments.erase(arguments.begin());
  }
  arguments.insert(arguments.end(), {"-threads", std::to_string(threads)});
  acevec::replace_teams(threads, run_alone);
  const int status = acevec::run_program(arguments);
  if (status != 0) return status;
  if (forecast.works == 0) {
    std::fprintf(stderr, "bench_team: the command shares no work among a team; try kg\n");
    return 1;
  }
  report(threads, microseconds);
  return 0;
}
