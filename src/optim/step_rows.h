// The rows that one step touches: gradients are summed per row, and each row takes one step.
// StepRows is for a team of threads, RowSteps for one thread of several that change a matrix.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

#include "base/parallel.h"
#include "math/aligned.h"
#include "math/matrix.h"
#include "optim/optimizer.h"

namespace acevec {

// A step has a list of occurrences: the head of the first triple, its tail, the first word of a
// sentence. Each belongs to a row and has a gradient for it. One thread adds all gradients of a
// row, in the order of occurrences, so that the result is identical for any number of threads, and
// no two threads write to a row.
//
// In each step group() the occurrences, accumulate() their gradients, then step(). Rows do not
// change before step(), and may be read.
class StepRows {
 public:
  // A matrix and its moments: see moments_for().
  struct Table {
    Matrix& matrix;
    Matrix& moments;
  };

  // Rows of all tables have the same width. Row i of the second table has the number rows of the
  // first + i, and so on. A step has at most `most` occurrences.
  StepRows(std::vector<Table> tables, const OptimizerSettings& settings, int64_t most, int threads);

  // Takes the row of each occurrence, or −1 to ignore one. The first `dense` of them must be
  // distinct rows, whose gradients start with the contents of dense().
  void group(const int32_t* rows, int64_t count, int64_t dense = 0);

  // Row i belongs to dense occurrence i; initially undefined. May be called before group().
  float* dense() { return gradients_.data(); }

  // Calls add(occurrence, gradient) for each occurrence except the dense ones, to add to
  // `gradient`, width() floats; calls are concurrent. Calls prefetch(occurrence) some calls
  // earlier, to prefetch the memory that add() will read.
  template <class Add, class Prefetch>
  void accumulate(const Add& add, const Prefetch& prefetch);
  template <class Add>
  void accumulate(const Add& add) {
    accumulate(add, [](int64_t) {});
  }

  // May modify the change of a row before it is added.
  using Bound = std::function<void(const float* row, float* change)>;

  // Sums up each row's gradient and takes step `number` ≥ 1 of the run.
  void step(int64_t number, float rate, const Bound& bound = nullptr);

  int64_t width() const { return width_; }

 private:
  // Some occurrences of one row: indices first .. last − 1 in grouped_. A frequent row has several
  // consecutive segments, so that threads can share it.
  struct Segment {
    int32_t row, first, last;
    int32_t segments;  // number of segments of the row; 0 except in its first
    int32_t gradient;  // index among the bucket's, or −1 − i for dense occurrence i
  };
  // Segments that a thread takes at once, and the start of their bucket's gradients.
  struct Part {
    int32_t segment, count;
    int64_t gradients;  // start of the bucket's gradients, in rows
  };
  struct Occurrence {
    int32_t row, number;
  };
  struct Count {
    int32_t row, count, next;
  };

  static constexpr int64_t kBuckets = 64;  // buckets of rows, each grouped by one thread
  static constexpr int64_t kBlock = 512;   // occurrences that a thread counts and moves at once
  static constexpr int32_t kSegment = 64;  // most occurrences in a segment
  static constexpr int32_t kPart = 48;     // most segments in a part
  static constexpr int32_t kPartOccurrences = 192;  // most in a part of several segments

  int64_t key(int32_t row) const;
  static int64_t bucket(int64_t key);
  void sort_into_buckets(const int32_t* rows, int64_t count);
  void group_bucket(int64_t bucket);
  static int32_t part_of(const Segment* segments, int32_t count);
  // The gradient of a segment; `first`: the start of its bucket's gradients, in rows.
  float* gradient(const Segment& segment, int64_t first) {
    const int64_t place = segment.gradient < 0 ? -1 - segment.gradient : first + segment.gradient;
    return gradients_.data() + place * width_;
  }
  // The table of a row; `row` becomes its number there.
  const Table& table_of(int32_t& row) const {
    const Table* table = tables_.data();
    for (; row >= table->matrix.rows(); ++table) row -= static_cast<int32_t>(table->matrix.rows());
    return *table;
  }
  void prefetch(int32_t row, const float* gradient) const;
  void step_row(int64_t number, int32_t row, const Bound& bound, float* gradient);

