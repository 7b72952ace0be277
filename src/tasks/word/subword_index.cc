#include "tasks/word/subword_index.h"

#include <tsl/robin_map.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"

namespace acevec {

SubwordIndex::SubwordIndex(const Vocabulary& vocabulary, const SubwordShape& shape) {
  first_.reserve(static_cast<size_t>(vocabulary.size()) + 1);
  for (int32_t word = 0; word < vocabulary.size(); ++word) {
    first_.push_back(rows_.size());
    rows_.push_back(word);
    append_subwords(vocabulary.word(word), shape, rows_);  // buckets, rows later
  }
  first_.push_back(rows_.size());
  choose_rows(vocabulary);
  share_out();
}

// Gives each bucket that is used a row, and puts the rows in the buckets' places.
void SubwordIndex::choose_rows(const Vocabulary& vocabulary) {
  tsl::robin_map<int32_t, int64_t> uses;  // in the text
  for (int32_t word = 0; word < vocabulary.size(); ++word) {
    for (const int32_t bucket : rows_of(word).subspan(1)) uses[bucket] += vocabulary.count(word);
  }
  std::vector<std::pair<int32_t, int64_t>> buckets(uses.begin(), uses.end());
  std::ranges::sort(buckets, {}, [](const auto& bucket) {
    return std::pair(-bucket.second, bucket.first);  // the most used first
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

// With n rows in a word's mean, of which row g is there m_g times and weighs a_g = 1/√(words that
// have g): shares of a_g · n / Σ_g m_g² a_g.
void SubwordIndex::share_out() {
  std::vector<double> weights(static_cast<size_t>(rows()), 0.0);
  for (const int32_t row : rows_) weights[static_cast<size_t>(row)] += 1;
  for (double& weight : weights) weight = 1 / std::sqrt(weight);
  shares_.resize(rows_.size());
  std::vector<int32_t> sorted;
  for (int64_t word = 0; word < words(); ++word) {
    const std::span<const int32_t> rows = rows_of(word);
    sorted.assign(rows.begin(), rows.end());
    std::sort(sorted.begin(), sorted.end());
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

}  // namespace acevec
