// word2vec's text and binary, and GloVe's text: dialects are read, and what is broken is refused.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "temporary_folder.h"
#include "vectors/row_reader.h"
#include "vectors/word_vectors.h"

namespace acevec {
namespace {

std::string binary_row(const std::string& word, const std::vector<float>& numbers,
                       const std::string& end = "\n") {
  std::string row = word + ' ';
  row.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float));
  return row + end;
}

void refuse(const std::string& content, const std::string& reason) {
  const TemporaryFolder folder;
  const std::string path = folder.write("vectors", content);
  CAPTURE(reason);
  CHECK_THROWS_WITH_AS(read_vectors(path), doctest::Contains(reason.c_str()), Error);
}

}  // namespace

TEST_CASE("other programs' dialects are read") {
  const TemporaryFolder folder;
  const std::vector<float> one{1, 2, 3};
  const std::vector<float> two{4, 5, 6};
  const std::vector<std::string> files{
      folder.write("word2vec.txt", "2 3\na 1.000000 2.000000 3.000000 \nb 4 5 6 \n"),
      folder.write("crlf.txt", "2 3\r\na 1 2 3\r\nb 4 5 6"),
      folder.write("glove.txt", "a 1 2 3\nb 4e0 5 6\n"),
      folder.write("word2vec.bin", "2 3\n" + binary_row("a", one) + binary_row("b", two)),
      folder.write("gensim.bin", "2 3\n" + binary_row("a", one, "") + binary_row("b", two, "")),
  };
  for (const std::string& file : files) {
    CAPTURE(file);
    const WordVectors read = read_vectors(file);
    REQUIRE(read.words == std::vector<std::string>{"a", "b"});
    for (int64_t k = 0; k < 3; ++k) {
      CHECK(read.vectors.row(0)[k] == one[static_cast<size_t>(k)]);
      CHECK(read.vectors.row(1)[k] == two[static_cast<size_t>(k)]);
    }
  }
}

TEST_CASE("binary rows may hold the bytes of spaces and line ends") {
  const TemporaryFolder folder;
  float newlines = 0;
  std::memcpy(&newlines, "\n \n ", sizeof newlines);
  const std::string path =
      folder.write("v", "2 2\n" + binary_row("a", {newlines, 1}) + binary_row("b", {2, newlines}));
  const WordVectors read = read_vectors(path);
  REQUIRE(read.words == std::vector<std::string>{"a", "b"});
  CHECK(read.vectors.row(0)[0] == newlines);
  CHECK(read.vectors.row(1)[1] == newlines);
}

TEST_CASE("the first line end of a binary file may be anywhere in its first row") {
  const TemporaryFolder folder;
  for (const size_t columns : {1, 4, 100}) {
    for (size_t place = 0; place < 4 * columns; ++place) {
      if (place % 4 == 3) continue;  // numbers as small are taken for other bytes
      std::string bytes;
      while (bytes.size() < place) bytes += "!Pa>"[bytes.size() % 4];
      bytes += '\n';
      while (bytes.size() < 4 * columns) bytes += "\x81\xfe\x80\xbe"[bytes.size() % 4];
      std::vector<float> numbers(columns);
      std::memcpy(numbers.data(), bytes.data(), bytes.size());
      for (const std::string end : {"", "\n"}) {
        CAPTURE(place);
        const std::string path =
            folder.write("v", "2 " + std::to_string(columns) + "\n" +
                                  binary_row("the", numbers, end) + binary_row("a", numbers, end));
        const WordVectors read = read_vectors(path);
        REQUIRE(read.words == std::vector<std::string>{"the", "a"});
        CHECK(std::memcmp(read.vectors.row(0), numbers.data(), bytes.size()) == 0);
        CHECK(std::memcmp(read.vectors.row(1), numbers.data(), bytes.size()) == 0);
      }
    }
  }
}

TEST_CASE("numbers too small for a float are zero") {
  const TemporaryFolder folder;
  const WordVectors read = read_vectors(folder.write("v", "a 1e-50 -1e-300 1e-40\n"));
  CHECK(read.vectors.row(0)[0] == 0);
  CHECK(read.vectors.row(0)[1] == 0);
  CHECK(read.vectors.row(0)[2] == 1e-40F);
}

