// fastText's model file: what is written means the same to fastText.
// fastText's models are read back as they were written, and what is broken is refused.

#include "vectors/fasttext.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "temporary_folder.h"
#include "vectors/small_fasttext.h"
#include "vectors/word_vectors.h"

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

void check_row(const float* got, const std::vector<double>& wanted) {
  for (size_t k = 0; k < wanted.size(); ++k) {
    CHECK(static_cast<double>(got[k]) == doctest::Approx(wanted[k]).epsilon(1e-6));
  }
}

// A model of the small vocabulary with n-grams, as bytes. Its settings begin at byte 8, its
// dictionary at byte 64, and the matrices where `matrices_at` is.
constexpr size_t kDictionaryAt = 64;

size_t matrices_at() {
  size_t at = kDictionaryAt + 12 + 16;
  for (int32_t id = 0; id < 4; ++id) at += small_vocabulary().word(id).size() + 1 + 8 + 1;
  return at;
}

std::string model_bytes(const TemporaryFolder& folder) {
  const SubwordShape shape{3, 6, 20};
  write_small_model(folder.path("m"), shape, filled(4, 0.1), filled(shape.buckets, 0.3));
  return folder.read("m");
}

template <class Number>
std::string changed(std::string bytes, size_t at, Number number) {
  REQUIRE(at + sizeof number <= bytes.size());
  std::memcpy(bytes.data() + at, &number, sizeof number);
  return bytes;
}

void refuse(const TemporaryFolder& folder, const std::string& bytes, const std::string& reason) {
  const std::string path = folder.write("broken", bytes);
  CAPTURE(reason);
  CHECK_THROWS_WITH_AS(read_vectors(path), doctest::Contains(reason.c_str()), Error);
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
      doctest::Contains("non-finite"), Error);
  OutputFile file(folder.path("m"));
  const Matrix one = filled(1, 0);
  CHECK_THROWS_WITH_AS(write_fasttext_model(Vocabulary({{std::string("a\0b", 3), 1}}, 1, 0),
                                            training_with(kShape), one, nullptr, one, file),
                       doctest::Contains("NUL"), Error);
}

TEST_CASE("a fastText model reads back as composed vectors, and composes those of other words") {
  const TemporaryFolder folder;
  const Matrix own = filled(4, 0.1);
  const Matrix buckets = filled(kShape.buckets, 0.3);
  write_small_model(folder.path("m"), kShape, own, buckets);
  const WordVectors read = read_vectors(folder.path("m"));
  REQUIRE(read.words.size() == 4);
  REQUIRE(read.vectors.rows() == 4);
  REQUIRE(read.vectors.columns() == kColumns);
  for (int32_t id = 0; id < 4; ++id) {
    const std::string word = small_vocabulary().word(id);
    CHECK(read.words[static_cast<size_t>(id)] == word);
    check_row(read.vectors.row(id), mean_of(word, own.row(id), kShape, buckets));
  }
  REQUIRE(read.subwords != nullptr);
  std::vector<float> vector(kColumns, 2.0F);
  CHECK(read.subwords->compose("wolves", nullptr, vector.data()));
  check_row(vector.data(), mean_of("wolves", nullptr, kShape, buckets));
  const std::vector<float> before = vector;
  CHECK_FALSE(read.subwords->compose("", nullptr, vector.data()));
  CHECK_FALSE(read.subwords->compose("</s>", nullptr, vector.data()));
  CHECK(vector == before);
  // fastText gives its line end no n-grams.
  CHECK(read.subwords->compose("</s>", own.row(0), vector.data()));
  CHECK(std::memcmp(vector.data(), own.row(0), sizeof(float) * kColumns) == 0);
  CHECK(read_vectors(folder.path("m"), 3).words.size() == 3);
}

TEST_CASE("a fastText model without n-grams composes nothing") {
  const TemporaryFolder folder;
  const Matrix own = filled(4, 0.1);
  write_small_model(folder.path("m"), {0, 0, 0}, own, filled(1, 0));
  const WordVectors read = read_vectors(folder.path("m"));
  CHECK(read.subwords == nullptr);
  for (int64_t i = 0; i < 4; ++i) {
    CHECK(std::memcmp(read.vectors.row(i), own.row(i), sizeof(float) * kColumns) == 0);
  }
}

