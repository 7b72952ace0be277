#include "train/task_runner.h"

#include <algorithm>

#include "base/error.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/stop_signal.h"

namespace acevec {
namespace {

std::atomic<bool> interruptible{false};  // a piece of Parallel::kStep is in progress

}  // namespace

void interrupt_if_stopped() {
  if (interruptible && stop_requested() != 0) throw StepInterrupted();
}

TaskRunner::TaskRunner(Task& task, const Plan& plan)
    : task_(task),
      plan_(plan),
      clock_(plan.epochs * task.units(), plan.rate),
      workers_(static_cast<size_t>(plan.threads)),
      team_size_(std::min(plan.threads, machine_threads())) {}

void TaskRunner::run(const Report& report, const std::function<void()>& save,
                     const Synchronize& synchronize) {
  pause_ = false;
  while (!done() && !pause_) {
    if (!epoch_begun_) begin_epoch();
    if (next_piece_ == 0) sums_ = {};
    in_parallel(workers(), [&](int thread) { work(thread, report, save, synchronize); });
    if (next_piece_ < task_.pieces()) continue;
    ++epoch_;
    next_piece_ = 0;
    epoch_begun_ = false;
    if (task_.parallel() == Parallel::kStep) continue;
    for (std::unique_ptr<Worker>& worker : workers_) worker.reset();
  }
}

void TaskRunner::prepare() {
  if (done()) return;
  if (!epoch_begun_) begin_epoch();
  in_parallel(workers(), [&](int thread) { worker(thread); });
}

void refuse_fewer_epochs(const std::string& path, int64_t before) {
  throw Error(format("%s is from a run of %s; -iter can only be larger", path.c_str(),
                     counted(before, "epoch").c_str()));
}

// Throws Error if the run of `file`, with `before` epochs, cannot have the present number.
void TaskRunner::require_epochs(int64_t before, const CheckpointReader& file) const {
  if (plan_.epochs == before || (plan_.epochs > before && epoch_ >= before)) return;
  if (plan_.epochs < before) refuse_fewer_epochs(file.path(), before);
  throw Error(format(
      "%s is from a run of %s that has not ended; resume it without -iter before you give more",
      file.path().c_str(), counted(before, "epoch").c_str()));
}

// A thread's share of an epoch: takes pieces until none are left.
void TaskRunner::work(int thread, const Report& report, const std::function<void()>& save,
                      const Synchronize& synchronize) {
  const int64_t pieces = task_.pieces();
  try {
    Worker& own = worker(thread);
    for (int64_t index; !pause_ && (index = next_piece_++) < pieces;) {
      Random random(plan_.seed, epoch_stream(epoch_), plan_.first_piece + index);
      const std::optional<Sums> sums = learn(own, {epoch_, index, epoch_ * pieces + index}, random);
      if (!sums) {
        next_piece_ = index;
        pause_ = true;
        break;
      }
      Request request;
      {
        const std::lock_guard lock(mutex_);
        sums_ += *sums;
        request = report(state(), *sums);
      }
      if (request.pause) pause_ = true;
      if (request.save) save();
      if (request.synchronize && synchronize()) pause_ = true;
    }
  } catch (...) {
    pause_ = true;  // the others can stop
    throw;
  }
}

// Learns from a piece. Returns none if it was given up.
std::optional<Sums> TaskRunner::learn(Worker& worker, const Piece& piece, Random& random) {
  if (task_.parallel() == Parallel::kPieces) return worker.learn(piece, random, clock_);
  const TeamLimit limit(team_size_.threads());
  const Stopwatch watch;
  try {
    interruptible = true;
    Sums sums = worker.learn(piece, random, clock_);
    interruptible = false;
    team_size_.record(watch.seconds());
    return sums;
  } catch (const StepInterrupted&) {
    interruptible = false;
    return std::nullopt;
  }
}

void TaskRunner::save(CheckpointWriter& file) const {
  file.put("epochs", plan_.epochs);
  file.put("epoch", epoch_);
  file.put("piece", next_piece_.load());
  file.put("units done", clock_.done());
  save_sums(sums_, file);
  task_.save(file);
  // At the end of an epoch there are no workers, except with kStep.
  file.put("workers", int64_t{workers_.front() ? workers() : 0});
  for (const std::unique_ptr<Worker>& worker : workers_) {
    if (worker) worker->save(file);
  }
}

void TaskRunner::load(size_t means, CheckpointReader& file) {
  const int64_t epochs = file.get_count("epochs");
  epoch_ = file.get_within("epoch", 0, epochs);
  require_epochs(epochs, file);
  const auto piece = file.get<int64_t>("piece");
  clock_.set(file.get_within("units done", 0, clock_.total()));
  load_sums(sums_, means, file);
  const bool trained = piece > 0 || epoch_ == epochs;  // training of the epoch has begun
  file.require("means", sums_.means.size() == means || !trained);
  task_.load(file);
  // The number of pieces may depend on what the task has loaded.
  file.require("piece", piece >= 0 && piece <= task_.pieces());
  next_piece_ = piece;
  if (!done()) begin_epoch();
  // With kPieces and a different number of threads, workers start as at the beginning of an epoch:
  // only the positions of the adversary's turns are lost.
  if (file.get<int64_t>("workers") != workers()) return;
  for (int thread = 0; thread < workers(); ++thread) worker(thread).load(file);
}

void save_sums(const Sums& sums, CheckpointWriter& file) {
  file.put("loss", sums.loss);
  file.put("means", sums.means);
}

void load_sums(Sums& sums, size_t means, CheckpointReader& file) {
  file.get("loss", sums.loss);
  file.get("means", sums.means);
  file.require("means", sums.means.empty() || sums.means.size() == means);
}

}  // namespace acevec
