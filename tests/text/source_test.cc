// Files and pipes are read as they are, and what is no text is refused.
// Several files, gzip or not, and texts in memory are one stream of bytes.

#include "text/source.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "text/source_bytes.h"

namespace acevec {

TEST_CASE("a file is read as it is") {
  const TemporaryFolder folder;
  const std::string bytes = random_bytes(300001);
  const std::string path = folder.write("text", bytes);
  for (const size_t step :
       {size_t{7}, size_t{4096}, size_t{100000}, size_t{300001}, size_t{1} << 20}) {
    Source source(path);
    CHECK(read_by(source, step) == bytes);
    CHECK(source.read(std::string(1, ' ').data(), 1) == 0);
    CHECK(source.name() == path);
  }
  CHECK(all_of(path) == bytes);
  CHECK(all_of(folder.write("empty", "")).empty());
}

TEST_CASE("a byte order mark is left out at the start and nowhere else") {
  const TemporaryFolder folder;
  const std::string mark = "\xef\xbb\xbf";
  for (const std::string& text : {std::string("word\n"), std::string(), std::string("\n"),
                                  std::string("a ") + mark + "\n", mark + "a"}) {
    CHECK(all_of(folder.write("t", mark + text)) == text);
    CHECK(all_of(folder.write("t.gz", packed(mark + text))) == text);
  }
  CHECK(all_of(folder.write("t", "\xef\xbb")) == "\xef\xbb");
  Source wiki(folder.write("wiki", mark + "<x/>"), TextFormat::kWiki);
  CHECK(read_by(wiki, 100) == mark + "<x/>");
}

TEST_CASE("a pipe is read to its end and has no known length") {
  const TemporaryFolder folder;
  const std::string bytes = random_bytes(300001);
  for (const std::string& sent : {bytes, packed(bytes)}) {
    const std::string path = folder.path("pipe");
    std::filesystem::remove(path);
    REQUIRE(mkfifo(path.c_str(), 0600) == 0);
    std::thread writer([&] { folder.write("pipe", sent); });
    Source source(path);
    CHECK(source.fraction() < 0);
    CHECK(read_by(source, 1 << 16) == bytes);
    CHECK(source.fraction() < 0);
    writer.join();
  }
}

TEST_CASE("what cannot be read is refused when it is opened") {
  const TemporaryFolder folder;
  CHECK_THROWS_AS(Source(folder.path("none")), Error);
  CHECK_THROWS_AS(Source(folder.path("")), Error);
}

TEST_CASE("bytes that are no text are refused with advice") {
  const TemporaryFolder folder;
  using namespace std::string_literals;
  for (const auto& [bytes, advice] : {std::pair{"\xff\xfe"
                                                "a\0"s,
                                                "iconv"},
                                      {"\xfe\xff\0a"s, "iconv"},
                                      {"PK\x03\x04\x14"s, "unzip"}}) {
    CHECK(refusal(folder.write("foreign", bytes)).find(advice) != std::string::npos);
    CHECK(refusal(folder.write("foreign.gz", packed(bytes))).find(advice) != std::string::npos);
  }
  for (const char* text :
       {"BZh", "BZhang went", "BZh9 is no archive", "BZh9", "(", "PK", "P", "\xff", "7zXZ"}) {
    CHECK(all_of(folder.write("text", text)) == text);
  }
}

TEST_CASE("a file that is written to while it is read is refused at its end") {
  const TemporaryFolder folder;
  const std::string bytes = random_bytes(400000);
  for (const bool longer : {true, false}) {
    const std::string path = folder.write("text", bytes);
    Source source(path);
    std::string piece(1000, '\0');
    source.read(piece.data(), piece.size());
    longer ? (void)(std::ofstream(path, std::ios::app) << "more")
           : std::filesystem::resize_file(path, 300000);
    CHECK_THROWS_WITH_AS(read_by(source, 1 << 16),
                         doctest::Contains("was changed while it was read"), Error);
  }
}

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
