#include "cluster/peers.h"

#include <cstring>

#include "base/error.h"

namespace acevec {
namespace {
// Null if this process is alone. Never destroyed, since if training fails, an exchange's thread may
// use it until the process ends.
Peers* joined_peers = nullptr;
}  // namespace

void Peers::alltoallv(const void* own, std::span<const int> own_counts, void* received,
                      std::span<const int>, size_t item) {
  const size_t bytes = static_cast<size_t>(own_counts[0]) * item;
  if (bytes > 0) std::memcpy(received, own, bytes);
}

Peers& peers() {
  static Peers alone;
  return joined_peers ? *joined_peers : alone;
}

void join_peers(std::unique_ptr<Peers> others) {
  joined_peers = others.release();
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
