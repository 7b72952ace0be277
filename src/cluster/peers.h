// The processes of a run, and MPI's collective operations among them. Peers is implemented in
// mpi_peers.cc and, with threads, in tests. Only mpi_peers.cc and mpi_main.cc use MPI; they are not
// part of the plain program.
#pragma once

#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace acevec {

// The base class represents a single process.
class Peers {
 public:
  virtual ~Peers() = default;

  virtual int count() const { return 1; }  // number of processes
  virtual int rank() const { return 0; }   // 0 .. count() − 1

  // MPI's operations of these names. All processes must call them in the same order, from one
  // thread at a time. Each returns when it is done, and leaves the processor to others while it
  // waits. All throw Error if the network fails.
  virtual void barrier() {}
  virtual int64_t bcast(int64_t own) { return own; }  // value of the first process
  virtual int64_t exscan(int64_t) { return 0; }       // sum over lower ranks
  virtual int64_t allreduce_sum(int64_t own) { return own; }
  virtual void allreduce_or(std::span<uint64_t>) {}  // bits, in place

  // Items of `item` bytes: counts[i] for, or from, process i, ordered by rank.
  virtual void allgatherv(const void* own, void* all, std::span<const int> counts, size_t item) {
    alltoallv(own, counts, all, counts, item);
  }
  virtual void alltoallv(const void* own, std::span<const int> own_counts, void* received,
                         std::span<const int> received_counts, size_t item);
};

// The peers of this process: none but itself, unless main() has joined others.
Peers& peers();
void join_peers(std::unique_ptr<Peers> others);

inline bool is_first(const Peers& peers) {
  return peers.rank() == 0;
}

// Items for, or from, all processes, ordered by rank: counts[i] groups of items. The call specifies
// the number of items in a group.
template <class T>
struct Items {
  std::vector<int> counts;
  std::vector<T> items;

  size_t groups() const { return std::accumulate(counts.begin(), counts.end(), size_t{0}); }
};

// The values of all processes, ordered by rank.
template <class T>
std::vector<T> gather(Peers& peers, const T& own) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> all(static_cast<size_t>(peers.count()));
  const std::vector<int> counts(all.size(), 1);
  peers.allgatherv(&own, all.data(), counts, sizeof own);
  return all;
}

// The items of all processes, any number of groups from each; `own` is a vector or a string.
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

// Sends each process its groups, and returns those that all processes sent to this one.
template <class T>
Items<T> all_to_all(Peers& peers, const Items<T>& own, size_t group = 1) {
  Items<T> received{std::vector<int>(own.counts.size()), {}};
  const std::vector<int> ones(own.counts.size(), 1);
  peers.alltoallv(own.counts.data(), ones, received.counts.data(), ones, sizeof(int));
  received.items.resize(received.groups() * group);
  peers.alltoallv(own.items.data(), own.counts, received.items.data(), received.counts,
                  group * sizeof(T));
  return received;
}

// Throws Error in all processes if one has a text that differs from the first process's. `what`
// names the difference: "other options".
void require_same(Peers& peers, const std::string& own, const std::string& what);

// The processes of an MPI job (mpi_peers.cc). MPI must have been initialised, with support for
// threads that call it one at a time.
std::unique_ptr<Peers> mpi_peers();

// Ends all processes of the job with exit code `code`. Any thread may call it.
[[noreturn]] void abort_job(int code);

}  // namespace acevec
