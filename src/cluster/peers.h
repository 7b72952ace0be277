// The processes of one run, and MPI's collective operations among them. The implementations of
// Peers are mpi_peers.cc under mpirun, a single process otherwise, and threads in tests.
#pragma once

#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace acevec {

class Peers {
 public:
  virtual ~Peers() = default;

  virtual int count() const = 0;  // processes, at least 1
  virtual int rank() const = 0;   // of this one: 0 .. count() − 1

  // MPI's operations of these names, in place where there is one argument. All processes must call
  // them in the same order, one thread at a time. An operation is only begun: what it reads and
  // writes must stay until wait() has returned. All throw Error when the network fails.
  virtual void barrier() = 0;
  virtual void bcast(int64_t& value) = 0;   // of the first process
  virtual void exscan(int64_t& value) = 0;  // sum; the first process's is undefined
  virtual void allreduce_sum(std::span<int64_t> values) = 0;
  virtual void allreduce_or(std::span<uint64_t> values) = 0;

  // Items of `item` bytes: counts[i] for, or from, process i, in the order of the processes.
  virtual void allgatherv(const void* own, void* all, std::span<const int> counts, size_t item) = 0;
  virtual void alltoallv(const void* own, std::span<const int> own_counts, void* received,
                         std::span<const int> received_counts, size_t item) = 0;

  // Whether all that was begun is done.
  virtual bool test() = 0;

  // Waits for that, and leaves the processor to others meanwhile.
  void wait();
};

// Those of this process: itself alone, unless main() has joined others.
Peers& peers();
void join_peers(std::unique_ptr<Peers> others);

inline bool is_first(const Peers& peers) {
  return peers.rank() == 0;
}

// What is for all processes, or came from them, in their order: counts[i] groups of items, of as
// many items each as the call says.
template <class T>
struct Items {
  std::vector<int> counts;
  std::vector<T> items;

  size_t groups() const { return std::accumulate(counts.begin(), counts.end(), size_t{0}); }
};

// Single operations, for which they wait.

void meet(Peers& peers);  // until all are here
int64_t sum(Peers& peers, int64_t own);
int64_t sum_before(Peers& peers, int64_t own);  // over the processes before this one
int64_t first_of(Peers& peers, int64_t own);

// Bitwise or, in place. Takes little memory, however many there are.
void unite(Peers& peers, std::span<uint64_t> words);

// What each process has, in the order of the ranks.
template <class T>
std::vector<T> gather(Peers& peers, const T& own) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> all(static_cast<size_t>(peers.count()));
  const std::vector<int> counts(all.size(), 1);
  peers.allgatherv(&own, all.data(), counts, sizeof own);
  peers.wait();
  return all;
}

// The same of any number of groups.
template <class T>
Items<T> gather_all(Peers& peers, const std::vector<T>& own, size_t group = 1) {
  Items<T> all{gather(peers, static_cast<int>(own.size() / group)), {}};
  all.items.resize(all.groups() * group);
  peers.allgatherv(own.data(), all.items.data(), all.counts, group * sizeof(T));
  peers.wait();
  return all;
}

// Sends each process its groups, and returns what all had for this one.
template <class T>
Items<T> trade(Peers& peers, const Items<T>& own, size_t group = 1) {
  Items<T> received{std::vector<int>(own.counts.size()), {}};
  const std::vector<int> ones(own.counts.size(), 1);
  peers.alltoallv(own.counts.data(), ones, received.counts.data(), ones, sizeof(int));
  peers.wait();
  received.items.resize(received.groups() * group);
  peers.alltoallv(own.items.data(), own.counts, received.items.data(), received.counts,
                  group * sizeof(T));
  peers.wait();
  return received;
}

// Throws Error in all processes where one has another text than the first. `what`: what differs,
// "other options".
void require_same(Peers& peers, const std::string& own, const std::string& what);

}  // namespace acevec
