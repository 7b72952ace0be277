// The processes of one run, and MPI's collective operations among them. The implementations of
// Peers are in mpi_peers.cc and, with threads, in tests. Only mpi_peers.cc and mpi_main.cc use MPI;
// they are not part of the plain program.
#pragma once

#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace acevec {

// This class itself is a process that is alone.
class Peers {
 public:
  virtual ~Peers() = default;

  virtual int count() const { return 1; }  // processes
  virtual int rank() const { return 0; }   // of this one: 0 .. count() − 1

  // MPI's operations of these names. All processes must call them in the same order, one thread at
  // a time. Each returns when it is done, and leaves the processor to others meanwhile. All throw
  // Error when the network fails.
  virtual void barrier() {}
  virtual int64_t bcast(int64_t own) { return own; }  // the first process's
  virtual int64_t exscan(int64_t) { return 0; }       // sum over the processes before this one
  virtual int64_t allreduce_sum(int64_t own) { return own; }
  virtual void allreduce_or(std::span<uint64_t>) {}  // bits, in place

  // Items of `item` bytes: counts[i] for, or from, process i, in the order of the processes.
  virtual void allgatherv(const void* own, void* all, std::span<const int> counts, size_t item) {
    alltoallv(own, counts, all, counts, item);
  }
  virtual void alltoallv(const void* own, std::span<const int> own_counts, void* received,
                         std::span<const int> received_counts, size_t item);
};

// The peers of this process: itself alone, unless main() has joined others.
Peers& peers();
void join_peers(std::unique_ptr<Peers> others);

inline bool is_first(const Peers& peers) {
  return peers.rank() == 0;
}

// Items for all processes, or from them, in their order: counts[i] groups of items. The call tells
// the number of items of a group.
template <class T>
struct Items {
  std::vector<int> counts;
  std::vector<T> items;

  size_t groups() const { return std::accumulate(counts.begin(), counts.end(), size_t{0}); }
};

// The values of all processes, in the order of the ranks.
template <class T>
std::vector<T> gather(Peers& peers, const T& own) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> all(static_cast<size_t>(peers.count()));
  const std::vector<int> counts(all.size(), 1);
  peers.allgatherv(&own, all.data(), counts, sizeof own);
  return all;
}

// The items of all processes, any number of groups each; `own` is a vector or a string.
template <class List, class T = typename List::value_type>
Items<T> gather_all(Peers& peers, const List& own, size_t group = 1) {
  Items<T> all{gather(peers, static_cast<int>(own.size() / group)), {}};
  all.items.resize(all.groups() * group);
  peers.allgatherv(own.data(), all.items.data(), all.counts, group * sizeof(T));
  return all;
}

// The lists of all processes.
template <class List>
std::vector<List> gather_lists(Peers& peers, const List& own) {
  const auto all = gather_all(peers, own);
  std::vector<List> lists;
  auto begin = all.items.begin();
  for (const int count : all.counts) {
    lists.emplace_back(begin, begin + count);
    begin += count;
  }
  return lists;
}

// Sends each process its groups, and returns those that all had for this one.
template <class T>
Items<T> trade(Peers& peers, const Items<T>& own, size_t group = 1) {
  Items<T> received{std::vector<int>(own.counts.size()), {}};
  const std::vector<int> ones(own.counts.size(), 1);
  peers.alltoallv(own.counts.data(), ones, received.counts.data(), ones, sizeof(int));
  received.items.resize(received.groups() * group);
  peers.alltoallv(own.items.data(), own.counts, received.items.data(), received.counts,
                  group * sizeof(T));
  return received;
}

// Throws Error in all processes when one has another text than the first. `what` names the
// difference: "other options".
void require_same(Peers& peers, const std::string& own, const std::string& what);

// The processes of an MPI job (mpi_peers.cc). MPI must have begun, for threads that take turns.
std::unique_ptr<Peers> mpi_peers();

// Ends all processes of the job, with that exit code. Any thread may call it.
[[noreturn]] void abort_job(int code);

}  // namespace acevec
