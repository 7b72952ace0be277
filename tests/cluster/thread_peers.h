// Peers that are threads of one process, for tests: the whole way of a run in several processes but
// for MPI.
#pragma once

#include <barrier>
#include <exception>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "cluster/peers.h"

namespace acevec {

// Where the parcels lie.
class PostOffice {
 public:
  explicit PostOffice(int count)
      : barrier_(count),
        parcels_(static_cast<size_t>(count), std::vector<Bytes>(static_cast<size_t>(count))) {}

  std::vector<Bytes> trade(int rank, std::vector<Bytes> own) {
    const auto to = static_cast<size_t>(rank);
    for (size_t i = 0; i < own.size(); ++i) parcels_[i][to] = std::move(own[i]);
    barrier_.arrive_and_wait();
    std::vector<Bytes> received = std::move(parcels_[to]);
    parcels_[to].assign(received.size(), {});
    barrier_.arrive_and_wait();
    return received;
  }

 private:
  std::barrier<> barrier_;
  std::vector<std::vector<Bytes>> parcels_;  // [to][from]
};

class ThreadPeers : public Peers {
 public:
  std::function<void()> before_each;  // what a test does before the process waits for the others

  ThreadPeers(PostOffice& office, int rank, int count)
      : office_(office), rank_(rank), count_(count) {}

  int count() const override { return count_; }
  int rank() const override { return rank_; }
  std::vector<Bytes> trade(std::vector<Bytes> parcels) override {
    if (before_each) before_each();
    return office_.trade(rank_, std::move(parcels));
  }

 private:
  PostOffice& office_;
  int rank_;
  int count_;
};

// Calls body(peers) in `count` threads. The first exception that came is thrown again at the end;
// all threads must end by themselves.
inline void among_peers(int count, const std::function<void(ThreadPeers&)>& body) {
  PostOffice office(count);
  std::vector<std::exception_ptr> failures(static_cast<size_t>(count));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank) {
    threads.emplace_back([&, rank] {
      ThreadPeers own(office, rank, count);
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
