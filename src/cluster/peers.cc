#include "cluster/peers.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string_view>
#include <thread>
#include <utility>

#include "base/error.h"

namespace acevec {
namespace {

class Alone : public Peers {
 public:
  int count() const override { return 1; }
  int rank() const override { return 0; }
  void barrier() override {}
  void bcast(int64_t&) override {}
  void exscan(int64_t&) override {}
  void allreduce_sum(std::span<int64_t>) override {}
  void allreduce_or(std::span<uint64_t>) override {}
  void allgatherv(const void* own, void* all, std::span<const int> counts, size_t item) override {
    alltoallv(own, counts, all, counts, item);
  }
  void alltoallv(const void* own, std::span<const int> own_counts, void* received,
                 std::span<const int>, size_t item) override {
    const size_t bytes = static_cast<size_t>(own_counts[0]) * item;
    if (bytes > 0) std::memcpy(received, own, bytes);
  }
  bool test() override { return true; }
};

std::unique_ptr<Peers>& own_peers() {
  static std::unique_ptr<Peers> own = std::make_unique<Alone>();
  return own;
}

}  // namespace

// It sleeps, since a thread that yields to one that trains comes back milliseconds later.
void Peers::wait() {
  constexpr std::chrono::microseconds kLongest(200);
  for (std::chrono::microseconds pause(10); !test(); pause = std::min(2 * pause, kLongest)) {
    std::this_thread::sleep_for(pause);
  }
}

Peers& peers() {
  return *own_peers();
}

void join_peers(std::unique_ptr<Peers> others) {
  own_peers() = std::move(others);
}

void meet(Peers& peers) {
  peers.barrier();
  peers.wait();
}

int64_t sum(Peers& peers, int64_t own) {
  peers.allreduce_sum({&own, 1});
  peers.wait();
  return own;
}

int64_t sum_before(Peers& peers, int64_t own) {
  peers.exscan(own);
  peers.wait();
  return is_first(peers) ? 0 : own;
}

int64_t first_of(Peers& peers, int64_t own) {
  peers.bcast(own);
  peers.wait();
  return own;
}

void unite(Peers& peers, std::span<uint64_t> words) {
  constexpr size_t kBlock = 1 << 21;  // 16 MiB, of which MPI makes copies
  for (size_t begin = 0; begin < words.size(); begin += kBlock) {
    peers.allreduce_or(words.subspan(begin, std::min(kBlock, words.size() - begin)));
    peers.wait();
  }
}

void require_same(Peers& peers, const std::string& own, const std::string& what) {
  const Items<char> all = gather_all(peers, std::vector<char>(own.begin(), own.end()));
  const std::string_view texts(all.items.data(), all.items.size());
  const std::string_view first = texts.substr(0, static_cast<size_t>(all.counts[0]));
  size_t begin = 0;
  for (size_t i = 0; i < all.counts.size(); ++i) {
    const auto length = static_cast<size_t>(all.counts[i]);
    if (texts.substr(begin, length) != first) {
      throw Error(format("process %d has %s than process 0; start all of them with one command",
                         static_cast<int>(i), what.c_str()));
    }
    begin += length;
  }
}

}  // namespace acevec
