// A memory of a thread's most recent sentences, with the vectors that they had then.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/checkpoint_file.h"
#include "base/error.h"
#include "math/aligned.h"

namespace acevec {

class RecentSentences {
 public:
  // Remembers `most` of them (0: none) behind a batch of up to `batch`; vectors of `width` floats.
  RecentSentences(int64_t batch, int64_t most, int64_t width)
      : batch_(batch),
        most_(most),
        width_(width),
        vectors_(most > 0 ? (batch + most) * width : 0) {}

  static int64_t bytes(int64_t batch, int64_t most, int64_t width) {
    return most > 0 ? (batch + most) * width * static_cast<int64_t>(sizeof(float)) + 8 * most : 0;
  }

  int64_t count() const { return static_cast<int64_t>(ids_.size()); }
  int64_t id(int64_t i) const { return ids_[static_cast<size_t>(i)]; }

  // The rows of a batch, and those that are remembered behind them; valid until the next call.
  const float* behind(const float* rows, int64_t count) {
    float* const begin = vectors_.data() + (batch_ - count) * width_;
    std::copy_n(rows, count * width_, begin);
    return begin;
  }

  // Sentence `id` takes the place of the oldest where there is no room left.
  void add(int64_t id, const float* vector) {
    if (most_ == 0) return;
    if (count() < most_) ids_.push_back(id);
    ids_[static_cast<size_t>(next_)] = id;
    std::copy_n(vector, width_, vectors_.data() + (batch_ + next_) * width_);
    next_ = (next_ + 1) % most_;
  }

  void save(CheckpointWriter& file) const {
    const float* const begin = vectors_.data() + (most_ > 0 ? batch_ * width_ : 0);
    file.put("recent sentences", ids_);
    file.put("their vectors", std::vector<float>(begin, begin + count() * width_));
    file.put("the oldest", next_);
  }
  void load(CheckpointReader& file) {
    std::vector<float> vectors;
    file.get("recent sentences", ids_);
    file.get("their vectors", vectors);
    file.get("the oldest", next_);
    const bool fits = count() <= most_ && next_ >= 0 && next_ < std::max<int64_t>(most_, 1) &&
                      std::ssize(vectors) == count() * width_;
    if (!fits) throw Error(file.path() + " is from another run; give its own checkpoint");
    if (count() > 0) std::copy(vectors.begin(), vectors.end(), vectors_.data() + batch_ * width_);
  }

 private:
  int64_t batch_, most_, width_;
  AlignedFloats vectors_;  // room for a batch, then those remembered
  std::vector<int64_t> ids_;
  int64_t next_ = 0;
};

}  // namespace acevec
