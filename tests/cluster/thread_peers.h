// Peers that are threads of one process, for tests: the whole way of a run in several processes but
// for MPI.
#pragma once

#include <condition_variable>
#include <cstring>
#include <exception>
#include <functional>
#include <mutex>
#include <numeric>
#include <span>
#include <thread>
#include <vector>

#include "cluster/peers.h"

namespace acevec {

// Where threads wait until all are here. std::barrier yields the processor at first, which takes
// long where other programs want it.
class Meeting {
 public:
  explicit Meeting(size_t count) : count_(count) {}

  void wait() {
    std::unique_lock lock(mutex_);
    if (++arrived_ == count_) {
      arrived_ = 0;
      ++number_;
      all_here_.notify_all();
    } else {
      all_here_.wait(lock, [this, number = number_] { return number_ != number; });
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable all_here_;
  size_t count_;
  size_t arrived_ = 0;
  int64_t number_ = 0;  // of the meeting that they wait for
};

// Where processes show each other what they send.
struct Board {
  struct Post {
    const void* data = nullptr;
    std::span<const int> counts;
  };
  explicit Board(int count) : posts(static_cast<size_t>(count)), meeting(posts.size()) {}

  std::vector<Post> posts;  // of each process
  Meeting meeting;
};

class ThreadPeers : public Peers {
 public:
  std::function<void()> before_each;  // what a test does before the process waits for the others

  ThreadPeers(Board& board, int rank) : board_(board), rank_(rank) {}

  int count() const override { return static_cast<int>(board_.posts.size()); }
  int rank() const override { return rank_; }
  void barrier() override {
    meet({}, [] {});
  }
  int64_t bcast(int64_t own) override { return all_of<int64_t>({&own, 1}).front(); }
  int64_t exscan(int64_t own) override {
    const std::vector<int64_t> all = all_of<int64_t>({&own, 1});
    return std::accumulate(all.begin(), all.begin() + rank_, int64_t{0});
  }
  int64_t allreduce_sum(int64_t own) override {
    const std::vector<int64_t> all = all_of<int64_t>({&own, 1});
    return std::accumulate(all.begin(), all.end(), int64_t{0});
  }
  void allreduce_or(std::span<uint64_t> values) override {
    const std::vector<uint64_t> all = all_of<uint64_t>(values);
    for (size_t i = 0; i < all.size(); ++i) values[i % values.size()] |= all[i];
  }
  void allgatherv(const void* own, void* all, std::span<const int> counts, size_t item) override {
    meet({own, counts}, [&] {
      auto* to = static_cast<char*>(all);
      for (size_t i = 0; i < counts.size(); ++i) {
        to = copy(board_.posts[i].data, 0, counts[i], item, to);
      }
    });
  }
  void alltoallv(const void* own, std::span<const int> own_counts, void* received,
                 std::span<const int> received_counts, size_t item) override {
    meet({own, own_counts}, [&] {
      auto* to = static_cast<char*>(received);
      for (size_t i = 0; i < received_counts.size(); ++i) {
        const auto& [data, counts] = board_.posts[i];
        to = copy(data, std::accumulate(counts.begin(), counts.begin() + rank_, 0),
                  received_counts[i], item, to);
      }
    });
  }

 private:
  // Shows `own`, and calls read() while all that others show is there.
  template <class Read>
  void meet(const Board::Post& own, Read read) {
    if (before_each) before_each();
    board_.posts[static_cast<size_t>(rank_)] = own;
    board_.meeting.wait();
    read();
    board_.meeting.wait();
  }
  template <class T>
  std::vector<T> all_of(std::span<const T> own) {
    std::vector<T> all(own.size() * board_.posts.size());
    const std::vector<int> counts(board_.posts.size(), static_cast<int>(own.size()));
    allgatherv(own.data(), all.data(), counts, sizeof(T));
    return all;
  }
  static char* copy(const void* from, int first, int count, size_t item, char* to) {
    const size_t bytes = static_cast<size_t>(count) * item;
    if (bytes > 0) {
      std::memcpy(to, static_cast<const char*>(from) + static_cast<size_t>(first) * item, bytes);
    }
    return to + bytes;
  }

  Board& board_;
  int rank_;
};

// Calls body(peers) in `count` threads. The first exception that came is thrown again at the end;
// all threads must end by themselves.
inline void among_peers(int count, const std::function<void(ThreadPeers&)>& body) {
  Board board(count);
  std::vector<std::exception_ptr> failures(static_cast<size_t>(count));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank) {
    threads.emplace_back([&, rank] {
      ThreadPeers own(board, rank);
      try {
        body(own);
      } catch (...) {
        failures[static_cast<size_t>(rank)] = std::current_exception();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace acevec
