// Runs a function on several threads, or on pieces of work, and rethrows an exception in the
// calling thread.
//
// Each calling thread has a team of helpers, which start when they are first needed and end with
// it. An idle helper polls for work for some microseconds, so that it is ready for the next phase
// of a training step, and then sleeps. The caller takes part, and waits only for pieces that a
// helper has begun: on busy cores, a helper that is not running delays nobody.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "base/random.h"

namespace acevec {

// The number of hardware threads, at least 1; the default for -threads.
int machine_threads();

// Throws Error when the process cannot start this many threads.
void require_threads(int threads);

// While it lives, limits the threads of everything that the constructing thread calls.
class TeamLimit {
 public:
  explicit TeamLimit(int threads);
  ~TeamLimit();
  TeamLimit(const TeamLimit&) = delete;
  TeamLimit& operator=(const TeamLimit&) = delete;
};

// The work of for_each_piece() and in_parallel().
struct TeamWork {
  std::function<void(int thread, int64_t piece)> body;
  int64_t count;
  bool continue_on_error;  // continues after an exception
};
// Runs `work` on up to `threads` threads, even where the machine has fewer cores.
void run_on_team(int threads, const TeamWork& work);

// From now on, stand_in(threads, work) calls work.body for all pieces of what more than one thread
// would share, as on a machine of `machine_threads`. Null: teams again. For forecasts
// (eval/bench/team.cc).
using StandIn = void (*)(int threads, const TeamWork& work);
void replace_teams(int machine_threads, StandIn stand_in);

// Calls body(thread, piece) once for each piece = 0 .. count − 1, on at most `threads` threads (0
// means 1) and at most one per core, since more would only wait for each other. A thread takes its
// next piece when it has finished one; 0 ≤ thread < threads, and concurrent calls have different
// threads. After an exception no further piece begins, unless `continue_on_error`, and it is
// rethrown here. A nested call runs all its pieces on the calling thread. Throws Error as
// require_threads() does.
template <class Body>
void for_each_piece(int threads, int64_t count, Body&& body, bool continue_on_error = false) {
  run_on_team(std::min(threads, machine_threads()), {std::ref(body), count, continue_on_error});
}

// Calls body(thread) once for each thread = 0 .. threads − 1 and waits for all of them. A late call
// may begin when the others have ended, so the body takes its work from a shared queue and never
// relies on its peers. The first exception is rethrown here when all have ended.
template <class Body>
void in_parallel(int threads, Body&& body) {
  for_each_piece(
      threads, threads, [&](int, int64_t thread) { body(static_cast<int>(thread)); }, true);
}

// Calls body(begin, end) for 0 .. count − 1 in blocks of `size`; the last block may be smaller. The
// blocks do not depend on the number of threads, so sums per block, added in block order, are the
// same with any number.
template <class Body>
void in_blocks(int threads, int64_t count, int64_t size, Body&& body) {
  for_each_piece(threads, (count + size - 1) / size, [&](int, int64_t block) {
    body(block * size, std::min(count, (block + 1) * size));
  });
}

// Calls use(make(0)), use(make(1)), ... use(make(count − 1)): make() on `threads` threads, use() by
// one thread at a time and in this order. The first exception of either stops the rest and is
// rethrown.
void in_order(int threads, int64_t count, const std::function<std::string(int64_t)>& make,
              const std::function<void(const std::string&)>& use);

// Returns the sum of body(begin, end) over the blocks of in_blocks(), added in block order.
template <class Body>
auto sum_in_blocks(int threads, int64_t count, int64_t size, Body&& body) {
  using Sum = std::invoke_result_t<Body&, int64_t, int64_t>;
  std::vector<Sum> sums(static_cast<size_t>((count + size - 1) / size));
  in_blocks(threads, count, size, [&](int64_t begin, int64_t end) {
    sums[static_cast<size_t>(begin / size)] = body(begin, end);
  });
  Sum all{};
  for (const Sum& sum : sums) all += sum;
  return all;
}

// Like in_blocks() and sum_in_blocks(), but with body(begin, end, own), where `own` is the block's
// random stream, derived from `random` and the number of the block.
template <class Body>
void in_random_blocks(int threads, int64_t count, int64_t size, Random& random, Body&& body) {
  in_blocks(threads, count, size, [&, seed = random()](int64_t begin, int64_t end) {
    Random own(seed, Stream::kStepBlock, begin / size);
    body(begin, end, own);
  });
}
template <class Body>
auto sum_in_random_blocks(int threads, int64_t count, int64_t size, Random& random, Body&& body) {
  return sum_in_blocks(threads, count, size, [&, seed = random()](int64_t begin, int64_t end) {
    Random own(seed, Stream::kStepBlock, begin / size);
    return body(begin, end, own);
  });
}

}  // namespace acevec
