#include "cluster/peers.h"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "base/error.h"

namespace acevec {
namespace {

// Threads call MPI one at a time: the exchange's thread, and the main thread if it fails meanwhile.
std::mutex mpi_mutex;

template <class Operation, class... Arguments>
void call_locked(Operation operation, Arguments... arguments) {
  const std::lock_guard lock(mpi_mutex);
  const int status = operation(arguments...);
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(status, text, &length);
  throw Error(
      format("MPI failed: %s; check that all processes are alive and the network works", text));
}

// The offset of each process's first item.
std::vector<int> places_of(std::span<const int> counts) {
  std::vector<int> places;
  int64_t before = 0;
  for (const int count : counts) {
    places.push_back(static_cast<int>(before));
    before += count;
    if (before <= std::numeric_limits<int>::max()) continue;
    throw Error("too many rows or words for MPI; give a smaller -exchange-every or -max-memory");
  }
  return places;
}

class MpiPeers : public Peers {
 public:
  MpiPeers() {
    call_locked(MPI_Comm_set_errhandler, MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    call_locked(MPI_Comm_size, MPI_COMM_WORLD, &count_);
    call_locked(MPI_Comm_rank, MPI_COMM_WORLD, &rank_);
  }

  int count() const override { return count_; }
  int rank() const override { return rank_; }

  void barrier() override { call(MPI_Ibarrier); }
  int64_t bcast(int64_t own) override {
    call(MPI_Ibcast, &own, 1, MPI_INT64_T, 0);
    return own;
  }
  int64_t exscan(int64_t own) override {
    call(MPI_Iexscan, MPI_IN_PLACE, &own, 1, MPI_INT64_T, MPI_SUM);
    return is_first(*this) ? 0 : own;  // MPI leaves it undefined in the first process
  }
  int64_t allreduce_sum(int64_t own) override {
    call(MPI_Iallreduce, MPI_IN_PLACE, &own, 1, MPI_INT64_T, MPI_SUM);
    return own;
  }
  void allreduce_or(std::span<uint64_t> values) override {
    constexpr size_t kBlock = 1 << 21;  // 16 MiB, since MPI makes copies
    for (; !values.empty(); values = values.subspan(std::min(kBlock, values.size()))) {
      call(MPI_Iallreduce, MPI_IN_PLACE, values.data(),
           static_cast<int>(std::min(kBlock, values.size())), MPI_UINT64_T, MPI_BOR);
    }
  }
  void allgatherv(const void* own, void* all, std::span<const int> counts, size_t item) override {
    const std::vector<int> places = places_of(counts);
    const MPI_Datatype type = type_of(item);
    call(MPI_Iallgatherv, own, counts[static_cast<size_t>(rank_)], type, all, counts.data(),
         places.data(), type);
  }
  void alltoallv(const void* own, std::span<const int> own_counts, void* received,
                 std::span<const int> received_counts, size_t item) override {
    const std::vector<int> own_places = places_of(own_counts);
    const std::vector<int> received_places = places_of(received_counts);
    const MPI_Datatype type = type_of(item);
    call(MPI_Ialltoallv, own, own_counts.data(), own_places.data(), type, received,
         received_counts.data(), received_places.data(), type);
  }

 private:
  // Starts an operation and waits for its end. It sleeps, since a thread that yields to a training
  // thread may resume only milliseconds later.
  template <class Operation, class... Arguments>
  void call(Operation operation, Arguments... arguments) {
    MPI_Request request = MPI_REQUEST_NULL;
    call_locked(operation, arguments..., MPI_COMM_WORLD, &request);
    constexpr std::chrono::microseconds kLongest(200);
    std::chrono::microseconds pause(10);
    for (int done = 0;; pause = std::min(2 * pause, kLongest)) {
      call_locked(MPI_Test, &request, &done, MPI_STATUS_IGNORE);
      if (done != 0) return;
      std::this_thread::sleep_for(pause);
    }
  }

  // An MPI type for whole items, since MPI's counts are ints.
  MPI_Datatype type_of(size_t item) {
    const auto [type, is_new] = types_.try_emplace(item, MPI_BYTE);
    if (is_new) {
      call_locked(MPI_Type_contiguous, static_cast<int>(item), MPI_BYTE, &type->second);
      call_locked(MPI_Type_commit, &type->second);
    }
    return type->second;
  }

  int count_ = 1;
  int rank_ = 0;
  std::map<size_t, MPI_Datatype> types_;
};

}  // namespace

std::unique_ptr<Peers> mpi_peers() {
  return std::make_unique<MpiPeers>();
}

void abort_job(int code) {
  const std::lock_guard lock(mpi_mutex);
  MPI_Abort(MPI_COMM_WORLD, code);
  std::abort();
}

}  // namespace acevec
