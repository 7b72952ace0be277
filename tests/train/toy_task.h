// A whole task, and all that one has to write: a matrix M of rank 2 is learned as X·Yᵀ from its
// entries. A piece is a row of M.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "base/output_file.h"
#include "math/hogwild.h"
#include "train/task.h"

namespace acevec {

inline constexpr int32_t kToyRows = 40, kToyRank = 2;

inline float toy_entry(int32_t i, int32_t j) {  // of M
  return std::sin(0.3F * static_cast<float>(i)) + 0.05F * static_cast<float>(j);
}

class ToyTask : public Task {
 public:
  explicit ToyTask(uint64_t seed) : x_(kToyRows, kToyRank), y_(kToyRows, kToyRank) {
    Random random(seed);
    for (int64_t i = 0; i < kToyRows * x_.stride(); ++i) {
      if (i % x_.stride() >= kToyRank) continue;
      x_.row(0)[i] = random.uniform();
      y_.row(0)[i] = random.uniform();
    }
  }
  int64_t pieces() const override { return kToyRows; }
  int64_t units() const override { return kToyRows * kToyRows; }
  std::unique_ptr<Worker> make_worker(int, int64_t) override {
    return std::make_unique<ToyWorker>(*this);
  }
  std::vector<Parameter> parameters() override {
    return {{"x", &x_, Role::kResult}, {"y", &y_, Role::kResult}};
  }
  std::optional<Evaluation> evaluate() override {
    double error = 0;
    for (int32_t i = 0; i < kToyRows; ++i) {
      for (int32_t j = 0; j < kToyRows; ++j) {
        error += std::pow(dot(x_.row(i), y_.row(j)) - toy_entry(i, j), 2) / (kToyRows * kToyRows);
      }
    }
    return Evaluation{error, {error}};
  }
  void write_snapshot(const std::string& path) const override {
    OutputFile file(path);
    file.write("snapshot\n");
    file.commit();
  }

 private:
  static float dot(const float* x, const float* y) { return x[0] * y[0] + x[1] * y[1]; }

  struct ToyWorker : Worker {
    explicit ToyWorker(ToyTask& owner) : task(owner) {}

    Sums learn(const Piece& piece, Random& random, Clock& clock) override {
      const auto i = static_cast<int32_t>(piece.index);
      const auto width = static_cast<size_t>(task.x_.stride());
      AlignedFloats rows(static_cast<int64_t>(4 * width));
      float *x = rows.data(), *y = x + width, *x_change = y + width, *y_change = x_change + width;
      Mean loss;
      for (int32_t n = 0; n < kToyRows; ++n) {
        const auto j = static_cast<int32_t>(random.below(kToyRows));
        gather_rows(task.x_, &i, 1, x);
        gather_rows(task.y_, &j, 1, y);
        const float error = dot(x, y) - toy_entry(i, j);
        const float step = -static_cast<float>(clock.rate()) * error;
        for (int k = 0; k < kToyRank; ++k) x_change[k] = step * y[k], y_change[k] = step * x[k];
        add_rows(task.x_, &i, 1, x_change, 1);
        add_rows(task.y_, &j, 1, y_change, 1);
        loss += {0.5 * double{error} * double{error}, 1};
      }
      clock.advance(kToyRows);
      return {loss, {loss}};
    }
    ToyTask& task;
  };

  Matrix x_, y_;
};

}  // namespace acevec