TEST_CASE("broken files are refused, each with its reason") {
  refuse("", "empty");
  refuse("\n", "empty");
  refuse("hello world\n", "not a file of vectors");
  const std::string container = std::string(
                                    "\x89"
                                    "acevec\n",
                                    8) +
                                "\4\3\2\1" + std::string(4, '\1');
  refuse(container +
             "\x09"
             "acevec kg",
         "it is a model of acevec kg; give it to the commands of acevec kg");
  refuse(container + "\4task\n", "it is a checkpoint; give it to -resume");
  refuse(container, "it is a checkpoint");
  refuse("0 3\n", "invalid");
  refuse("-1 3\na 1 2 3\n", "invalid");
  refuse("1 99999999999\na 1 2 3\n", "invalid");
  refuse("3 3\na 1 2 3\nb 4 5 6\n", "declares 3 rows, but there are 2");
  refuse("1 3\na 1 2 3\nb 4 5 6\n", "more rows");
  refuse("2 3\na 1 2 3\nb 4 5\n", "row 2 has 2 numbers, not 3");
  refuse("2 3\na 1 2 3\nb 4 five 6\n", "row 2 has \"five\" where a number should be");
  refuse("2 3\na 1 2 3\n1 2 3\n", "row 2 has 2 numbers, not 3");
  refuse("2 3\na 1 2 3\nb 4 nan 6\n", "non-finite");
  refuse("a 1 2 3\nb 4 5\n", "row 2");
  refuse("2 3\n" + binary_row("a", {1, 2, 3}) + "b \1\2", "row 2 is truncated");
  refuse("3 3\n" + binary_row("a", {1, 2, 3}), "declares 3 rows, but there are 1");
  refuse("2 3\n", "declares 2 rows, but there are 0");
  refuse("1 3\n" + binary_row("a", {1, 2, 3}) + binary_row("b", {1, 2, 3}), "more rows");
  refuse("1 3\n" + binary_row("a", {1, std::numeric_limits<float>::quiet_NaN(), 3}), "non-finite");
  refuse("9000000000000000000 100000\n" + binary_row("a", {1, 2, 3}), "truncated");
  refuse("9000000000000000000 3\na 1 2 3\n",
         "declares 9,000,000,000,000,000,000 rows, but there are 1");
  refuse("99999999999999999999 3\na 1 2 3\n", "invalid");
  refuse("1 -3\na 1 2 3\n", "invalid");
  refuse("1 0\na\n", "invalid");
  refuse("2 2\n 1 2\n 3 4\n", "no row has a word");
  refuse("a 1 2 3\nb 4 5 1e39\n", "non-finite");
  refuse("a 1 2 3\nb 4 5 -1e39\n", "non-finite");
  refuse("1 3\n" + binary_row("a\nb", {1, 2, 3}), "row 1 has no word, or other bytes in it");
  refuse("1 3\n" + binary_row("a\tb", {1, 2, 3}), "row 1 has no word, or other bytes in it");
}

TEST_CASE("text that is wrong is not taken for binary, and the cause is named") {
  const std::string rows = "a 1 2 3 4 5 6\nb 1 2 3 4 5 7\n";
  for (const char* const head : {"2 7\n", "2 5\n", "2 300\n"}) {
    CAPTURE(head);
    refuse(head + rows, "numbers per row, but rows have 6; delete or correct that line");
  }
  refuse("1 6\n" + rows, "more rows than its first line declares; if none is missing, delete");
  refuse("3 6\n" + rows, "declares 3 rows, but there are 2; if none is missing, delete");
  refuse("2 2\na 0,5 -1\nb 1 2\n", "row 1 has \"0,5\" where a number should be");
  refuse("2 2\na -0,5 1,25\nb 1 2\n", "write numbers with a point");
  refuse("a -0,5 1,25\nb 1,0 2,5\n", "row 1 has \"-0,5\" where a number should be");
  refuse("7 5\nsome words of a text\n", "row 1 has 0 numbers, not 5");
  refuse("0.5\t-0.25\n-1.5\t0\n", "its rows begin with fractions, not words");
  refuse("2 2\n\xe9t\xe9 0,5 1,5\nb 1 2\n", "row 1 has \"0,5\"");  // Latin-1
}

