#include "cluster/peers.h"

#include <utility>

namespace acevec {
namespace {

class Alone : public Peers {
 public:
  int count() const override { return 1; }
  int rank() const override { return 0; }
  std::vector<Bytes> trade(std::vector<Bytes> parcels) override { return parcels; }
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

}  // namespace acevec
