#include "cluster/peers.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace acevec {
namespace {

class Alone : public Peers {
 public:
  int count() const override { return 1; }
  int rank() const override { return 0; }
  void barrier() override {}
  int64_t bcast(int64_t own) override { return own; }
  int64_t exscan(int64_t) override { return 0; }
  int64_t allreduce_sum(int64_t own) override { return own; }
  void allreduce_or(std::span<uint64_t>) override {}
  void allgatherv(const void* own, void* all, std::span<const int> counts, size_t item) override {
    alltoallv(own, counts, all, counts, item);
  }
  void alltoallv(const void* own, std::span<const int> own_counts, void* received,
                 std::span<const int>, size_t item) override {
    const size_t bytes = static_cast<size_t>(own_counts[0]) * item;
    if (bytes > 0) std::memcpy(received, own, bytes);
  }
};

std::unique_ptr<Peers>& own_peers() {
  static std::unique_ptr<Peers> own = std::make_unique<Alone>();
  return own;
}

}  // namespace

Peers& peers() {
  return *own_peers();
}

void join_peers(std::unique_ptr<Peers> others) {
  own_peers() = std::move(others);
}

void unite(Peers& peers, std::span<uint64_t> words) {
  constexpr size_t kBlock = 1 << 21;  // 16 MiB, of which MPI makes copies
  for (size_t begin = 0; begin < words.size(); begin += kBlock) {
    peers.allreduce_or(words.subspan(begin, std::min(kBlock, words.size() - begin)));
  }
}

void require_same(Peers& peers, const std::string& own, const std::string& what) {
  const std::vector<std::string> texts = gather_lists(peers, own);
  for (size_t i = 0; i < texts.size(); ++i) {
    if (texts[i] == texts[0]) continue;
    throw Error(format("process %d has %s than process 0; start all of them with one command",
                       static_cast<int>(i), what.c_str()));
  }
}

}  // namespace acevec
