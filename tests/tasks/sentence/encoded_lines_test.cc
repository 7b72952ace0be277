// Tests of sentence/encoded_lines: vectors come back as they were kept; what is damaged, of another
// model or text, or another program's, is refused.

#include "tasks/sentence/encoded_lines.h"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "base/error.h"
#include "temporary_folder.h"

namespace acevec {

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

TEST_CASE("a text's hash is of its lines, and empty and repeated lines do not count") {
  const TemporaryFolder folder;
  const TextLines one(folder.write("one", "a b\n\nc\r\na b\n")),
      same(folder.write("same", "a b\nc"));
  const TextLines other(folder.write("other", "a\nbc\n"));
  CHECK(one.texts == std::vector<std::string>{"a b", "c"});
  CHECK(one.numbers == std::vector<int64_t>{1, 3});
  CHECK(one.hash == same.hash);
  CHECK(one.hash != other.hash);
}

}  // namespace acevec
