// Base of tasks whose pieces are steps of the optimizer: each takes the next items of the epoch,
// and a team of threads shares its work.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "train/task.h"

namespace acevec {

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

}  // namespace acevec
