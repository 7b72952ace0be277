// Files and pipes are read as they are, and what is no text is refused.

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>

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

}  // namespace acevec
