// Runs a function on several threads, or on pieces of work, and rethrows an exception in the
// calling thread.
//
// Each calling thread has a team of helpers, which are started when they are first needed and end
// with it. A helper that has nothing to do looks for work for some microseconds, so that it is
// there when a step of training has its next phase, and then sleeps. The caller takes part, and
// waits only for pieces that a helper has begun: where cores are busy, a helper that is not running
// holds nobody up.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "base/random.h"

namespace acevec {

// As many threads as the machine runs at once, at least 1: the default for -threads.
int machine_threads();

// Throws Error when the system does not give the process so many threads.
void require_threads(int threads);

// Limits the threads of everything that the constructing thread calls while it lives.
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
  bool goes_on;  // after an exception
};
// On so many threads, even where the machine has fewer cores.
void run_on_team(int threads, const TeamWork& work);

// Calls body(thread, piece) once for each piece = 0 .. count − 1, on at most `threads` threads (0
// is 1) of which each takes the next piece when it is done with one; 0 ≤ thread < threads, and no
// two that run at the same time are equal. More threads than cores would only wait for each other:
// there are no more. After an exception no piece is begun any more, and it is rethrown here. Called
// by one of several pieces, it runs all of its own on the thread that calls. Throws Error as
// require_threads() does.
template <class Body>
void for_each_piece(int threads, int64_t count, Body&& body, bool goes_on = false) {
  run_on_team(std::min(threads, machine_threads()), {std::ref(body), count, goes_on});
}

// Calls body(thread) once for each thread = 0 .. threads − 1 and waits for all of them. Threads
// that are late find the work done: the body takes its work from a shared queue and never counts on
// peers. The first exception is rethrown here when all have ended.
template <class Body>
void in_parallel(int threads, Body&& body) {
  for_each_piece(
      threads, threads, [&](int, int64_t thread) { body(static_cast<int>(thread)); }, true);
}

// Calls body(begin, end) for 0 .. count − 1 in blocks of `size`, the last of which may be smaller.
// The blocks do not depend on the number of threads: sums within each block, added in the order of
// blocks, are the same with any number.
template <class Body>
void in_blocks(int threads, int64_t count, int64_t size, Body&& body) {
  for_each_piece(threads, (count + size - 1) / size, [&](int, int64_t block) {
    body(block * size, std::min(count, (block + 1) * size));
  });
}

// Calls use(make(0)), use(make(1)), ... use(make(count − 1)): make() on `threads` threads, use() by
// one thread at a time and in this order. The first exception of either ends the rest and is
// rethrown.
void in_order(int threads, int64_t count, const std::function<std::string(int64_t)>& make,
              const std::function<void(const std::string&)>& use);

// Returns the sum of body(begin, end) over the same blocks, in their order.
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

// Both with body(begin, end, own): each block has a random stream of its own, which follows from
// `random` and the number of the block.
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
