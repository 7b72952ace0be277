// fastText's model file: what acevec writes means the same to fastText.

#include "vectors/fasttext_model.h"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "temporary_folder.h"

namespace acevec {
namespace {

constexpr FastTextTraining kTraining{5, 5, 1, 5, false, 1e-3};
constexpr SubwordShape kShape{3, 6, 500};
constexpr int64_t kColumns = 7;

Vocabulary small_vocabulary() {
  return Vocabulary({{"wolf", 40}, {"naïve", 30}, {"\xe6\x97\xa5\xe6\x9c\xac", 20}, {"a", 10}}, 1,
                    0);
}

// Numbers of which no two rows are alike, below 0.5.
Matrix filled(int64_t rows, double salt) {
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
std::vector<double> mean_of(const std::string& word, const float* own, const SubwordShape& shape,
                            const Matrix& buckets) {
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

void write(const std::string& path, const SubwordShape& shape, const Matrix& own,
           const Matrix& buckets) {
  OutputFile file(path);
  write_fasttext_model(
      small_vocabulary(), kTraining, shape, own,
      [&](int64_t bucket) { return buckets.row(bucket); }, filled(4, 0.7), file);
  file.commit();
}

// What a command prints.
std::string output_of(const std::string& command) {
  std::string text;
  std::FILE* const pipe = popen(command.c_str(), "r");  // NOLINT(cert-env33-c)
  std::array<char, 4096> block;
  for (size_t got; (got = std::fread(block.data(), 1, block.size(), pipe)) > 0;) {
    text.append(block.data(), got);
  }
  REQUIRE(pclose(pipe) == 0);
  return text;
}

}  // namespace

TEST_CASE("fastText reads the models that are written, and composes the same vectors") {
  if (std::system("fasttext >/dev/null 2>&1; [ $? != 127 ]") != 0) {
    MESSAGE("skipped: there is no program fasttext");
    return;
  }
  const TemporaryFolder folder;
  const Matrix own = filled(4, 0.1);
  const Matrix buckets = filled(kShape.buckets, 0.3);
  for (const SubwordShape& shape : {kShape, SubwordShape{2, 3, 10}, SubwordShape{0, 0, 0}}) {
    CAPTURE(shape.longest);
    write(folder.path("m.bin"), shape, own, buckets);
    std::vector<std::string> words;
    for (int32_t id = 0; id < 4; ++id) words.push_back(small_vocabulary().word(id));
    for (const char* unseen : {"wolves", "naïveté", "\xe6\x97\xa5"}) {
      if (shape.any()) words.emplace_back(unseen);
    }
    std::string query;
    for (const std::string& word : words) query += word + '\n';
    folder.write("words", query);
    std::istringstream rows(output_of("fasttext print-word-vectors " + folder.path("m.bin") + " <" +
                                      folder.path("words")));
    for (size_t i = 0; i < words.size(); ++i) {
      const auto id = static_cast<int64_t>(i);
      const float* const row = id < 4 ? own.row(id) : nullptr;
      const std::vector<double> mean = mean_of(words[i], row, shape, buckets);
      std::string word;
      REQUIRE(static_cast<bool>(rows >> word));
      CHECK(word == words[i]);
      for (const double wanted : mean) {
        double got = 0;
        REQUIRE(static_cast<bool>(rows >> got));
        CHECK(got == doctest::Approx(wanted).epsilon(1e-5));
      }
    }
  }
}

TEST_CASE("a fastText model with a number that is not finite, or a NUL in a word, is not written") {
  const TemporaryFolder folder;
  Matrix own = filled(4, 0.1);
  own.row(3)[2] = std::numeric_limits<float>::infinity();
  CHECK_THROWS_WITH_AS(write(folder.path("m"), kShape, own, filled(kShape.buckets, 0.3)),
                       doctest::Contains("not finite"), Error);
  OutputFile file(folder.path("m"));
  const Matrix one = filled(1, 0);
  CHECK_THROWS_WITH_AS(write_fasttext_model(Vocabulary({{std::string("a\0b", 3), 1}}, 1, 0),
                                            kTraining, kShape, one, nullptr, one, file),
                       doctest::Contains("NUL"), Error);
}

}  // namespace acevec