TEST_CASE("older fastText models and classifiers are read, labels left out") {
  const TemporaryFolder folder;
  const std::string bytes = model_bytes(folder);
  constexpr size_t kTaskAt = 8 + 7 * 4;
  CHECK(read_vectors(folder.write("old", changed(bytes, 4, 11))).subwords != nullptr);
  const std::string old_classifier = changed(changed(bytes, 4, 11), kTaskAt, 3);
  CHECK(read_vectors(folder.write("old", old_classifier)).subwords == nullptr);
  // The last word becomes a label, and gives its row to the buckets.
  std::string classifier = changed(changed(bytes, kTaskAt, 3), kTaskAt + 4, 21);
  classifier = changed(changed(classifier, kDictionaryAt + 4, 3), kDictionaryAt + 8, 1);
  classifier = changed(classifier, matrices_at() - 1, int8_t{1});
  CHECK(read_vectors(folder.write("c", classifier)).words.size() == 3);
}

TEST_CASE("broken fastText models are refused, each with its reason") {
  const TemporaryFolder folder;
  const std::string bytes = model_bytes(folder);
  const auto with = [&](size_t at, auto number) { return changed(bytes, at, number); };
  REQUIRE(read_vectors(folder.write("good", bytes)).words.size() == 4);
  refuse(folder, with(4, 13), "its version is 13");
  refuse(folder, with(4, 10), "its version is 10");
  refuse(folder, with(8, 0), "settings are invalid");
  refuse(folder, with(8, -7), "settings are invalid");
  refuse(folder, with(8, 1 << 30), "settings are invalid");
  refuse(folder, with(8 + 8 * 4, -1), "settings are invalid");
  refuse(folder, with(8 + 10 * 4, 1 << 30), "settings are invalid");
  refuse(folder, with(8 + 8 * 4, 21), "it has 24 rows for 4 words and 21 buckets");
  refuse(folder, with(kDictionaryAt + 4, 0), "no words");
  refuse(folder, with(kDictionaryAt + 4, 3), "dictionary is invalid");
  refuse(folder, with(kDictionaryAt + 8, -1), "dictionary is invalid");
  refuse(folder, with(kDictionaryAt + 20, int64_t{0}), "it is quantized; give the model before");
  const std::string many = changed(with(kDictionaryAt, 2000000000), kDictionaryAt + 4, 2000000000);
  refuse(folder, many, "word 5 is empty");
  refuse(folder, with(kDictionaryAt + 28, '\0'), "word 1 is empty");
  refuse(folder, with(kDictionaryAt + 29, '\n'), "white space");
  refuse(folder, with(matrices_at() - 1, int8_t{1}), "dictionary is invalid");
  refuse(folder, with(matrices_at(), int8_t{1}), "it is quantized; give the model before");
  refuse(folder, with(matrices_at() + 1, int64_t{-1}), "invalid shapes");
  refuse(folder, with(matrices_at() + 9, int64_t{8}), "invalid shapes");
  const std::string huge =
      changed(with(8 + 8 * 4, 2000000000), matrices_at() + 1, int64_t{2000000004});
  refuse(folder, huge, "cannot use");  // for want of memory, or where there is so much, of bytes
  const size_t rows_at = matrices_at() + 17;
  refuse(folder, with(rows_at + 3 * 4, std::numeric_limits<float>::quiet_NaN()), "non-finite");
  refuse(folder, with(rows_at + 27 * 4 * 5, std::numeric_limits<float>::infinity()), "non-finite");
  refuse(folder, bytes + "x", "data after the model");
  const size_t predicting_at = rows_at + size_t{24} * kColumns * 4;
  refuse(folder, with(predicting_at + 1, std::numeric_limits<int64_t>::max()), "truncated");
  refuse(folder, bytes.substr(0, 3), "");
  for (size_t size = 4; size < bytes.size(); ++size) {
    refuse(folder, bytes.substr(0, size), "truncated");
  }
}

}  // namespace acevec
