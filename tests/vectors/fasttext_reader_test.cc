// fastText's models are read back as they were written, and what is broken is refused.

#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "base/error.h"
#include "temporary_folder.h"
#include "vectors/small_fasttext.h"
#include "vectors/word_vectors.h"

namespace acevec {
namespace {

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
  refuse(folder, with(8, 0), "settings are impossible");
  refuse(folder, with(8, -7), "settings are impossible");
  refuse(folder, with(8, 1 << 30), "settings are impossible");
  refuse(folder, with(8 + 8 * 4, -1), "settings are impossible");
  refuse(folder, with(8 + 10 * 4, 1 << 30), "settings are impossible");
  refuse(folder, with(8 + 8 * 4, 21), "it has 24 rows for 4 words and 21 buckets");
  refuse(folder, with(kDictionaryAt + 4, 0), "no words");
  refuse(folder, with(kDictionaryAt + 4, 3), "dictionary is impossible");
  refuse(folder, with(kDictionaryAt + 8, -1), "dictionary is impossible");
  refuse(folder, with(kDictionaryAt + 20, int64_t{0}), "quantized");
  const std::string many = changed(with(kDictionaryAt, 2000000000), kDictionaryAt + 4, 2000000000);
  refuse(folder, many, "word 5 is empty");
  refuse(folder, with(kDictionaryAt + 28, '\0'), "word 1 is empty");
  refuse(folder, with(kDictionaryAt + 29, '\n'), "white space");
  refuse(folder, with(matrices_at() - 1, int8_t{1}), "dictionary is impossible");
  refuse(folder, with(matrices_at(), int8_t{1}), "it is quantized");
  refuse(folder, with(matrices_at() + 1, int64_t{-1}), "impossible shapes");
  refuse(folder, with(matrices_at() + 9, int64_t{8}), "impossible shapes");
  const std::string huge =
      changed(with(8 + 8 * 4, 2000000000), matrices_at() + 1, int64_t{2000000004});
  refuse(folder, huge, "cannot use");  // for want of memory, or where there is so much, of bytes
  const size_t rows_at = matrices_at() + 17;
  refuse(folder, with(rows_at + 3 * 4, std::numeric_limits<float>::quiet_NaN()), "not finite");
  refuse(folder, with(rows_at + 27 * 4 * 5, std::numeric_limits<float>::infinity()), "not finite");
  refuse(folder, bytes + "x", "more than a model");
  const size_t predicting_at = rows_at + size_t{24} * kColumns * 4;
  refuse(folder, with(predicting_at + 1, std::numeric_limits<int64_t>::max()), "truncated");
  refuse(folder, bytes.substr(0, 3), "");
  for (size_t size = 4; size < bytes.size(); ++size) {
    refuse(folder, bytes.substr(0, size), "truncated");
  }
}

}  // namespace acevec
