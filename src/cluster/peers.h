// The processes of one run, which can only exchange bytes. The implementations of Peers are
// mpi_peers.cc under mpirun, a single process otherwise, and threads in tests.
#pragma once

#include <memory>
#include <vector>

#include "cluster/bytes.h"

namespace acevec {

class Peers {
 public:
  virtual ~Peers() = default;

  virtual int count() const = 0;  // processes, at least 1
  virtual int rank() const = 0;   // of this one: 0 .. count() − 1

  // Sends parcels[i] to process i, its own included, and returns what each process has sent to this
  // one. All processes must call this, in the same order. One thread at a time; while it waits it
  // leaves the processor to others. Throws Error when the network fails.
  virtual std::vector<Bytes> trade(std::vector<Bytes> parcels) = 0;
};

// Those of this process: itself alone, unless main() has joined others.
Peers& peers();
void join_peers(std::unique_ptr<Peers> others);

inline bool is_first(const Peers& peers) {
  return peers.rank() == 0;
}

}  // namespace acevec
