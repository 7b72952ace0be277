// Pieces made on several threads and used one after the other, in order.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "base/parallel.h"

namespace acevec {

// Calls use(make(0)), use(make(1)), ... use(make(count − 1)): make() on `threads` threads, use() by
// one thread at a time and in this order. A few pieces a thread are kept waiting. The first
// exception of either ends the rest and is rethrown.
inline void in_order(int threads, int64_t count, const std::function<std::string(int64_t)>& make,
                     const std::function<void(const std::string&)>& use) {
  constexpr int64_t kWaiting = 4;  // pieces a thread
  std::mutex mutex;
  std::condition_variable changed;
  std::map<int64_t, std::string> made;
  int64_t turn = 0;     // the piece to be used next
  bool in_use = false;  // by some thread
  bool failed = false;
  for_each_piece(threads, count, [&](int, int64_t i) {
    try {
      std::string piece = make(i);
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return failed || i < turn + kWaiting * threads; });
      made.emplace(i, std::move(piece));
      if (in_use) return;  // that thread will use it
      in_use = true;
      for (auto next = made.begin(); !failed && next != made.end() && next->first == turn;
           next = made.begin()) {
        const std::string current = std::move(next->second);
        made.erase(next);
        lock.unlock();
        use(current);
        lock.lock();
        ++turn;
        changed.notify_all();
      }
      in_use = false;
    } catch (...) {
      const std::lock_guard lock(mutex);
      failed = true;
      changed.notify_all();
      throw;
    }
  });
}

}  // namespace acevec
