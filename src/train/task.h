// The interface of a task. The engine calls it once per piece, never once per pair.
//
// A run is `epochs` times the pieces of an epoch (chunks of a text, batches of pairs). A Worker
// learns from a piece. Threads take pieces from a queue, each with a worker of its own, or one
// worker takes them one after the other and shares the work of each among the threads: see
// Parallel. Now and then all threads wait: then the task is evaluated, saved, and its parameters
// may be exchanged. docs/extending.md tells how to add a task.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/checkpoint_file.h"
#include "base/error.h"
#include "base/random.h"
#include "optim/optimizer.h"

namespace acevec {

// Ends a run whose numbers can no longer be trusted.
class Diverged : public Error {
 public:
  using Error::Error;
};

// Throws StepGivenUp when a signal asks the run to stop. Call it in the long part of a piece of
// Parallel::kStep, before the piece has changed anything but its own buffers: the piece is then not
// done, and is the first of the resumed run. Elsewhere, as in evaluate(), it does nothing.
void give_up_if_stopped();
class StepGivenUp : public std::exception {};

// The learning rate falls linearly from `start` towards 0, and no lower than `end`.
struct Rate {
  double start = 0;
  double end = 0;
};

// The progress of a run, and the learning rate that depends on it. All threads share a clock.
class Clock {
 public:
  // `total`: units of the whole run (tokens, pairs, triples), above 0.
  Clock(int64_t total, const Rate& rate) : total_(total), rate_(rate) {}

  // Called by workers as they learn, in the middle of pieces too.
  void advance(int64_t units) { done_ += units; }
  void set(int64_t done) { done_ = done; }

  int64_t done() const { return done_; }
  int64_t total() const { return total_; }
  double rate() const {
    const double left = 1 - static_cast<double>(done_) / static_cast<double>(total_);
    return std::max(rate_.end, rate_.start * left);
  }

 private:
  alignas(64) std::atomic<int64_t> done_{0};  // every thread writes it: a cache line of its own
  int64_t total_;
  Rate rate_;
};

struct Mean {
  double sum = 0;
  double count = 0;

  double value() const { return count > 0 ? sum / count : 0; }  // 0 of nothing
  Mean& operator+=(const Mean& other) {
    sum += other.sum;
    count += other.count;
    return *this;
  }
};

// The sums of training: the loss, and the means that a task's log shows.
struct Sums {
  Mean loss;                // what the progress line shows and divergence is detected from
  std::vector<Mean> means;  // as the task's TaskDescription names them, or none at all

  Sums& operator+=(const Sums& other) {
    loss += other.loss;
    if (means.size() < other.means.size()) means.resize(other.means.size());
    for (size_t i = 0; i < other.means.size(); ++i) means[i] += other.means[i];
    return *this;
  }
};

struct Piece {
  int64_t epoch;  // from 0
  int64_t index;  // in the epoch, from 0
  int64_t step;   // in the run, from 0
};

// How threads share the work.
enum class Parallel {
  kPieces,  // each takes pieces of its own, and all change the parameters at once
            // (kernels/hogwild.h)
  kStep,  // all work on one piece: one step of the optimizer at a time (optim/step_rows.h), so that
          // the result is the same with any number of threads
};

// Learns from pieces. A worker has copies of rows and the state of the adversary's turns. Workers
// live for an epoch; with kStep the one worker lives for the run.
class Worker {
 public:
  virtual ~Worker() = default;

  // Learns from a piece, at clock.rate(), and advances the clock by the piece's units. `random` is
  // the piece's own stream. Returns the sums of the piece. Throws Diverged.
  virtual Sums learn(const Piece& piece, Random& random, Clock& clock) = 0;

  // The state that the next piece depends on besides the task's; called between pieces.
  virtual void save(CheckpointWriter& /*file*/) const {}
  virtual void load(CheckpointReader& /*file*/) {}
};

// The quality of the parameters.
struct Evaluation {
  double score;                 // decides on the best copy and on patience
  std::vector<double> columns;  // for the log, as TaskDescription::evaluation names them
  double weight = 1;            // in the mean with those of other processes
};

class Task {
 public:
  virtual ~Task() = default;

  // An epoch's pieces, and their units (tokens, pairs, triples), both above 0.
  virtual int64_t pieces() const = 0;
  virtual int64_t units() const = 0;

  // Called before the first piece of an epoch, and once more when a run is resumed in the middle of
  // it. Its effect, such as an order of the pairs, depends only on the number and on what load()
  // has read.
  virtual void begin_epoch(int64_t /*epoch*/) {}

  virtual Parallel parallel() const = 0;

  // With kStep there is one, of thread 0.
  virtual std::unique_ptr<Worker> make_worker(int thread, int64_t epoch) = 0;

  // Every matrix that training changes, the same list each time.
  virtual std::vector<Parameter> parameters() = 0;

  // The other state that training changes; called between pieces.
  virtual void save(CheckpointWriter& /*file*/) const {}
  virtual void load(CheckpointReader& /*file*/) {}

  // The mean loss before training. None: that of the first piece is used.
  virtual std::optional<double> start_loss() { return std::nullopt; }

  // Called when all threads wait, as often as RunSettings::evaluate_every has it and at the end.
  // None without data to evaluate on.
  virtual std::optional<Evaluation> evaluate() { return std::nullopt; }

  // Writes the vectors to `path`, for -save-every. With kPieces other threads train
  // meanwhile.
  virtual void write_snapshot(const std::string& path) const = 0;
};

// Base of tasks whose pieces are steps of the optimizer: each takes the next items of the epoch,
// and a team of threads shares its work.
class StepTask : public Task {
 public:
  int64_t pieces() const final { return (items() + batch() - 1) / batch(); }
  Parallel parallel() const final { return Parallel::kStep; }
  std::unique_ptr<Worker> make_worker(int /*thread*/, int64_t /*epoch*/) final {
    return std::make_unique<StepWorker>(*this);
  }

 protected:
  // The number of items in an epoch, and the most that a step has.
  virtual int64_t items() const { return units(); }
  virtual int64_t batch() const = 0;

  // The first item of a step, 0 .. pieces(); at pieces() items().
  virtual int64_t first_of(int64_t piece) const { return std::min(items(), piece * batch()); }

  // Takes step piece.step + 1 of the run, on items first .. last − 1; otherwise as Worker::learn().
  virtual Sums learn(const Piece& piece, int64_t first, int64_t last, Random& random,
                     Clock& clock) = 0;

 private:
  class StepWorker final : public Worker {
   public:
    explicit StepWorker(StepTask& task) : task_(task) {}

    Sums learn(const Piece& piece, Random& random, Clock& clock) override {
      return task_.learn(piece, task_.first_of(piece.index), task_.first_of(piece.index + 1),
                         random, clock);
    }

   private:
    StepTask& task_;
  };
};

// The names that a task goes by in messages and logs.
struct TaskDescription {
  std::string unit;           // "tokens": what progress counts, also the log's first column
  std::string rate = "rate";  // the learning rate's column
  // The columns of Sums::means. A name that is empty is summed up and not logged.
  std::vector<std::string> means;
  std::string score;                    // what Evaluation::score is called, "held-out loss"
  bool higher_is_better = false;        // the score
  std::vector<std::string> evaluation;  // columns, "heldout_loss"
  std::string advice = "lower -rate or raise -batch";  // what helps when training diverges
  // Divergence is judged by the mean loss of a hundredth of the run, and of no fewer units.
  int64_t least_window = 1000;
};

}  // namespace acevec
