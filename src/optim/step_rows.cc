#include "optim/step_rows.h"

#include <numeric>

#include "kernels/hogwild.h"
#include "kernels/products.h"

namespace acevec {
namespace {

// Entries of places_ in a cache line: their rows share a bucket, so that one thread writes to it.
constexpr int64_t kLine = 16;

// The most rows after the first table that are few: relations, not the words of a second network.
constexpr int64_t kFew = 4096;

constexpr int32_t kAhead = 8;  // rows whose memory is prefetched

int64_t rows_of(const std::vector<StepRows::Table>& tables) {
  return std::accumulate(tables.begin(), tables.end(), int64_t{0},
                         [](int64_t sum, const auto& table) { return sum + table.matrix.rows(); });
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
      apart_(rows_of(tables_) - tables_.front().matrix.rows() > kFew ? 1 : kLine),
      counts_(static_cast<size_t>((most + kBlock - 1) / kBlock * kBuckets)),
      bucket_begins_(kBuckets + 1),
      bucket_segments_(kBuckets),
      bucket_gradients_(kBuckets),
      sorted_(static_cast<size_t>(most)),
      grouped_(static_cast<size_t>(most)),
      row_counts_(static_cast<size_t>(most)),
      places_(static_cast<size_t>(key(static_cast<int32_t>(rows_of(tables_)))), -1),
      segments_(static_cast<size_t>(most)),
      // A gradient per row, and per further segment of a row.
      gradients_((std::min(rows_of(tables_), most) + most / kSegment) * width_) {}

// A row's index in places_. Few rows after the first table are frequent: each has a cache line.
int64_t StepRows::key(int32_t row) const {
  const int64_t first = tables_.front().matrix.rows();
  return row < first ? row : padded(first) + (row - first) * apart_;
}

int64_t StepRows::bucket(int64_t key) {
  constexpr uint64_t kGolden = 0x9e3779b97f4a7c15;  // Knuth's multiplicative hashing
  return static_cast<int64_t>((static_cast<uint64_t>(key / kLine) * kGolden) >> 58);
}

void StepRows::group(const int32_t* rows, int64_t count, int64_t dense) {
  dense_ = dense;
  sort_into_buckets(rows, count);
  // A small step is grouped by this thread alone.
  const int64_t buckets_per_block = count < 4 * kBlock ? kBuckets : 4;
  in_blocks(threads_, kBuckets, buckets_per_block, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) group_bucket(b);
  });
  parts_.clear();
  int64_t next = dense;
  for (int64_t b = 0; b < kBuckets; ++b) {
    const auto begin = static_cast<int32_t>(bucket_begins_[static_cast<size_t>(b)]);
    const auto segments = static_cast<int32_t>(bucket_segments_[static_cast<size_t>(b)]);
    for (int32_t i = 0, some = 0; i < segments; i += some) {
      some = part_of(segments_.data() + begin + i, segments - i);
      parts_.push_back({begin + i, some, next});
    }
    next += bucket_gradients_[static_cast<size_t>(b)];
  }
}

// How many segments of a bucket a thread takes at once: many of rare rows, or few of frequent ones.
int32_t StepRows::part_of(const Segment* segments, int32_t count) {
  int32_t some = std::min(kPart, count);
  while (some > 1 && segments[some - 1].last - segments->first > kPartOccurrences) some /= 2;
  return some;
}

// A stable sort: keeps the order of occurrences in each bucket.
void StepRows::sort_into_buckets(const int32_t* rows, int64_t count) {
  const auto counts_of = [&](int64_t block) { return counts_.data() + block * kBuckets; };
  in_blocks(threads_, count, kBlock, [&](int64_t begin, int64_t end) {
    int32_t* const counts = counts_of(begin / kBlock);
    std::fill_n(counts, kBuckets, 0);
    for (int64_t i = begin; i < end; ++i) {
      if (rows[i] >= 0) ++counts[bucket(key(rows[i]))];
    }
  });
  int32_t next = 0;
  for (int64_t b = 0; b < kBuckets; ++b) {
    bucket_begins_[static_cast<size_t>(b)] = next;
    for (int64_t block = 0; block * kBlock < count; ++block) {
      const int32_t some = counts_of(block)[b];
      counts_of(block)[b] = next;
      next += some;
    }
  }
  bucket_begins_.back() = next;
  in_blocks(threads_, count, kBlock, [&](int64_t begin, int64_t end) {
    int32_t* const places = counts_of(begin / kBlock);
    for (int64_t i = begin; i < end; ++i) {
      if (rows[i] < 0) continue;
      const int32_t place = places[bucket(key(rows[i]))]++;
      sorted_[static_cast<size_t>(place)] = {rows[i], static_cast<int32_t>(i)};
    }
  });
}

// Makes the bucket's occurrences of each row contiguous, and divides them into segments.
void StepRows::group_bucket(int64_t bucket) {
  const auto begin = bucket_begins_[static_cast<size_t>(bucket)];
  const auto end = bucket_begins_[static_cast<size_t>(bucket) + 1];
  Count* const counts = row_counts_.data() + begin;
  int32_t rows = 0;
  for (int64_t i = begin; i < end; ++i) {
    const int32_t row = sorted_[static_cast<size_t>(i)].row;
    int32_t& place = places_[static_cast<size_t>(key(row))];
    if (place < 0) {
      place = rows;
      counts[rows++] = {row, 0, 0};
    }
    ++counts[place].count;
  }
  auto next = static_cast<int32_t>(begin);
  for (int32_t r = 0; r < rows; ++r) {
    counts[r].next = next;
    next += counts[r].count;
  }
  for (int64_t i = begin; i < end; ++i) {
    const Occurrence& one = sorted_[static_cast<size_t>(i)];
    const int32_t place = places_[static_cast<size_t>(key(one.row))];
    grouped_[static_cast<size_t>(counts[place].next++)] = one.number;
  }
  Segment* const segments = segments_.data() + begin;
  int32_t made = 0, gradients = 0;
  for (int32_t r = 0; r < rows; ++r) {
    const Count& row = counts[r];
    places_[static_cast<size_t>(key(row.row))] = -1;
    int32_t cuts = (row.count + kSegment - 1) / kSegment;
    for (int32_t first = row.next - row.count; first < row.next; first += kSegment, cuts = 0) {
      const int32_t number = grouped_[static_cast<size_t>(first)];
      segments[made++] = {row.row, first, std::min(first + kSegment, row.next), cuts,
                          number < dense_ ? -1 - number : gradients++};
    }
  }
  bucket_segments_[static_cast<size_t>(bucket)] = made;
  bucket_gradients_[static_cast<size_t>(bucket)] = gradients;
}

void StepRows::step(int64_t number, float rate, const Bound& bound) {
  settings_.rate = rate;
  for_each_piece(threads_, std::ssize(parts_), [&](int, int64_t index) {
    const Part& part = parts_[static_cast<size_t>(index)];
    const Segment* const segments = &segments_[static_cast<size_t>(part.segment)];
    int32_t next = 0;
    for (int32_t i = 0; i < part.count; ++i) {
      for (; next < std::min(i + kAhead, part.count); ++next) {
        prefetch(segments[next].row, gradient(segments[next], part.gradients));
      }
      const Segment* const segment = segments + i;
      if (segment->segments == 0) continue;
      float* const sum = gradient(*segment, part.gradients);
      for (int32_t k = 1; k < segment->segments; ++k) {
        add_scaled(gradient(segment[k], part.gradients), 1, width_, sum);
      }
      step_row(number, segment->row, bound, sum);
    }
  });
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