TEST_CASE("the last fields of a row are its numbers, and what is before them is the word") {
  const TemporaryFolder folder;
  const std::string rows =
      "the 1 2\n. . . 3 4\n 5 6\ncatch 22 7 8\n\t 1 1\nnew\tyork  9 10 \nof 1 2\n";
  for (const std::string& head : {std::string("7 2\n"), std::string()}) {
    CAPTURE(head);
    const WordVectors read = read_vectors(folder.write("v", head + rows));
    CHECK(read.words == std::vector<std::string>{"the", ". . .", "catch 22", "new\tyork", "of"});
    CHECK(read.vectors.row(1)[0] == 3);
    CHECK(read.vectors.row(3)[1] == 10);
    CHECK(read.note ==
          "note: " + folder.path("v") +
              ": blanks in 3 words, such as \". . .\"; left out 2 rows without a word");
  }
  const WordVectors first = read_vectors(folder.write("v", "catch 22 1 2\na 3 4\nb 5 6\n"));
  CHECK(first.words == std::vector<std::string>{"catch 22", "a", "b"});
  CHECK(read_vectors(folder.write("v", "2 2\nnew york 1 2\nb 3 4\n")).words[0] == "new york");
}

TEST_CASE("of a word that is there twice the first row counts, in each format") {
  const TemporaryFolder folder;
  folder.write("v.words", "a\nb\na\n\n");
  folder.write("v.metadata.tsv", "a\nb\na\n\n");
  const std::string binary = "4 1\n" + binary_row("a", {1}) + binary_row("b", {2}) +
                             binary_row("a", {3}) + binary_row("", {4});
  for (const std::string& path :
       {folder.write("v.txt", "4 1\na 1\nb 2\na 3\n 4\n"), folder.write("v.tsv", "1\n2\n3\n4\n"),
        folder.write("v.bin", binary)}) {
    CAPTURE(path);
    const WordVectors read = read_vectors(path);
    CHECK(read.words == std::vector<std::string>{"a", "b"});
    CHECK(read.vectors.row(0)[0] == 1);
    CHECK(read.note == "note: " + path +
                           ": left out 1 row without a word; left out 1 row of repeated words, "
                           "such as \"a\"");
    const auto points = open_rows(path);
    points->take_every_row();
    std::string name;
    float number = 0;
    for (int i = 0; i < 3; ++i) REQUIRE(points->next(name, &number));
    CHECK(name == "a");
    CHECK(number == 3);
    CHECK(points->next(name, &number));
    CHECK(name.empty());
  }
}

// As gensim writes them, without line ends, and as word2vec does.
TEST_CASE("words of binary files may hold blanks") {
  const TemporaryFolder folder;
  Random random(3);
  for (const std::string end : {"", "\n"}) {
    for (const int64_t size : {4, 5, 300}) {
      CAPTURE(end);
      CAPTURE(size);
      const std::vector<std::string> words{"new york", "river", "a b c",
                                           "d e",      "lake",  "two words"};
      std::string file = "6 " + std::to_string(size) + "\n";
      std::vector<float> first;
      for (const std::string& word : words) {
        std::vector<float> numbers(static_cast<size_t>(size));
        for (float& number : numbers) number = random.uniform() - 0.5F;
        if (first.empty()) first = numbers;
        file += binary_row(word, numbers, end);
      }
      const WordVectors read = read_vectors(folder.write("v", file));
      CHECK(read.words == words);
      CHECK(std::equal(first.begin(), first.end(), read.vectors.row(0)));
      CHECK(read.note.ends_with(": blanks in 4 words, such as \"new york\""));
    }
  }
}

TEST_CASE("words of binary files may be cut inside a character, or hold control characters") {
  const TemporaryFolder folder;
  const std::string cut = "\xe6\x97\xa5\xe6", odd = "\x1b[31m";
  for (const std::string& word : {cut, odd}) {
    const WordVectors read = read_vectors(folder.write("v", "3 2\n" + binary_row(word, {1, 2}) +
                                                                binary_row("a", {3, 4}) +
                                                                binary_row(word + "b", {5, 6})));
    CHECK(read.words == std::vector<std::string>{word, "a", word + "b"});
    CHECK(read.vectors.row(2)[1] == 6);
  }
  std::string lost =
      "2 4\n" + binary_row("a", {1, 2, 3, 4}, "") + binary_row("b", {5, 6, 7, 8}, "");
  lost.insert(12, 3, '\1');
  refuse(lost, "row 1 has no word, or other bytes in it; it is damaged");
}

}  // namespace acevec
