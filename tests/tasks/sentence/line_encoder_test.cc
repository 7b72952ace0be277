// Lines are encoded as one by one, on any number of threads; kept vectors.

#include "tasks/sentence/encoder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
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

TEST_CASE("kept vectors are read as they were written, and nothing else is") {
  const TemporaryFolder folder;
  const std::string path = folder.path("text.nn");
  Matrix vectors(3, 5);
  for (int64_t i = 0; i < 3; ++i) vectors.row(i)[i] = 1;
  const EncodedIdentity identity{7, 8, 3, 5};
  keep_vectors(path, identity, vectors);
  const std::optional<Matrix> same = read_kept_vectors(path, identity);
  REQUIRE(same);
  for (int64_t i = 0; i < 3; ++i) {
    for (int64_t k = 0; k < 5; ++k) CHECK(same->row(i)[k] == vectors.row(i)[k]);
  }
  for (const EncodedIdentity& other : {EncodedIdentity{6, 8, 3, 5}, EncodedIdentity{7, 9, 3, 5},
                                       EncodedIdentity{7, 8, 2, 5}, EncodedIdentity{7, 8, 3, 4}}) {
    CHECK_FALSE(read_kept_vectors(path, other));
  }
  std::ifstream in(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  for (size_t at = 0; at < bytes.size(); at += 5) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    CHECK_THROWS_AS(read_kept_vectors(folder.write("damaged", damaged), identity), Error);
    CHECK_THROWS_AS(read_kept_vectors(folder.write("cut", bytes.substr(0, at)), identity), Error);
  }
  keep_vectors(path, {7, 8, 2, 5}, Matrix(2, 5));  // its own file may be replaced
  const std::string foreign = folder.write("foreign.nn", "notes");
  CHECK_THROWS_AS(keep_vectors(foreign, identity, vectors), Error);
}

TEST_CASE("a text's hash is of its lines, without those of no words and repeated ones") {
  const TemporaryFolder folder;
  const TextLines one(folder.write("one", "a b\n\nc\r\n?! ...\na b\n")),
      same(folder.write("same", "a b\nc"));
  const TextLines other(folder.write("other", "a\nbc\n"));
  CHECK(one.texts == std::vector<std::string>{"a b", "c"});
  CHECK(one.numbers == std::vector<int64_t>{1, 3});
  CHECK(one.hash == same.hash);
  CHECK(one.hash != other.hash);
}

}  // namespace acevec
