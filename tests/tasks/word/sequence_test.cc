// Subsampling keeps words as often as word2vec's formula says; contexts stay inside lines.

#include "tasks/word/sequence.h"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>
#include "text/token_store.h"

namespace acevec {

TEST_CASE("contexts never leave their line, and reach as far as the window or a uniform draw") {
  const Vocabulary vocabulary({{"a", 10}, {"b", 5}}, 1, 0);
  std::vector<int32_t> ids;
  std::vector<int32_t> line_of;
  for (int32_t line = 0; line < 3000; ++line) {
    const int32_t length = line % 40;
    for (int32_t i = 0; i < length; ++i) {
      ids.push_back(i % 2);
      if (length > 1) line_of.push_back(line);
    }
    ids.push_back(kLineEnd);
  }
  for (const bool drawn : {false, true}) {
    CAPTURE(drawn);
    Random random(1);
    Sequence sequence;
    SequenceMaker(vocabulary, 0, {4, drawn}).make(ids, random, sequence);
    REQUIRE(sequence.ids.size() == line_of.size());  // lines of one token are left out
    std::vector<int64_t> reaches(5, 0);
    for (size_t i = 0; i < sequence.ids.size(); ++i) {
      const auto first = static_cast<size_t>(sequence.first[i]);
      const auto last = static_cast<size_t>(sequence.last[i]);
      CHECK(first <= i);
      CHECK(last > i);
      CHECK(line_of[first] == line_of[i]);
      CHECK(line_of[last - 1] == line_of[i]);
      const bool inside = i >= 4 && i + 4 < line_of.size() && line_of[i - 4] == line_of[i + 4];
      if (!inside) continue;
      CHECK(i - first == last - i - 1);
      ++reaches[i - first];
    }
    const int64_t total = reaches[1] + reaches[2] + reaches[3] + reaches[4];
    CHECK(total > 10000);
    CHECK(reaches[0] == 0);
    if (!drawn) CHECK(reaches[4] == total);
    for (size_t reach = 1; drawn && reach <= 4; ++reach) {
      const double wanted = static_cast<double>(total) / 4;
      CHECK(std::abs(static_cast<double>(reaches[reach]) - wanted) < 4 * std::sqrt(wanted));
    }
  }
}

TEST_CASE("one-sided contexts are the same tokens on one side alone") {
  const Vocabulary vocabulary({{"a", 10}, {"b", 5}}, 1, 0);
  const std::vector<int32_t> ids{0, 1, 0, kLineEnd, 0, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, kLineEnd};
  const auto made = [&](ContextSide side) {
    Random random(3);
    Sequence sequence;
    SequenceMaker(vocabulary, 0, {4, true, side}).make(ids, random, sequence);
    return sequence;
  };
  const Sequence both = made(ContextSide::kBoth);
  const Sequence before = made(ContextSide::kBefore);
  const Sequence after = made(ContextSide::kAfter);
  REQUIRE(both.size() == 14);
  CHECK(before.first == both.first);
  CHECK(after.last == both.last);
  for (int32_t i = 0; i < 14; ++i) {
    CHECK(before.last[static_cast<size_t>(i)] == i + 1);
    CHECK(after.first[static_cast<size_t>(i)] == i);
  }
}

TEST_CASE("a word of frequency f is kept with probability sqrt(t/f) + t/f") {
  const Vocabulary vocabulary({{"the", 900000}, {"of", 90000}, {"rare", 10000}}, 1, 0);
  const double sample = 0.01;
  const SequenceMaker maker(vocabulary, sample, {5});
  for (int32_t word = 0; word < 3; ++word) {
    const std::vector<int32_t> ids(200000, word);
    Random random(static_cast<uint64_t>(word));
    Sequence sequence;
    maker.make(ids, random, sequence);
    const double f = static_cast<double>(vocabulary.count(word)) / 1000000;
    const double keep = std::min(1.0, std::sqrt(sample / f) + sample / f);
    const double wanted = keep * 200000;
    CHECK(std::abs(static_cast<double>(sequence.size()) - wanted) <= 4 * std::sqrt(wanted));
  }
}

TEST_CASE("the same stream gives the same sequence") {
  const Vocabulary vocabulary({{"a", 10}, {"b", 5}}, 1, 0);
  const SequenceMaker maker(vocabulary, 0.1, {5});
  std::vector<int32_t> ids(1000, 0);
  for (size_t i = 0; i < ids.size(); i += 3) ids[i] = 1;
  Sequence first;
  Sequence second;
  Random a(1, epoch_stream(2), 3);
  Random b(1, epoch_stream(2), 3);
  maker.make(ids, a, first);
  maker.make(ids, b, second);
  CHECK(first.ids == second.ids);
  CHECK(first.first == second.first);
  CHECK(first.last == second.last);
}

TEST_CASE("counts beyond 2^32 are subsampled as others in the same proportion") {
  const Vocabulary small({{"the", 900000}, {"of", 90000}, {"rare", 10000}}, 1, 0);
  constexpr int64_t kFactor = 5000000000;
  const Vocabulary large(
      {{"the", 900000 * kFactor}, {"of", 90000 * kFactor}, {"rare", 10000 * kFactor}}, 1, 0);
  REQUIRE(large.total() == 1000000 * kFactor);
  const std::vector<int32_t> ids{0, 1, 2, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 0, 0, 1, 1, kLineEnd};
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Random one(seed);
    Random other(seed);
    Sequence expected;
    Sequence sequence;
    SequenceMaker(small, 0.01, {5}).make(ids, one, expected);
    SequenceMaker(large, 0.01, {5}).make(ids, other, sequence);
    REQUIRE(sequence.ids == expected.ids);
  }
}

}  // namespace acevec
