#include "optim/step_rows.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "kernels/hogwild.h"
#include "kernels/products.h"

namespace acevec {
namespace {

constexpr int32_t kAhead = 8;  // rows whose memory is prefetched

int64_t rows_of(const std::vector<StepRows::Table>& tables) {
  return std::accumulate(tables.begin(), tables.end(), int64_t{0},
                         [](int64_t sum, const auto& table) { return sum + table.matrix.rows(); });
}

// The most gradients of a step with `most` occurrences: one per row, and one per further segment of
// frequent rows.
int64_t most_gradients(int64_t rows, int64_t most, int64_t segment) {
  return std::min(rows, most) + most / segment;
}

// Sums up the gradients of each row at the row's place. Overwrites `ids`.
void merge_rows(int32_t* ids, int64_t count, int64_t width, float* gradients, float* values,
                Places& places) {
  for (int64_t i = 0; i < count;) {
    const int64_t place = places.place(ids[i]);
    if (place == i) {  // first occurrence; no place before i is free
      ++i;
      continue;
    }
    add_scaled(gradients + i * width, 1, width, gradients + place * width);
    // The last occurrence fills the gap.
    --count;
    ids[i] = ids[count];
    std::copy_n(gradients + count * width, width, gradients + i * width);
    if (values != nullptr) std::copy_n(values + count * width, width, values + i * width);
  }
}

}  // namespace

StepRows::StepRows(std::vector<Table> tables, const OptimizerSettings& settings, int64_t most,
                   int threads)
    : tables_(std::move(tables)),
      settings_(settings),
      threads_(threads),
      width_(tables_.front().matrix.stride()),
      gradients_(most_gradients(rows_of(tables_), most, kSegment) * width_) {}

void StepRows::group(const int32_t* rows, int64_t count, int64_t dense) {
  dense_ = dense;
  sort(rows, count);
  segments_.clear();
  auto gradients = static_cast<int32_t>(dense);
  const auto all = static_cast<int32_t>(sorted_.size());
  for (int32_t first = 0, end = 0; first < all; first = end) {
    const auto [row, number] = sorted_[static_cast<size_t>(first)];
    for (end = first; end < all && sorted_[static_cast<size_t>(end)].row == row;) ++end;
    int32_t cuts = (end - first + kSegment - 1) / kSegment;
    for (int32_t at = first; at < end; at += kSegment, cuts = 0) {
      const bool is_dense = at == first && number < dense;
      segments_.push_back(
          {row, at, std::min(at + kSegment, end), cuts, is_dense ? number : gradients++});
    }
  }
  parts_.clear();
  for (int32_t i = 0, some = 0; i < static_cast<int32_t>(segments_.size()); i += some) {
    some = part_of(segments_.data() + i, static_cast<int32_t>(segments_.size()) - i);
    parts_.push_back({i, some});
  }
}

// Sorts the occurrences of rows by row, those of a row in their order: by each digit of the rows'
// numbers, the lowest first.
void StepRows::sort(const int32_t* rows, int64_t count) {
  constexpr int kBits = 8;  // of a digit
  sorted_.clear();
  int32_t largest = 0;
  for (int32_t i = 0; i < count; ++i) {
    if (rows[i] < 0) continue;
    sorted_.push_back({rows[i], i});
    largest = std::max(largest, rows[i]);
  }
  moved_.resize(sorted_.size());
  for (int shift = 0; largest >> shift > 0; shift += kBits) {
    std::array<size_t, 1 << kBits> places{};
    const auto place = [&](const Occurrence& one) -> size_t& {
      return places[static_cast<size_t>(one.row >> shift) % places.size()];
    };
    for (const Occurrence& one : sorted_) ++place(one);
    std::exclusive_scan(places.begin(), places.end(), places.begin(), size_t{0});
    for (const Occurrence& one : sorted_) moved_[place(one)++] = one;
    sorted_.swap(moved_);
  }
}

// The number of segments that a thread takes at once: many of rare rows, or a few of frequent ones.
int32_t StepRows::part_of(const Segment* segments, int32_t count) {
  int32_t some = std::min(kPart, count);
  while (some > 1 && segments[some - 1].last - segments->first > kPartOccurrences) some /= 2;
  return some;
}

void StepRows::step(int64_t number, float rate, const Bound& bound) {
  settings_.rate = rate;
  for_each_piece(threads_, std::ssize(parts_), [&](int, int64_t index) {
    const Part& part = parts_[static_cast<size_t>(index)];
    const Segment* const segments = &segments_[static_cast<size_t>(part.segment)];
    int32_t next = 0;
    for (int32_t i = 0; i < part.count; ++i) {
      for (; next < std::min(i + kAhead, part.count); ++next) {
        prefetch(segments[next].row, gradient(segments[next]));
      }
      const Segment* const segment = segments + i;
      if (segment->segments == 0) continue;
      float* const sum = gradient(*segment);
      for (int32_t k = 1; k < segment->segments; ++k) {
        add_scaled(gradient(segment[k]), 1, width_, sum);
      }
      step_row(number, segment->row, bound, sum);
    }
  });
}

// The table of a row; `row` becomes its number there.
const StepRows::Table& StepRows::table_of(int32_t& row) const {
  const Table* table = tables_.data();
  for (; row >= table->matrix.rows(); ++table) row -= static_cast<int32_t>(table->matrix.rows());
  return *table;
}

// Prefetches the memory that step_row() will touch.
void StepRows::prefetch(int32_t row, const float* gradient) const {
  const Table& table = table_of(row);
  prefetch_rows(table.matrix, &row, 1);
  if (settings_.kind != OptimizerKind::kSgd) prefetch_rows(table.moments, &row, 1);
  for (int64_t k = 0; k < width_; k += kRowPadding) __builtin_prefetch(gradient + k);
}

void StepRows::step_row(int64_t number, int32_t row, const Bound& bound, float* gradient) {
  const Table& table = table_of(row);
  float* const values = table.matrix.row(row);
  take_row_step(settings_, number, table.moments, row, width_, values, gradient);
  if (bound) bound(values, gradient);
  add_scaled(gradient, 1, width_, values);
}

RowSteps::RowSteps(Matrix& matrix, Matrix& moments, const OptimizerSettings& settings, int64_t most,
                   float max_step)
    : matrix_(matrix),
      optimizer_(settings, moments, matrix.stride(), most),
      max_step_(max_step),
      places_(most) {}

void RowSteps::take(const int32_t* ids, int64_t count, float* gradients, float* values) {
  ids_.assign(ids, ids + count);
  places_.clear();
  merge_rows(ids_.data(), count, matrix_.stride(), gradients, values, places_);
  optimizer_.changes(places_.ids(), places_.count(), values, gradients);
  scatter_add(matrix_, places_.ids(), places_.count(), gradients, max_step_);
}

}  // namespace acevec
