#include "cluster/mpi_peers.h"

#include <mpi.h>

#include <cstdlib>
#include <deque>
#include <limits>
#include <map>
#include <mutex>

#include "base/error.h"

namespace acevec {
namespace {

// Threads call MPI in turns: the one that exchanges, and the main one when it fails meanwhile.
std::mutex mpi_mutex;

void check(int status) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(status, text, &length);
  throw Error(
      format("MPI failed: %s; check that all processes are alive and the network works", text));
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

  void barrier() override { begin(MPI_Ibarrier); }
  void bcast(int64_t& value) override { begin(MPI_Ibcast, &value, 1, MPI_INT64_T, 0); }
  void exscan(int64_t& value) override {
    begin(MPI_Iexscan, MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_SUM);
  }
  void allreduce_sum(std::span<int64_t> values) override {
    begin(MPI_Iallreduce, MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT64_T,
          MPI_SUM);
  }
  void allreduce_or(std::span<uint64_t> values) override {
    begin(MPI_Iallreduce, MPI_IN_PLACE, values.data(), static_cast<int>(values.size()),
          MPI_UINT64_T, MPI_BOR);
  }
  void allgatherv(const void* own, void* all, std::span<const int> counts, size_t item) override {
    const MPI_Datatype type = type_of(item);
    begin(MPI_Iallgatherv, own, counts[static_cast<size_t>(rank_)], type, all, counts.data(),
          places_of(counts), type);
  }
  void alltoallv(const void* own, std::span<const int> own_counts, void* received,
                 std::span<const int> received_counts, size_t item) override {
    const MPI_Datatype type = type_of(item);
    begin(MPI_Ialltoallv, own, own_counts.data(), places_of(own_counts), type, received,
          received_counts.data(), places_of(received_counts), type);
  }

  bool test() override {
    const std::lock_guard lock(mpi_mutex);
    int done = 0;
    check(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done,
                      MPI_STATUSES_IGNORE));
    if (done == 0) return false;
    requests_.clear();
    places_.clear();
    return true;
  }

 private:
  template <class Operation, class... Arguments>
  void begin(Operation operation, Arguments... arguments) {
    const std::lock_guard lock(mpi_mutex);
    check(operation(arguments..., MPI_COMM_WORLD, &requests_.emplace_back(MPI_REQUEST_NULL)));
  }

  // Items as MPI's type, so that its counts, which are ints, reach far.
  MPI_Datatype type_of(size_t item) {
    const std::lock_guard lock(mpi_mutex);
    const auto [type, is_new] = types_.try_emplace(item, MPI_BYTE);
    if (is_new) {
      check(MPI_Type_contiguous(static_cast<int>(item), MPI_BYTE, &type->second));
      check(MPI_Type_commit(&type->second));
    }
    return type->second;
  }

  // Where each process's items begin.
  const int* places_of(std::span<const int> counts) {
    std::vector<int>& places = places_.emplace_back();
    int64_t before = 0;
    for (const int count : counts) {
      places.push_back(static_cast<int>(before));
      before += count;
      if (before <= std::numeric_limits<int>::max()) continue;
      throw Error("too many rows or words for MPI; give a smaller -exchange-every or -max-memory");
    }
    return places.data();
  }

  int count_ = 1;
  int rank_ = 0;
  std::vector<MPI_Request> requests_;    // of what was begun
  std::deque<std::vector<int>> places_;  // that these use
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
