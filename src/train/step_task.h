// Tasks whose piece is a step of the optimizer, which a team of threads shares: a batch of what an
// epoch consists of, in the order of the epoch.
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
  // What an epoch consists of, and how many of these a step has, at most.
  virtual int64_t items() const { return units(); }
  virtual int64_t batch() const = 0;

  // Takes step piece.step + 1 of the run, with items first .. last − 1; otherwise as
  // Worker::learn().
  virtual Sums learn(const Piece& piece, int64_t first, int64_t last, Random& random,
                     Clock& clock) = 0;

 private:
  class StepWorker final : public Worker {
   public:
    explicit StepWorker(StepTask& task) : task_(task) {}

    Sums learn(const Piece& piece, Random& random, Clock& clock) override {
      const int64_t first = piece.index * task_.batch();
      const int64_t last = std::min(first + task_.batch(), task_.items());
      return task_.learn(piece, first, last, random, clock);
    }

   private:
    StepTask& task_;
  };
};

}  // namespace acevec
