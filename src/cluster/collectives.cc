#include "cluster/collectives.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"

namespace acevec {
namespace {

size_t count_of(const Peers& peers) {
  return static_cast<size_t>(peers.count());
}

// The part of `words` that process `rank` works on.
std::span<uint64_t> slice(std::span<uint64_t> words, size_t rank, size_t count) {
  const size_t begin = words.size() * rank / count;
  return words.subspan(begin, words.size() * (rank + 1) / count - begin);
}

// Each process unites one slice, and all get what it has made of that.
void unite_block(Peers& peers, std::span<uint64_t> words) {
  const size_t count = count_of(peers);
  std::vector<Bytes> parcels(count);
  for (size_t i = 0; i < count; ++i) {
    const std::span<uint64_t> part = slice(words, i, count);
    put_bytes(parcels[i], part.data(), part.size_bytes());
  }
  const std::span<uint64_t> own = slice(words, static_cast<size_t>(peers.rank()), count);
  for (const Bytes& bytes : peers.trade(std::move(parcels))) {
    BytesReader reader(bytes);
    for (uint64_t& word : own) word |= reader.get<uint64_t>();
  }
  Bytes united;
  put_bytes(united, own.data(), own.size_bytes());
  const std::vector<Bytes> slices = gather(peers, united);
  for (size_t i = 0; i < count; ++i) {
    const std::span<uint64_t> part = slice(words, i, count);
    BytesReader(slices[i]).take(part.data(), part.size_bytes());
  }
}

}  // namespace

std::vector<Bytes> gather(Peers& peers, const Bytes& own) {
  return peers.trade(std::vector<Bytes>(count_of(peers), own));
}

int64_t sum(Peers& peers, int64_t own) {
  const std::vector<int64_t> all = gather(peers, own);
  return std::accumulate(all.begin(), all.end(), int64_t{0});
}

int64_t sum_before(Peers& peers, int64_t own) {
  const std::vector<int64_t> all = gather(peers, own);
  return std::accumulate(all.begin(), all.begin() + peers.rank(), int64_t{0});
}

int64_t first_of(Peers& peers, int64_t own) {
  return gather(peers, own).front();
}

void meet(Peers& peers) {
  gather(peers, Bytes{});
}

void unite(Peers& peers, std::span<uint64_t> words) {
  constexpr size_t kBlock = 1 << 21;  // 16 MiB
  for (size_t begin = 0; begin < words.size(); begin += kBlock) {
    unite_block(peers, words.subspan(begin, std::min(kBlock, words.size() - begin)));
  }
}

void require_same(Peers& peers, const std::string& own, const std::string& what) {
  const std::vector<Bytes> all = gather(peers, Bytes(own.begin(), own.end()));
  for (size_t i = 1; i < all.size(); ++i) {
    if (all[i] == all.front()) continue;
    throw Error(format("process %d has %s than process 0; start all of them with one command",
                       static_cast<int>(i), what.c_str()));
  }
}

}  // namespace acevec
