// Pieces made on several threads and used one after the other, in order.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

#include "base/parallel.h"

namespace acevec {

// Calls use(make(0)), use(make(1)), ... use(make(count − 1)): make() on `threads` threads, use() by
// one thread at a time and in this order. At most one piece a thread is kept waiting. The first
// exception of either ends the rest and is rethrown.
inline void in_order(int threads, int64_t count, const std::function<std::string(int64_t)>& make,
                     const std::function<void(const std::string&)>& use) {
  std::mutex mutex;
  std::condition_variable changed;
  int64_t turn = 0;
  bool failed = false;
  for_each_piece(threads, count, [&](int, int64_t i) {
    try {
      const std::string piece = make(i);
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return failed || turn == i; });
      if (failed) return;
      use(piece);
      ++turn;
      changed.notify_all();
    } catch (...) {
      const std::lock_guard lock(mutex);
      failed = true;
      changed.notify_all();
      throw;
    }
  });
}

}  // namespace acevec
