// Runs a function on several threads, or on pieces of work, and rethrows the first exception in the
// calling thread. Only this file uses OpenMP, whose regions no exception may leave.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <thread>

namespace acevec {

// As many threads as the machine runs at once, at least 1: the default for -threads.
inline int machine_threads() {
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

// Throws Error when the system does not give the process so many threads: OpenMP's library would
// end the process with a message of its own.
void require_threads(int threads);

// Calls body(thread) once on each of `threads` threads, thread = 0 .. threads − 1, and waits for
// all of them. OpenMP may grant fewer threads than asked for, so the body takes its work from a
// shared queue and never counts on a number of peers. The first exception thrown is rethrown here.
// Throws Error as require_threads() does.
template <class Body>
void in_parallel(int threads, Body&& body) {
  require_threads(threads);
  std::exception_ptr failure;
#pragma omp parallel for schedule(static, 1) num_threads(threads) default(none) \
    shared(threads, body, failure)
  for (int thread = 0; thread < threads; ++thread) {
    try {
      body(thread);
    } catch (...) {
#pragma omp critical(acevec_failure)
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

// Calls body(thread, piece) once for each piece = 0 .. count − 1, on `threads` threads of which
// each takes the next piece when it is done with one. After an exception no piece is begun any
// more, and it is rethrown here.
template <class Body>
void for_each_piece(int threads, int64_t count, Body&& body) {
  std::atomic<int64_t> next{0};
  in_parallel(threads, [&](int thread) {
    try {
      for (int64_t piece; (piece = next++) < count;) body(thread, piece);
    } catch (...) {
      next = count;
      throw;
    }
  });
}

}  // namespace acevec
