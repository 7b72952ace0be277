// A small model of fastText, for the tests of its writer and of its reader.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "base/output_file.h"
#include "vectors/fasttext.h"

namespace acevec {

inline FastTextTraining training_with(const SubwordShape& shape) {
  return {5, 5, 1, 5, false, 1e-3, shape};
}
inline constexpr SubwordShape kShape{3, 6, 500};
inline constexpr int64_t kColumns = 7;

inline Vocabulary small_vocabulary() {
  return Vocabulary({{"wolf", 40}, {"naïve", 30}, {"\xe6\x97\xa5\xe6\x9c\xac", 20}, {"a", 10}}, 1,
                    0);
}

// Numbers of which no two rows are alike, below 0.5.
inline Matrix filled(int64_t rows, double salt) {
  Matrix matrix(rows, kColumns);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t k = 0; k < kColumns; ++k) {
      const double x = (static_cast<double>(i * kColumns + k) + salt) * 0.6180339887;
      matrix.row(i)[k] = static_cast<float>(x - std::floor(x) - 0.5);
    }
  }
  return matrix;
}

// The mean of a word's own row, if it has one, and its n-grams'.
inline std::vector<double> mean_of(const std::string& word, const float* own,
                                   const SubwordShape& shape, const Matrix& buckets) {
  std::vector<int32_t> ngrams;
  append_subwords(word, shape, ngrams);
  std::vector<double> sum(kColumns);
  const auto add = [&](const float* row) {
    for (size_t k = 0; k < sum.size(); ++k) sum[k] += static_cast<double>(row[k]);
  };
  if (own != nullptr) add(own);
  for (const int32_t ngram : ngrams) add(buckets.row(ngram));
  for (double& x : sum) x /= static_cast<double>(ngrams.size() + (own != nullptr ? 1 : 0));
  return sum;
}

inline void write_small_model(const std::string& path, const SubwordShape& shape, const Matrix& own,
                              const Matrix& buckets) {
  OutputFile file(path);
  write_fasttext_model(
      small_vocabulary(), training_with(shape), own,
      [&](int64_t bucket) { return buckets.row(bucket); }, filled(4, 0.7), file);
  file.commit();
}

}  // namespace acevec
