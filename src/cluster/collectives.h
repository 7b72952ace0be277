// Collective operations. All processes must call them in the same order with the same number of
// values, and all get the same result, to the bit.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cluster/peers.h"

namespace acevec {

// What each process has, in the order of the ranks.
std::vector<Bytes> gather(Peers& peers, const Bytes& own);

template <class T>
std::vector<T> gather(Peers& peers, const T& own) {
  Bytes bytes;
  put(bytes, own);
  std::vector<T> all;
  for (const Bytes& one : gather(peers, bytes)) all.push_back(BytesReader(one).get<T>());
  return all;
}

int64_t sum(Peers& peers, int64_t own);

// The sum over the processes before this one.
int64_t sum_before(Peers& peers, int64_t own);

// The first process's.
int64_t first_of(Peers& peers, int64_t own);

// Waits until all are here.
void meet(Peers& peers);

// Bitwise or, in place. Takes little memory, however many there are.
void unite(Peers& peers, std::span<uint64_t> words);

// Throws Error in all processes where one has another text than the first. `what`: what differs,
// "other options".
void require_same(Peers& peers, const std::string& own, const std::string& what);

}  // namespace acevec
