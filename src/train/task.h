// The interface of a task. The engine calls it once per piece, never once per pair.
//
// A run is `epochs` times the pieces of an epoch (chunks of a text, batches of pairs). A Worker
// learns from a piece. Either threads take pieces from a queue, each with a worker of its own, or
// one worker takes them in order and divides each among the threads: see Parallel. At times all
// threads wait while the task is evaluated and saved and its parameters are exchanged.
// docs/extending.md explains how to add a task.
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

// Ends a run whose parameters are no longer valid.
class Diverged : public Error {
 public:
  using Error::Error;
};

// Throws StepInterrupted if a signal has asked the run to stop. Call it in the long part of a piece
// of Parallel::kStep, before it has changed anything but its own buffers: it then counts as not
// done, and is the first of the resumed run. Elsewhere, as in evaluate(), it does nothing.
void interrupt_if_stopped();
class StepInterrupted : public std::exception {};

// The learning rate decreases linearly from `start` towards 0, but not below `end`.
struct Rate {
  double start = 0;
  double end = 0;
};

// The progress of a run, and the learning rate that depends on it. All threads share a clock.
class Clock {
 public:
  // `total`: units of the whole run (tokens, pairs, triples), above 0.
  Clock(int64_t total, const Rate& rate) : total_(total), rate_(rate) {}

  void advance(int64_t units) { done_ += units; }  // by workers as they learn, also within pieces
  void set(int64_t done) { done_ = done; }

  int64_t done() const { return done_; }
  int64_t total() const { return total_; }
  double rate() const {
    const double left = 1 - static_cast<double>(done_) / static_cast<double>(total_);
    return std::max(rate_.end, rate_.start * left);
  }

 private:
  alignas(64) std::atomic<int64_t> done_{0};  // all threads write it: a cache line of its own
  int64_t total_;
  Rate rate_;
};

struct Mean {
  double sum = 0;
  double count = 0;

  double value() const { return count > 0 ? sum / count : 0; }  // 0 if empty
  Mean& operator+=(const Mean& other) {
    sum += other.sum;
    count += other.count;
    return *this;
  }
};

// Sums over training: the loss, and the means in the task's log.
struct Sums {
  Mean loss;                // shown in the progress line, and used to detect divergence
  std::vector<Mean> means;  // named by TaskDescription::means; or empty

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

// The division of work among threads.
enum class Parallel {
  kPieces,  // each takes pieces of its own; all change the parameters (kernels/hogwild.h)
  kStep,    // all work on one piece, one optimizer step at a time (optim/step_rows.h), so that
            // the result is the same for any number of threads
};

// Learns from pieces. A worker has copies of rows and the state of the adversary's turns. Workers
// live for an epoch; the single worker of kStep lives for the run.
class Worker {
 public:
  virtual ~Worker() = default;

  // Learns from a piece at clock.rate(), and advances the clock by the piece's units. `random` is
  // the piece's own stream. Returns the sums of the piece. Throws Diverged.
  virtual Sums learn(const Piece& piece, Random& random, Clock& clock) = 0;

  // Save and restore state, besides the task's, that later pieces depend on; called between pieces.
  virtual void save(CheckpointWriter& /*file*/) const {}
  virtual void load(CheckpointReader& /*file*/) {}
};

// The quality of the parameters.
struct Evaluation {
  double score;                 // decides on the best copy and on patience
  std::vector<double> columns;  // for the log, named by TaskDescription::evaluation
  double weight = 1;            // weight in the mean over processes
};

class Task {
 public:
  virtual ~Task() = default;

  // The number of pieces in an epoch, and of their units (tokens, pairs, triples), both above 0.
  virtual int64_t pieces() const = 0;
  virtual int64_t units() const = 0;

  // Called before the first piece of an epoch, and again if a run is resumed within it. Its effect,
  // such as an order of the pairs, must depend only on the number and on what load() has read.
  virtual void begin_epoch(int64_t /*epoch*/) {}

  virtual Parallel parallel() const = 0;

  // With kStep there is only one, of thread 0.
  virtual std::unique_ptr<Worker> make_worker(int thread, int64_t epoch) = 0;

  // All matrices that training changes, in the same order each time.
  virtual std::vector<Parameter> parameters() = 0;

  // Save and restore other state that training changes; called between pieces.
  virtual void save(CheckpointWriter& /*file*/) const {}
  virtual void load(CheckpointReader& /*file*/) {}

  // The mean loss before training. None: the loss of the first piece is used.
  virtual std::optional<double> start_loss() { return std::nullopt; }

  // Called while all threads wait, according to RunSettings::evaluate_every and at the end. None if
  // there is no data to evaluate on.
  virtual std::optional<Evaluation> evaluate() { return std::nullopt; }

  // About how many bytes the task will take beyond those that it has when its workers have been
  // made: for evaluation, and for what grows with the data that it meets. Rows of parameters() that
  // nothing has been written to are counted elsewhere.
  virtual int64_t later_bytes() const { return 0; }

  // Writes the vectors to `path`, for -save-every. With kPieces other threads continue training.
  virtual void write_snapshot(const std::string& path) const = 0;
};

// Base of tasks whose pieces are optimizer steps, by a team of threads on the epoch's next items.
class StepTask : public Task {
 public:
  int64_t pieces() const final { return (items() + batch() - 1) / batch(); }
  Parallel parallel() const final { return Parallel::kStep; }
  std::unique_ptr<Worker> make_worker(int /*thread*/, int64_t /*epoch*/) final {
    return std::make_unique<StepWorker>(*this);
  }

 protected:
  // The number of items in an epoch, and the most in a step.
  virtual int64_t items() const { return units(); }
  virtual int64_t batch() const = 0;

  // The first item of a step, 0 .. pieces(); items() for pieces().
  virtual int64_t first_of(int64_t piece) const { return std::min(items(), piece * batch()); }

  // Takes step piece.step + 1 of the run on items first .. last − 1; see Worker::learn().
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

// The names of a task in messages and logs.
struct TaskDescription {
  std::string unit;           // "tokens": the unit of progress, and the log's first column
  std::string rate = "rate";  // name of the learning rate's column
  // The columns of Sums::means. Means with an empty name are accumulated but not logged.
  std::vector<std::string> means;
  std::string score;                                   // name of Evaluation::score, "held-out loss"
  bool higher_is_better = false;                       // applies to `score`
  std::vector<std::string> evaluation;                 // columns, "heldout_loss"
  std::string advice = "lower -rate or raise -batch";  // advice if training diverges
  // Divergence is detected by the mean loss over 1 % of the run, and at least this many units and
  // this part of an epoch.
  int64_t least_window = 1000;
  double least_epochs = 0;
};

}  // namespace acevec
