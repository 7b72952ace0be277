// The start by counts is the factorization that it says, of the counts that a plain loop finds.

#include "tasks/word/count_start.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "tasks/word/topic_training.h"
#include "text/token_store.h"

namespace acevec::count_start_test {
namespace {

constexpr int64_t kWindow = 3;
constexpr float kMark = 7;  // what rows hold before

using Table = std::vector<std::vector<double>>;

SkipGramSettings settings_of(int64_t size, int threads) {
  SkipGramSettings settings;
  settings.size = size;
  settings.window = kWindow;
  settings.sample = 0;
  settings.threads = threads;
  return settings;
}

Matrix marked(int64_t rows, int64_t columns) {
  Matrix matrix(rows, columns);
  for (int64_t i = 0; i < rows; ++i) std::fill_n(matrix.row(i), columns, kMark);
  return matrix;
}

// M, less the mean of its rows.
Table centred_counts(const Corpus& corpus) {
  const auto words = static_cast<size_t>(corpus.vocabulary().size());
  Table m(words, std::vector<double>(words));
  std::vector<double> totals(words);
  std::vector<int32_t> ids;
  for (int64_t chunk = 0; chunk < corpus.chunks(); ++chunk) {
    corpus.read(chunk, ids);
    for (size_t i = 0; i < ids.size(); ++i) {
      for (size_t j = i + 1; j <= i + kWindow && j < ids.size() && ids[j] != kLineEnd; ++j) {
        if (ids[i] == kLineEnd) break;
        const double weight = 15.0 * static_cast<double>(kWindow + 1 - (j - i)) / kWindow;
        const auto x = static_cast<size_t>(ids[i]), y = static_cast<size_t>(ids[j]);
        m[x][y] += weight;
        m[y][x] += weight;
        totals[x] += weight;
        totals[y] += weight;
      }
    }
  }
  std::vector<double> mean(words);
  for (size_t x = 0; x < words; ++x) {
    for (size_t y = 0; y < words; ++y) {
      m[x][y] = std::sqrt(m[x][y] / std::sqrt(totals[x] * totals[y]));
      mean[y] += m[x][y] / static_cast<double>(words);
    }
  }
  for (std::vector<double>& row : m) {
    for (size_t y = 0; y < words; ++y) row[y] -= mean[y];
  }
  return m;
}

Table products(const Table& a) {
  Table result(a.size(), std::vector<double>(a.size()));
  for (size_t i = 0; i < a.size(); ++i) {
    for (size_t j = 0; j < a.size(); ++j) {
      for (size_t k = 0; k < a[i].size(); ++k) result[i][j] += a[i][k] * a[j][k];
    }
  }
  return result;
}

Table table_of(const Matrix& matrix) {
  Table rows;
  for (int64_t i = 0; i < matrix.rows(); ++i) {
    rows.emplace_back(matrix.row(i), matrix.row(i) + matrix.columns());
  }
  return rows;
}

double trace(const Table& square) {
  double sum = 0;
  for (size_t i = 0; i < square.size(); ++i) sum += square[i][i];
  return sum;
}

}  // namespace

TEST_CASE("with all singular values, words start as U times the root of S") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, topic_text());
  const int64_t words = corpus.vocabulary().size();
  Matrix start(words, words);
  CHECK(start_from_counts(corpus, settings_of(words, 1), start) > 0);
  const Table square = products(table_of(start));  // U S Uᵀ, up to its scale
  CHECK(trace(square) == doctest::Approx(static_cast<double>(words)).epsilon(1e-4));
  const Table found = products(square), wanted = products(centred_counts(corpus));  // U S² Uᵀ
  const double scale = trace(wanted) / trace(found),
               mean = trace(wanted) / static_cast<double>(words);
  for (size_t i = 0; i < found.size(); ++i) {
    for (size_t j = 0; j < found.size(); ++j) {
      CHECK(std::abs(scale * found[i][j] - wanted[i][j]) < 1e-3 * mean);
    }
  }
}

TEST_CASE("few directions tell topics apart") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, topic_text());
  Matrix start(corpus.vocabulary().size(), 2);
  start_from_counts(corpus, settings_of(2, 1), start);
  const std::string first = corpus.vocabulary().word(0);
  for (int32_t id = 1; id < corpus.vocabulary().size(); ++id) {
    const bool same = corpus.vocabulary().word(id)[0] == first[0];
    CHECK((start.row(id)[0] * start.row(0)[0] > 0) == same);
  }
}

TEST_CASE("the start is the same with any number of threads") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, topic_text());
  Matrix one(corpus.vocabulary().size(), 16), many(corpus.vocabulary().size(), 16);
  CHECK(start_from_counts(corpus, settings_of(16, 1), one) ==
        start_from_counts(corpus, settings_of(16, 8), many));
  CHECK(table_of(one) == table_of(many));
}

TEST_CASE("words without pairs, and columns beyond the singular values, stay as they are") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, "a b a b\nb a\nc\n");
  Matrix start = marked(3, 8);
  start_from_counts(corpus, settings_of(8, 1), start);
  const int32_t alone = corpus.vocabulary().word(2)[0] == 'c' ? 2 : 0;
  CHECK(table_of(start)[static_cast<size_t>(alone)] == std::vector<double>(8, double{kMark}));
  for (int64_t i = 0; i < 2; ++i) {
    CHECK(start.row(i)[0] != kMark);
    CHECK(start.row(i)[7] == kMark);
    CHECK(std::isfinite(start.row(i)[0]));
  }
}

TEST_CASE("a text without any pair leaves all as it is") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, "a\nb\na\n");
  Matrix start = marked(2, 4);
  CHECK(start_from_counts(corpus, settings_of(4, 2), start) == 0);
  CHECK(table_of(start) == Table(2, std::vector<double>(4, double{kMark})));
}

TEST_CASE("a window of thousands of tokens gives every pair a weight") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, topic_text());
  SkipGramSettings settings = settings_of(4, 1);
  settings.window = 1000;
  Matrix start(corpus.vocabulary().size(), 4);
  CHECK(start_from_counts(corpus, settings, start) == 400 * 10 * 9);
  CHECK(start.finite());
}

}  // namespace acevec::count_start_test
