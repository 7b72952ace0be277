// fastText's model file: what is written means the same to fastText.

#include "vectors/fasttext_model.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "temporary_folder.h"
#include "vectors/small_fasttext.h"

namespace acevec {
namespace {

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

bool has_fasttext() {
  return std::system("fasttext >/dev/null 2>&1; [ $? != 127 ]") == 0;
}

}  // namespace

TEST_CASE("fastText reads the models that are written, and composes the same vectors") {
  if (!has_fasttext()) {
    MESSAGE("skipped: there is no program fasttext");
    return;
  }
  const TemporaryFolder folder;
  const Matrix own = filled(4, 0.1);
  const Matrix buckets = filled(kShape.buckets, 0.3);
  for (const SubwordShape& shape : {kShape, SubwordShape{2, 3, 10}, SubwordShape{0, 0, 0}}) {
    CAPTURE(shape.longest);
    write_small_model(folder.path("m.bin"), shape, own, buckets);
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

TEST_CASE("fastText has the same n-grams of a word, in the same order and buckets") {
  if (!has_fasttext()) {
    MESSAGE("skipped: there is no program fasttext");
    return;
  }
  const TemporaryFolder folder;
  const Matrix buckets = filled(kShape.buckets, 0.3);
  write_small_model(folder.path("m.bin"), kShape, filled(4, 0.1), buckets);
  for (const char* word : {"wolf", "where", "naïveté", "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e"}) {
    CAPTURE(word);
    std::vector<int32_t> ngrams;
    append_subwords(word, kShape, ngrams);
    std::istringstream lines(
        output_of("fasttext print-ngrams " + folder.path("m.bin") + " " + word));
    const bool known = std::string(word) == "wolf";
    std::string line;
    if (known) std::getline(lines, line);  // the word itself
    for (const int32_t ngram : ngrams) {
      REQUIRE(static_cast<bool>(std::getline(lines, line)));
      std::istringstream fields(line);
      std::string name;
      fields >> name;
      for (int64_t k = 0; k < kColumns; ++k) {
        double got = 0;
        REQUIRE(static_cast<bool>(fields >> got));
        CHECK(got == doctest::Approx(double{buckets.row(ngram)[k]}).epsilon(1e-5));
      }
    }
    CHECK_FALSE(static_cast<bool>(std::getline(lines, line)));
  }
}

TEST_CASE("a fastText model with a number that is not finite, or a NUL in a word, is not written") {
  const TemporaryFolder folder;
  Matrix own = filled(4, 0.1);
  own.row(3)[2] = std::numeric_limits<float>::infinity();
  CHECK_THROWS_WITH_AS(
      write_small_model(folder.path("m"), kShape, own, filled(kShape.buckets, 0.3)),
      doctest::Contains("not finite"), Error);
  OutputFile file(folder.path("m"));
  const Matrix one = filled(1, 0);
  CHECK_THROWS_WITH_AS(write_fasttext_model(Vocabulary({{std::string("a\0b", 3), 1}}, 1, 0),
                                            training_with(kShape), one, nullptr, one, file),
                       doctest::Contains("NUL"), Error);
}

}  // namespace acevec
