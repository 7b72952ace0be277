#include "cluster/mpi_peers.h"

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <mutex>
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

enum Tag { kParcel, kFailed };

// Threads call MPI in turns: the one that exchanges, and the main one when it fails meanwhile.
std::recursive_mutex mpi_mutex;

std::atomic<bool> another_failed{false};

// Whether a process has told that it failed.
bool has_failed(int process) {
  int there = 0;
  MPI_Iprobe(process, kFailed, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
  return there != 0;
}

// Asks until it is done. MPI's own waiting would keep a processor busy that others train on. It
// sleeps, since a thread that yields to one that trains comes back milliseconds later.
template <class IsDone>
void poll(IsDone is_done) {
  constexpr std::chrono::microseconds kLongest(200);
  const auto ask = [&] {
    const std::lock_guard lock(mpi_mutex);
    return is_done();
  };
  for (std::chrono::microseconds pause(10); !ask(); pause = std::min(2 * pause, kLongest)) {
    std::this_thread::sleep_for(pause);
  }
}

void wait(std::vector<MPI_Request>& requests) {
  poll([&] {
    int done = 0;
    check(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done,
                      MPI_STATUSES_IGNORE));
    return done != 0;
  });
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
    auto under_way = std::make_unique<Trade>();
    under_way->parcels = std::move(parcels);
    try {
      return finish(*under_way);
    } catch (...) {
      (void)under_way.release();  // MPI goes on with the buffers, until the process ends
      throw;
    }
  }

 private:
  struct Trade {
    std::vector<Bytes> parcels, received;
    std::vector<MPI_Request> requests;
  };

  std::vector<Bytes> finish(Trade& trade) const {
    auto& [parcels, received, requests] = trade;
    std::vector<int> awaited;
    for (int i = 0; i < count_; ++i) {
      if (i == rank_) continue;
      const std::lock_guard lock(mpi_mutex);
      send(parcels[static_cast<size_t>(i)], i, requests);
      awaited.push_back(i);
    }
    received.resize(static_cast<size_t>(count_));
    received[static_cast<size_t>(rank_)] = std::move(parcels[static_cast<size_t>(rank_)]);
    poll([&trade, &awaited] {
      std::erase_if(awaited, [&](int from) {
        const bool failed = has_failed(from);  // before that it may have sent its parcel
        if (receive(trade.received[static_cast<size_t>(from)], from, trade.requests)) return true;
        if (failed) another_failed = true;
        if (failed) throw Error("another process has failed; see its message");
        return false;
      });
      return awaited.empty();
    });
    wait(requests);
    return std::move(received);
  }

  // In pieces of kMost bytes, and a last one that is shorter, by which its end is known.
  static void send(const Bytes& bytes, int to, std::vector<MPI_Request>& requests) {
    for (size_t begin = 0; begin <= bytes.size(); begin += kMost) {
      check(MPI_Isend(bytes.data() + begin, static_cast<int>(std::min(kMost, bytes.size() - begin)),
                      MPI_BYTE, to, kParcel, MPI_COMM_WORLD, &requests.emplace_back()));
    }
  }

  // Begins to receive what has come from a process, if anything has. True with the last piece.
  static bool receive(Bytes& bytes, int from, std::vector<MPI_Request>& requests) {
    int there = 0;
    MPI_Message message;
    MPI_Status status;
    check(MPI_Improbe(from, kParcel, MPI_COMM_WORLD, &there, &message, &status));
    if (there == 0) return false;
    int size = 0;
    check(MPI_Get_count(&status, MPI_BYTE, &size));
    const bool last = static_cast<size_t>(size) < kMost;
    const size_t had = bytes.size();
    bytes.resize(had + static_cast<size_t>(size));
    std::vector<MPI_Request> own(1);
    check(MPI_Imrecv(bytes.data() + had, size, MPI_BYTE, &message, own.data()));
    if (last) {
      requests.push_back(own.front());
    } else {
      wait(own);  // before the bytes move to make room for the next piece
    }
    return last;
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

void MpiSession::fail() {
  const std::lock_guard lock(mpi_mutex);
  for (int i = 0; i < peers().count(); ++i) {
    if (i == peers().rank()) continue;
    MPI_Request request;
    MPI_Isend(nullptr, 0, MPI_BYTE, i, kFailed, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
  }
}

bool MpiSession::failed_after_another() {
  return another_failed;
}

void MpiSession::abort(int code) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point latest = Clock::now() + std::chrono::seconds(5);
  const std::lock_guard lock(mpi_mutex);
  for (int i = 0; i < peers().count() && Clock::now() < latest;) {
    if (i == peers().rank() || has_failed(i)) {
      ++i;
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  MPI_Abort(MPI_COMM_WORLD, code);
  std::abort();
}

}  // namespace acevec
