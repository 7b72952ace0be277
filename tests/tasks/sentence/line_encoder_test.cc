// Lines are encoded as one by one, on any number of threads; the lines of a text.

#include "tasks/sentence/encoder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "temporary_folder.h"

namespace acevec {

TEST_CASE("each line has its row, and unknown words are counted") {
  SentenceModel model(Vocabulary({{"a", 4}, {"b", 3}, {"c", 2}}, 1, 0),
                      {TokenMode::kSpace, 4, false, EncoderKind::kGru});
  start_model(model, 1);
  std::vector<std::string> lines;
  for (int i = 0; i < 600; ++i) {  // several pieces
    lines.emplace_back(i % 3 == 0 ? "a b" : i % 3 == 1 ? "c x a" : "x");
  }
  lines.emplace_back();
  Matrix one(0, 8), together(0, 8);
  CHECK(LineEncoder(model, 1).encode({"c a"}, one).unknown_tokens == 0);
  const LineCounts counts = LineEncoder(model, 3).encode(lines, together);
  CHECK(counts.lines == 601);
  CHECK(counts.empty == 201);
  CHECK(counts.unknown_tokens == 400);
  REQUIRE(together.rows() == 601);
  CHECK(std::equal(one.row(0), one.row(0) + 8, together.row(598)));
  CHECK(std::all_of(together.row(600), together.row(600) + 8, [](float x) { return x == 0; }));
}

TEST_CASE("a text's lines are those with words, without repeated ones") {
  const TemporaryFolder folder;
  const TextLines one(folder.write("one", "a b\n\nc\r\n?! ...\na b\n"));
  CHECK(one.texts == std::vector<std::string>{"a b", "c"});
  CHECK(one.numbers == std::vector<int64_t>{1, 3});
}

}  // namespace acevec
