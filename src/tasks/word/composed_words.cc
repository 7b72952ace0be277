#include "tasks/word/composed_words.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"
#include "kernels/hogwild.h"
#include "math/aligned.h"
#include "optim/step_rows.h"

namespace acevec {
namespace {

void mean_of(const Matrix& rows, std::span<const int32_t> ids, float* mean) {
  mean_of_rows(rows, ids.data(), std::ssize(ids), mean);
}

void make_room(Matrix& matrix, int64_t rows) {
  if (matrix.rows() < rows) matrix.resize(rows);
}

}  // namespace

SubwordIndex::SubwordIndex(const Vocabulary& vocabulary, const SubwordShape& shape) {
  for (int32_t word = 0; word < vocabulary.size(); ++word) {
    first_.push_back(rows_.size());
    rows_.push_back(word);
    append_subwords(vocabulary.word(word), shape, rows_);  // buckets, not yet rows
  }
  first_.push_back(rows_.size());
  choose_rows(vocabulary);
  compute_shares();
}

// Gives each used bucket a row, and replaces buckets by rows.
void SubwordIndex::choose_rows(const Vocabulary& vocabulary) {
  tsl::robin_map<int32_t, int64_t> uses;  // occurrences in the text
  for (int32_t word = 0; word < vocabulary.size(); ++word) {
    for (const int32_t bucket : rows_of(word).subspan(1)) uses[bucket] += vocabulary.count(word);
  }
  std::vector<std::pair<int32_t, int64_t>> buckets(uses.begin(), uses.end());
  std::ranges::sort(buckets, {}, [](const auto& bucket) {
    return std::pair(-bucket.second, bucket.first);  // most used first
  });
  if (words() + std::ssize(buckets) > std::numeric_limits<int32_t>::max()) {
    throw Error("words and n-grams are more than 2^31 in all; lower -bucket or -max-vocab");
  }
  row_of_bucket_.reserve(buckets.size());
  for (const auto& bucket : buckets) {
    row_of_bucket_.emplace(bucket.first, static_cast<int32_t>(rows()));
  }
  for (int64_t word = 0; word < words(); ++word) {
    for (size_t at = begin_of(word) + 1; at < begin_of(word + 1); ++at) {
      rows_[at] = row_of_bucket_.at(rows_[at]);
    }
  }
}

// If a word's mean is over n rows, where row g occurs m_g times and has weight
// a_g = 1/√(occurrences of g in words), the shares are a_g · n / Σ_g m_g² a_g.
void SubwordIndex::compute_shares() {
  std::vector<double> weights(static_cast<size_t>(rows()), 0.0);
  for (const int32_t row : rows_) weights[static_cast<size_t>(row)] += 1;
  for (double& weight : weights) weight = 1 / std::sqrt(weight);
  shares_.resize(rows_.size());
  std::vector<int32_t> sorted;
  for (int64_t word = 0; word < words(); ++word) {
    const std::span<const int32_t> rows = rows_of(word);
    sorted.assign(rows.begin(), rows.end());
    std::ranges::sort(sorted);
    double sum = 0;
    for (auto row = sorted.begin(); row != sorted.end();) {
      const auto next = std::upper_bound(row, sorted.end(), *row);
      const auto times = static_cast<double>(next - row);
      sum += times * times * weights[static_cast<size_t>(*row)];
      row = next;
    }
    const double scale = static_cast<double>(rows.size()) / sum;
    for (size_t i = 0; i < rows.size(); ++i) {
      shares_[begin_of(word) + i] =
          static_cast<float>(weights[static_cast<size_t>(rows[i])] * scale);
    }
  }
}

int64_t SubwordIndex::row_of_bucket(int64_t bucket) const {
  const auto found = row_of_bucket_.find(static_cast<int32_t>(bucket));
  return found == row_of_bucket_.end() ? -1 : found->second;
}

ComposedWords::ComposedWords(const SubwordIndex& index, Matrix& rows, Matrix& moments)
    : index_(index),
      rows_(rows),
      moments_(moments),
      start_(0, rows.columns()),
      composed_(0, rows.columns()),
      moments_of_composed_(0, std::max<int64_t>(moments.columns(), 1)) {}

void ComposedWords::compose(Sequence& sequence, int64_t begin, int64_t end) {
  Places places(end - begin);
  times_.assign(static_cast<size_t>(end - begin), 0);
  sequence.rows.resize(sequence.ids.size());
  for (int64_t i = begin; i < end; ++i) {
    const int64_t place = places.place(sequence.ids[static_cast<size_t>(i)]);
    ++times_[static_cast<size_t>(place)];
    sequence.rows[static_cast<size_t>(i)] = static_cast<int32_t>(place);
  }
  const int64_t count = places.count();
  words_.assign(places.ids(), places.ids() + count);
  make_room(start_, count);
  make_room(composed_, count);
  for (int64_t i = 0; i < count; ++i) mean_of(rows_, rows_of(i), start_.row(i));
  std::copy_n(start_.row(0), count * start_.stride(), composed_.row(0));
  if (moments_.rows() == 0) return;
  make_room(moments_of_composed_, count);
  gather_rows(moments_, words_.data(), count, moments_of_composed_.row(0));
}

void ComposedWords::distribute_changes() {
  constexpr float kKappa = 20;
  const int64_t count = std::ssize(words_);
  for (int64_t i = 0; i < count; ++i) {
    const auto times = static_cast<float>(times_[static_cast<size_t>(i)]);
    const float weight = times / (times + kKappa);
    // t − (1 − weight) · c; move_mean() subtracts weight · m.
    const float* const start = start_.row(i);
    float* const target = composed_.row(i);
    for (int64_t k = 0; k < rows_.stride(); ++k) target[k] -= (1 - weight) * start[k];
    const std::span<const int32_t> rows = rows_of(i);
    move_mean(rows_, rows.data(), index_.shares_of(words_[static_cast<size_t>(i)]),
              std::ssize(rows), target, weight);
  }
  if (moments_.rows() > 0) {
    write_rows(moments_, words_.data(), count, moments_of_composed_.row(0));
  }
}

Matrix compose_all(const SubwordIndex& index, const Matrix& rows) {
  Matrix composed(index.words(), rows.columns());
  for (int64_t word = 0; word < index.words(); ++word) {
    mean_of(rows, index.rows_of(word), composed.row(word));
  }
  return composed;
}

void decompose(const SubwordIndex& index, const std::vector<int32_t>& words, Matrix& rows) {
  constexpr int kRounds = 3;  // more rounds hardly change n-grams
  Matrix wanted(std::ssize(words), rows.columns());
  gather_rows(rows, words.data(), std::ssize(words), wanted.row(0));
  for (int round = 0; round < kRounds; ++round) {
    for (int64_t i = 0; i < wanted.rows(); ++i) {
      const int32_t word = words[static_cast<size_t>(i)];
      const std::span<const int32_t> parts = index.rows_of(word);
      move_mean(rows, parts.data(), index.shares_of(word), std::ssize(parts), wanted.row(i), 1.0F);
    }
  }
  // The word's own row compensates for later moves by other words.
  AlignedFloats mean(rows.stride());
  for (int64_t i = 0; i < wanted.rows(); ++i) {
    const std::span<const int32_t> parts = index.rows_of(words[static_cast<size_t>(i)]);
    mean_of(rows, parts, mean.data());
    float* const own = rows.row(parts[0]);
    for (int64_t k = 0; k < rows.columns(); ++k) {
      own[k] += static_cast<float>(parts.size()) * (wanted.row(i)[k] - mean.data()[k]);
    }
  }
}

}  // namespace acevec
