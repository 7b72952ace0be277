// Several files, gzip or not, and texts in memory are one stream of bytes.

#include "text/source.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "text/source_bytes.h"

namespace acevec {

TEST_CASE("a text in memory is read as a file is, to its end and not beyond") {
  const std::string text = random_bytes(100000);
  for (const size_t step : {1, 7, 4096, 200000}) {
    Source source = Source::of_text(text);
    CHECK(read_by(source, step) == text);
    CHECK(source.fraction() == 1);
    CHECK(source.ready());
  }
  Source nothing = Source::of_text("");
  CHECK(read_by(nothing, 10).empty());
}

TEST_CASE("read_some gives what is there, and ready tells whether there is something") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  Source source("/proc/self/fd/" + std::to_string(ends[0]));
  const auto send = [&](std::string_view bytes) {
    REQUIRE(write(ends[1], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  };
  char buffer[100];
  CHECK_FALSE(source.ready());
  send("\xef\xbb");
  send("\xbfone\ntw");
  CHECK(source.ready());
  std::string got;
  while (source.ready()) got.append(buffer, source.read_some(buffer, sizeof buffer));
  CHECK(got == "one\ntw");
  send("o");
  CHECK(source.read_some(buffer, sizeof buffer) == 1);
  CHECK_FALSE(source.ready());
  close(ends[1]);
  CHECK(source.ready());
  CHECK(source.read_some(buffer, sizeof buffer) == 0);
  CHECK(source.ready());
  close(ends[0]);
}

TEST_CASE("the fraction grows to 1") {
  const TemporaryFolder folder;
  for (const std::string& bytes : {random_bytes(1000000), packed(random_bytes(1000000))}) {
    Source source(folder.write("text", bytes));
    std::string piece(50000, '\0');
    double before = 0;
    for (size_t got = piece.size(); got == piece.size();) {
      got = source.read(piece.data(), piece.size());
      CHECK(source.fraction() >= before);
      before = source.fraction();
    }
    CHECK(before == 1);
  }
  CHECK(Source(folder.write("empty", "")).fraction() < 0);
}

TEST_CASE("several files follow each other, and none goes on in the line of another") {
  const TemporaryFolder folder;
  const std::string bytes = random_bytes(200001) + "\n";
  const std::string open = "one line and a half";
  const auto path = [&](const char* name, const std::string& content) {
    return folder.write(name, content);
  };
  const std::vector<std::string> paths{path("1", bytes),
                                       path("2.gz", packed(open)),
                                       path("3", ""),
                                       path("4", "\xef\xbb\xbfmark\n"),
                                       path("5.gz", packed("")),
                                       path("6", "\n"),
                                       path("7", "end")};
  const std::string all = bytes + open + "\nmark\n\nend";
  for (const size_t step : {size_t{1}, size_t{7}, size_t{4096}, size_t{1} << 20}) {
    Source source(whole_files(paths), TextFormat::kText);
    CHECK(source.name() == paths.front());
    CHECK(read_by(source, step) == all);
    CHECK(source.fraction() == 1);
    CHECK(source.name() == paths.back());
  }
  Source nothing(whole_files({path("8", ""), path("9", "")}), TextFormat::kText);
  CHECK(read_by(nothing, 10).empty());
}

TEST_CASE("of several files each is looked at, and the one that is wrong is named") {
  const TemporaryFolder folder;
  const std::string good = folder.write("good", "text\n");
  const std::string bad = folder.write("bad.gz", packed("text\n").substr(0, 20));
  CHECK_THROWS_AS(Source(whole_files({good, folder.path("none")}), TextFormat::kText), Error);
  Source source(whole_files({good, bad, good}), TextFormat::kText);
  CHECK_THROWS_WITH_AS(read_by(source, 1 << 16), doctest::Contains(bad.c_str()), Error);
  Source foreign(whole_files({good, folder.write("z", "PK\x03\x04zip")}), TextFormat::kText);
  CHECK_THROWS_WITH_AS(read_by(foreign, 1 << 16), doctest::Contains("a zip archive"), Error);
}

}  // namespace acevec
