// Look-ahead across the steps in which a file is read; lines of files and pipes, their numbers,
// ends and greatest length; names and their numbers.

#include "text/lines.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "temporary_folder.h"

namespace acevec {

TEST_CASE("what was peeked at comes again until it is skipped") {
  const TemporaryFolder folder;
  const std::string text = std::string(70000, 'a') + "|" + std::string(70000, 'b');
  LookAhead input(folder.write("x", text));
  CHECK(input.peek(3).starts_with("aaa"));
  CHECK_FALSE(input.peek_until('|', 70000));  // it is one byte farther
  REQUIRE(input.peek_until('|', 70001));
  CHECK(input.peek_until('|', 70001)->size() == 70000);
  CHECK(input.ready_until('|', 70001));
  input.skip(70001);
  REQUIRE(input.peek_until('|', 1 << 20));  // there is none: up to the end
  CHECK(*input.peek_until('|', 1 << 20) == std::string(70000, 'b'));
  CHECK_FALSE(input.at_end());
  input.skip(70000);
  CHECK(input.at_end());
}

namespace lines_test {
namespace {

using Lines = std::vector<std::pair<int64_t, std::string>>;

Lines lines_of(const std::string& text) {
  const TemporaryFolder folder;
  LineReader reader(folder.write("t", text));
  Lines lines;
  while (const std::optional<std::string_view> line = reader.next()) {
    lines.emplace_back(reader.number(), *line);
  }
  CHECK_FALSE(reader.next());
  return lines;
}

}  // namespace

TEST_CASE("lines keep their numbers, and lose their ends and the empty ones") {
  CHECK(lines_of("").empty());
  CHECK(lines_of("\n\r\n\n").empty());
  CHECK((lines_of("a b\r\n\n c\n\rd\nlast") ==
         Lines{{1, "a b"}, {3, " c"}, {4, "\rd"}, {5, "last"}}));
  CHECK((lines_of("\xef\xbb\xbf"
                  "a\r\n\xef\xbb\xbf"
                  "b\r") == Lines{{1, "a"},
                                  {2,
                                   "\xef\xbb\xbf"
                                   "b"}}));
  CHECK((lines_of(std::string("a\0b\n", 4)) == Lines{{1, std::string("a\0b", 3)}}));
}

TEST_CASE("many lines of many lengths, over the blocks in which a file is read") {
  Lines wanted;
  std::string text;
  for (int64_t i = 1; i <= 3000; ++i) {
    wanted.emplace_back(i, std::string(static_cast<size_t>(1 + i * i % 997), 'a'));
    text += wanted.back().second + "\n";
  }
  CHECK((lines_of(text) == wanted));
}

TEST_CASE("a line that is too long is refused with its number, in a file and at its end") {
  const TemporaryFolder folder;
  const std::string longest(kLongestLine - 1, 'x');
  CHECK(lines_of(longest + "\n" + longest).size() == 2);
  for (const char* end : {"", "\n", "\nmore\n"}) {
    const std::string path = folder.write("t", "one\n\n" + longest + "x" + end);
    LineReader reader(path);
    CHECK(reader.next() == "one");
    CHECK_THROWS_WITH_AS(
        reader.next(),
        ("cannot use " + path + ": line 3 is longer than 1 MiB; give a file of lines").c_str(),
        Error);
  }
}

TEST_CASE("a line is ready when it is whole, or the last") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  LineReader reader("/proc/self/fd/" + std::to_string(ends[0]));
  const auto send = [&](std::string_view bytes) {
    REQUIRE(write(ends[1], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  };
  CHECK_FALSE(reader.ready());
  send("one\n\ntwo\n\n\r\nth");
  CHECK(reader.ready());
  CHECK(reader.next() == "one");
  CHECK(reader.ready());
  CHECK(reader.next() == "two");
  CHECK_FALSE(reader.ready());
  send("ree");
  CHECK_FALSE(reader.ready());
  close(ends[1]);
  CHECK(reader.ready());
  CHECK(reader.next() == "three");
  CHECK(reader.ready());
  CHECK_FALSE(reader.next());
  close(ends[0]);
}

TEST_CASE("with other rules lines may be longer, and empty ones count") {
  const TemporaryFolder folder;
  const std::string longest(2 * kLongestLine, 'x');
  const std::string path = folder.write("t", "\n\r\na\n" + longest + "\n\nb");
  LineReader reader(path, {.longest = 3 * kLongestLine, .empty_too = true});
  Lines all;
  while (const std::optional<std::string_view> line = reader.next()) {
    all.emplace_back(reader.number(), *line);
    CHECK(reader.ready());
  }
  CHECK((all == Lines{{1, ""}, {2, ""}, {3, "a"}, {4, longest}, {5, ""}, {6, "b"}}));
}

}  // namespace lines_test

TEST_CASE("names are numbered as they come") {
  Names names;
  CHECK(names.add("new york") == 0);
  CHECK(names.add("rome") == 1);
  CHECK(names.add("new york") == 0);
  CHECK(names.size() == 2);
  CHECK(names.all() == std::vector<std::string>{"new york", "rome"});
  CHECK(names.find("rome") == 1);
  CHECK(names.find("oslo") == -1);
}

TEST_CASE("words have no white space") {
  CHECK(as_word("golden retriever") == "golden_retriever");
  CHECK(as_word("a\tb") == "a_b");
  CHECK(as_word("dog.n.01") == "dog.n.01");
}

}  // namespace acevec
