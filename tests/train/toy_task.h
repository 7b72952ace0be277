// A whole task, and all that one has to write: M_ij = sin(0.3 i) + 0.05 j, a matrix of rank 2, is
// learned as X·Yᵀ from its entries. A piece is a row of M.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "base/output_file.h"
#include "kernels/hogwild.h"
#include "train/task.h"

namespace acevec {

inline TaskDescription describe_toy() {
  TaskDescription description;
  description.unit = "entries";
  description.means = {"error"};
  description.score = "error";
  description.evaluation = {"error_of_all"};
  return description;
}

class ToyTask : public Task {
 public:
  static constexpr int32_t kRows = 40;

  std::function<void()> on_evaluate, at_piece;  // what a test does at these moments of a run

  explicit ToyTask(uint64_t seed) : x_(kRows, 2), y_(kRows, 2) {
    Random random(seed);
    for (Matrix* matrix : {&x_, &y_}) {
      for (int i = 0; i < 2 * kRows; ++i) matrix->row(i / 2)[i % 2] = random.uniform();
    }
  }
  int64_t pieces() const override { return kRows; }
  int64_t units() const override { return kRows * kRows; }
  Parallel parallel() const override { return Parallel::kPieces; }
  std::unique_ptr<Worker> make_worker(int, int64_t) override {
    return std::make_unique<ToyWorker>(*this);
  }
  std::vector<Parameter> parameters() override {
    return {{"x", &x_, Role::kResult}, {"y", &y_, Role::kResult}};
  }
  std::optional<Evaluation> evaluate() override {
    double sum = 0;
    for (int32_t i = 0; i < kRows * kRows; ++i) {
      sum += std::pow(error(x_.row(i / kRows), y_.row(i % kRows), i / kRows, i % kRows), 2);
    }
    if (on_evaluate) on_evaluate();
    return Evaluation{sum, {sum}};
  }
  void write_snapshot(const std::string& path) const override { OutputFile(path).commit(); }

 private:
  static double error(const float* x, const float* y, int32_t i, int32_t j) {
    return double{x[0] * y[0] + x[1] * y[1]} - std::sin(0.3 * i) - 0.05 * j;
  }
  struct ToyWorker : Worker {
    explicit ToyWorker(ToyTask& owner) : task(owner) {}
    Sums learn(const Piece& piece, Random& random, Clock& clock) override {
      if (task.at_piece) task.at_piece();
      const auto i = static_cast<int32_t>(piece.index);
      const int64_t width = task.x_.stride();
      AlignedFloats x(width), y(width), x_change(width), y_change(width);
      Mean loss;
      for (int32_t n = 0; n < kRows; ++n) {
        const auto j = static_cast<int32_t>(random.below(kRows));
        gather_rows(task.x_, &i, 1, x.data());
        gather_rows(task.y_, &j, 1, y.data());
        const double wrong = error(x.data(), y.data(), i, j);
        for (int k = 0; k < 2; ++k) {
          x_change.data()[k] = -static_cast<float>(clock.rate() * wrong) * y.data()[k];
          y_change.data()[k] = -static_cast<float>(clock.rate() * wrong) * x.data()[k];
        }
        scatter_add(task.x_, &i, 1, x_change.data(), 1);
        scatter_add(task.y_, &j, 1, y_change.data(), 1);
        loss += {0.5 * wrong * wrong, 1};
      }
      clock.advance(kRows);
      return {loss, {loss}};
    }
    ToyTask& task;
  };

  Matrix x_, y_;
};

}  // namespace acevec