  std::vector<Table> tables_;
  OptimizerSettings settings_;
  int threads_;
  int64_t width_;
  int64_t apart_;  // see key()
  int64_t dense_ = 0;
  std::vector<int32_t> counts_;         // block × bucket: occurrences, then the next index
  std::vector<int64_t> bucket_begins_;  // starts in sorted_, grouped_ and segments_
  std::vector<int64_t> bucket_segments_, bucket_gradients_;  // numbers of each
  std::vector<Occurrence> sorted_;                           // occurrences by bucket
  std::vector<int32_t> grouped_;                             // numbers of occurrences, by row
  std::vector<Count> row_counts_;                            // counts of the rows of each bucket
  std::vector<int32_t> places_;  // index of each row in its bucket's counts; −1: none
  std::vector<Segment> segments_;
  std::vector<Part> parts_;
  AlignedFloats gradients_;  // gradients of dense occurrences, then of segments
};

template <class Add, class Prefetch>
void StepRows::accumulate(const Add& add, const Prefetch& prefetch) {
  constexpr int32_t kAhead = 8;  // occurrences
  for_each_piece(threads_, std::ssize(parts_), [&](int, int64_t index) {
    const Part& part = parts_[static_cast<size_t>(index)];
    int32_t next = segments_[static_cast<size_t>(part.segment)].first;
    const int32_t end = (segments_.data() + part.segment + part.count - 1)->last;
    for (int32_t i = 0; i < part.count; ++i) {
      const Segment& segment = *(segments_.data() + part.segment + i);
      float* const sum = gradient(segment, part.gradients);
      int32_t at = segment.first;
      if (segment.gradient < 0) {
        ++at;  // the dense one, whose gradient is already there
      } else {
        std::fill_n(sum, width_, 0.0F);
      }
      for (; at < segment.last; ++at) {
        for (; next < std::min(end, at + kAhead); ++next)
          prefetch(grouped_[static_cast<size_t>(next)]);
        add(grouped_[static_cast<size_t>(at)], sum);
      }
    }
  });
}

// Numbers the distinct ids of a step in order of occurrence: a hash table for the L1 cache.
class Places {
 public:
  // At most `most` distinct ids, from 0, at a time.
  explicit Places(int64_t most)
      : ids_(static_cast<size_t>(most)), slots_(slots_for(most), Slot{-1, 0}) {}

  // The id's place, from 0: assigned at its first occurrence since clear().
  int64_t place(int32_t id) {
    const size_t mask = slots_.size() - 1;
    for (size_t at = home(id);; ++at) {
      Slot& slot = slots_[at & mask];
      if (slot.id == id) return slot.place;
      if (slot.id >= 0) continue;
      slot = {id, static_cast<int32_t>(count_)};
      ids_[static_cast<size_t>(count_)] = id;
      return count_++;
    }
  }

  const int32_t* ids() const { return ids_.data(); }  // ids by place
  int64_t count() const { return count_; }

  void clear() {
    count_ = 0;
    std::memset(slots_.data(), 0xff, slots_.size() * sizeof(Slot));  // ids of −1
  }

 private:
  struct Slot {
    int32_t id;  // −1: none
    int32_t place;
  };

  static size_t home(int32_t id) {
    constexpr uint64_t kGolden = 0x9e3779b97f4a7c15;  // Knuth's multiplicative hashing
    return (static_cast<uint64_t>(id) * kGolden) >> 32;
  }

  // Enough slots that collisions are rare.
  static size_t slots_for(int64_t most) { return std::bit_ceil(3 * static_cast<size_t>(most)); }

  std::vector<int32_t> ids_;
  int64_t count_ = 0;
  std::vector<Slot> slots_;
};

// A frequent word's row may occur in a block many times. Its gradients are all computed from one
// stale copy, so separate steps would overshoot, and so would Adam's moments. Their sum takes one
// step, bounded by `max_step`.
//
// One object per thread.
class RowSteps {
 public:
  // `moments` belongs to `matrix` and the settings: see Optimizer. A block has at most `most`
  // occurrences of rows, and no step is longer than `max_step`.
  RowSteps(Matrix& matrix, Matrix& moments, const OptimizerSettings& settings, int64_t most,
           float max_step);

  // Takes a step of the rows ids[i], i < count. `gradients`: of each occurrence, as wide as padded
  // rows; overwritten. `values`: copies of the rows for weight decay, reordered; null without it.
  void take(const int32_t* ids, int64_t count, float* gradients, float* values = nullptr);

  // Prefetches the moments of rows whose step is next.
  void prefetch(const int32_t* ids, int64_t count) const { optimizer_.prefetch(ids, count); }

  void set_rate(float rate) { optimizer_.set_rate(rate); }

 private:
  Matrix& matrix_;
  Optimizer optimizer_;
  float max_step_;
  std::vector<int32_t> ids_;
  Places places_;
};

}  // namespace acevec
