#include "cluster/mpi_peers.h"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>
#include <utility>

#include "base/error.h"
#include "cluster/peers.h"

namespace acevec {
namespace {

constexpr size_t kMost = 1 << 30;  // bytes of a message: MPI counts in ints

void check(int status) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(status, text, &length);
  throw Error(
      format("MPI failed: %s; check that all processes are alive and the network works", text));
}

// MPI's own waiting would keep a processor busy that others train on.
void wait(std::vector<MPI_Request>& requests) {
  constexpr int kEager = 100;  // first tries, between which it does not sleep
  constexpr std::chrono::microseconds kPause(100);
  for (int tries = 0;; ++tries) {
    int done = 0;
    check(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done,
                      MPI_STATUSES_IGNORE));
    if (done != 0) return;
    tries < kEager ? std::this_thread::yield() : std::this_thread::sleep_for(kPause);
  }
}

class MpiPeers : public Peers {
 public:
  MpiPeers() {
    check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    check(MPI_Comm_size(MPI_COMM_WORLD, &count_));
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_));
  }

  int count() const override { return count_; }
  int rank() const override { return rank_; }

  std::vector<Bytes> trade(std::vector<Bytes> parcels) override {
    std::vector<Bytes> received = make_room(parcels);
    std::vector<MPI_Request> requests;
    for (int i = 0; i < count_; ++i) {
      const auto peer = static_cast<size_t>(i);
      if (i == rank_) {
        received[peer] = std::move(parcels[peer]);
        continue;
      }
      for_pieces(received[peer], [&](char* data, int size) {
        check(MPI_Irecv(data, size, MPI_BYTE, i, 0, MPI_COMM_WORLD, &requests.emplace_back()));
      });
      for_pieces(parcels[peer], [&](char* data, int size) {
        check(MPI_Isend(data, size, MPI_BYTE, i, 0, MPI_COMM_WORLD, &requests.emplace_back()));
      });
    }
    wait(requests);
    return received;
  }

 private:
  // Buffers for what each process is about to send.
  std::vector<Bytes> make_room(const std::vector<Bytes>& parcels) const {
    std::vector<int64_t> sizes;
    for (const Bytes& parcel : parcels) sizes.push_back(static_cast<int64_t>(parcel.size()));
    std::vector<int64_t> coming(sizes.size());
    std::vector<MPI_Request> request(1);
    check(MPI_Ialltoall(sizes.data(), 1, MPI_INT64_T, coming.data(), 1, MPI_INT64_T, MPI_COMM_WORLD,
                        request.data()));
    wait(request);
    std::vector<Bytes> received;
    for (size_t i = 0; i < coming.size(); ++i) {
      const bool own = i == static_cast<size_t>(rank_);
      received.emplace_back(own ? 0 : static_cast<size_t>(coming[i]));
    }
    return received;
  }

  template <class Use>
  static void for_pieces(Bytes& bytes, Use use) {
    for (size_t begin = 0; begin < bytes.size(); begin += kMost) {
      use(bytes.data() + begin, static_cast<int>(std::min(kMost, bytes.size() - begin)));
    }
  }

  int count_ = 1;
  int rank_ = 0;
};

}  // namespace

MpiSession::MpiSession(int* argc, char*** argv) {
  // Threads take turns: the one that exchanges, and between exchanges the one that calls.
  int provided = 0;
  MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &provided);
  if (provided < MPI_THREAD_SERIALIZED) {
    std::fputs("acevec: this MPI has no support for threads; use Open MPI\n", stderr);
    abort(1);
  }
  join_peers(std::make_unique<MpiPeers>());
}

MpiSession::~MpiSession() {
  MPI_Finalize();
}

int MpiSession::rank() const {
  return peers().rank();
}

void MpiSession::abort(int code) {
  MPI_Abort(MPI_COMM_WORLD, code);
  std::abort();
}

}  // namespace acevec
