// Runs the pieces of a task on all threads, from one pause to the next.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
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

// With one worker and one seed the parameters are the same to the byte, whatever is saved or
// evaluated, and wherever the run pauses or is resumed; with Parallel::kStep there is one, whatever
// the number of threads.
class TaskRunner {
 public:
  // Requests after a piece.
  struct Wish {
    bool save = false;         // this thread calls `save` while the others go on training
    bool synchronize = false;  // the same for `synchronize`, which may ask for a pause
    bool pause = false;        // all threads come to the end of their pieces, and run() returns
  };
  using Report = std::function<Wish(const RunState&, const Sums& piece)>;

  struct Plan {
    int threads = 1;
    uint64_t seed = 1;
    int64_t epochs = 1;
    Rate rate;
    int64_t first_piece = 0;  // how many pieces of an epoch other processes have before this one's
  };

  // The task must outlive it.
  TaskRunner(Task& task, const Plan& plan);

  // Trains on, to the end or until `report` wants a pause. `report` is called after every piece, by
  // one thread at a time; a thread that reads parameters in `save`, or changes them in
  // `synchronize`, does so through kernels/hogwild.h. Throws what the task and the three throw;
  // then this object can no longer be used.
  using Synchronize = std::function<bool()>;
  void run(const Report& report, const std::function<void()>& save,
           const Synchronize& synchronize = {});

  // Between calls of run():
  bool done() const { return epoch_ >= plan_.epochs; }
  RunState state() const;
  const Sums& epoch_sums() const { return sums_; }  // of the epoch at hand, or the last one

  // The progress of the run and the state of its workers and of the task, without parameters.
  // load() is for a run that has not begun; the number of threads may differ, and a run that has
  // ended may get more epochs. `means`: the number of means in the task's sums. Throws Error.
  void save(CheckpointWriter& file) const;
  void load(size_t means, CheckpointReader& file);

 private:
  int workers() const;
  void begin_epoch();
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

// Parts of a checkpoint. Sums have `means` means, or none.
void save_sums(const Sums& sums, CheckpointWriter& file);
void load_sums(Sums& sums, size_t means, CheckpointReader& file);

}  // namespace acevec
