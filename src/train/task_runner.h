// Runs the pieces of a task on all threads, from one pause to the next.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "train/task.h"
#include "train/team_size.h"

namespace acevec {

// The progress of a run.
struct RunState {
  int64_t done = 0;  // units, over all epochs
  int64_t total = 0;
  int64_t epoch = 0;  // from 1
  double rate = 0;    // learning rate now
};

// Throws Error: the run of the checkpoint `path` has `before` epochs, and is resumed with fewer.
[[noreturn]] void refuse_fewer_epochs(const std::string& path, int64_t before);

// With one worker, a seed determines the parameters to the byte, whatever is saved or evaluated,
// and wherever the run pauses or is resumed; with Parallel::kStep there is always one.
class TaskRunner {
 public:
  // Requests after a piece.
  struct Request {
    bool save = false;         // this thread calls `save` while the others continue training
    bool synchronize = false;  // the same for `synchronize`, which may ask for a pause
    bool pause = false;        // all threads finish their pieces, and run() returns
  };
  using Report = std::function<Request(const RunState&, const Sums& piece)>;

  struct Plan {
    int threads = 1;
    uint64_t seed = 1;
    int64_t epochs = 1;
    Rate rate;
    int64_t first_piece = 0;  // pieces of an epoch in lower-ranked processes
  };

  TaskRunner(Task& task, const Plan& plan);  // the task must outlive it

  // Makes what the next piece needs: begins its epoch, and makes the workers, as run() else does.
  void prepare();

  // Trains until the end, or until `report`, called after every piece by one thread at a time,
  // requests a pause. `save` reads parameters, and `synchronize` changes them, only through
  // kernels/hogwild.h. Throws what the task and the callbacks throw; then the object is spent.
  using Synchronize = std::function<bool()>;
  void run(const Report& report, const std::function<void()>& save,
           const Synchronize& synchronize = {});

  // Between calls of run():
  bool done() const { return epoch_ >= plan_.epochs; }
  RunState state() const {
    return {clock_.done(), clock_.total(), std::min(epoch_ + 1, plan_.epochs), clock_.rate()};
  }
  const Sums& epoch_sums() const { return sums_; }  // of the current epoch, or the last one

  // Save and load the progress of the run and the state of its workers and of the task, without
  // parameters. load() is for a run that has not begun; the number of threads may differ, and an
  // ended run may get more epochs. `means`: the number of means in the task's sums. Throws Error.
  void save(CheckpointWriter& file) const;
  void load(size_t means, CheckpointReader& file);

 private:
  // The number of workers of an epoch, at most that of pieces.
  int workers() const {
    if (task_.parallel() == Parallel::kStep) return 1;
    return static_cast<int>(std::clamp<int64_t>(task_.pieces(), 1, plan_.threads));
  }
  // The worker of a thread, which is made when it is first asked for in an epoch.
  Worker& worker(int thread) {
    std::unique_ptr<Worker>& worker = workers_[static_cast<size_t>(thread)];
    if (!worker) worker = task_.make_worker(thread, epoch_);
    return *worker;
  }
  void begin_epoch() {
    task_.begin_epoch(epoch_);
    epoch_begun_ = true;
  }
  void require_epochs(int64_t before, const CheckpointReader& file) const;
  std::optional<Sums> learn(Worker& worker, const Piece& piece, Random& random);
  void work(int thread, const Report& report, const std::function<void()>& save,
            const Synchronize& synchronize);

  Task& task_;
  Plan plan_;
  Clock clock_;
  std::vector<std::unique_ptr<Worker>> workers_;
  TeamSize team_size_;  // with kStep
  bool epoch_begun_ = false;
  int64_t epoch_ = 0;
  std::atomic<int64_t> next_piece_{0};
  std::atomic<bool> pause_{false};
  std::mutex mutex_;
  Sums sums_;
};

// Save and load sums in a checkpoint. They have `means` means, or none.
void save_sums(const Sums& sums, CheckpointWriter& file);
void load_sums(Sums& sums, size_t means, CheckpointReader& file);

}  // namespace acevec
