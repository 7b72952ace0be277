// Tests of text/source: the same bytes from files, gzip files and pipes, and what is refused.

#include "text/source.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <thread>

#include "base/error.h"
#include "base/random.h"
#include "temporary_folder.h"

namespace acevec {
namespace {

// `bytes` as one gzip member.
std::string packed(const std::string& bytes) {
  const TemporaryFolder folder;
  const gzFile file = gzopen(folder.path("packed").c_str(), "wb");
  gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(file);
  return folder.read("packed");
}

std::string random_bytes(size_t size) {
  Random random(1);
  std::string bytes = "text";  // no archive begins so
  while (bytes.size() < size) bytes += static_cast<char>(random() & 0xff);
  return bytes;
}

std::string read_by(Source& source, size_t step) {
  std::string all;
  std::string piece(step, '\0');
  for (size_t got = step; got == step;) {
    got = source.read(piece.data(), step);
    all.append(piece, 0, got);
  }
  return all;
}

std::string all_of(const std::string& path) {
  Source source(path);
  return read_by(source, 1 << 16);
}

std::string refusal(const std::string& path) {
  try {
    all_of(path);
  } catch (const Error& error) {
    return error.what();
  }
  return "read";
}

}  // namespace

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

TEST_CASE("gzip is unpacked whatever the file is called") {
  const TemporaryFolder folder;
  const std::string bytes = random_bytes(300001);
  CHECK(all_of(folder.write("text.gz", packed(bytes))) == bytes);
  CHECK(all_of(folder.write("text", packed(bytes))) == bytes);
  CHECK(all_of(folder.write("plain.gz", bytes)) == bytes);
  CHECK(all_of(folder.write("empty.gz", packed(""))).empty());
}

TEST_CASE("gzip members follow each other") {
  const TemporaryFolder folder;
  const std::string path = folder.write("text.gz", packed("one\n") + packed("") + packed("two\n"));
  CHECK(all_of(path) == "one\ntwo\n");
}

TEST_CASE("zeros may follow the last gzip member, and nothing else") {
  const TemporaryFolder folder;
  const std::string member = packed("one\n");
  for (const size_t zeros : {size_t{1}, size_t{512}, size_t{300000}}) {
    CHECK(all_of(folder.write("t", member + member + std::string(zeros, '\0'))) == "one\none\n");
  }
  const std::string zeros(512, '\0');
  std::string nulled = member;
  nulled[0] = '\0';
  for (const std::string& rest : {std::string("x"), std::string("\n"), nulled, nulled + member,
                                  zeros + "x", zeros + member, member + "\x8b"}) {
    const std::string path = folder.write("t", member + rest);
    CHECK(refusal(path) == "cannot read " + path +
                               ": bytes that are not gzip follow its end; the file is damaged or "
                               "truncated");
  }
  for (const std::string& rest :
       {std::string("\x1f"), std::string("\x1f\x8b"), member.substr(0, member.size() - 1)}) {
    const std::string path = folder.write("t", member + rest);
    CHECK(refusal(path) ==
          "cannot read " + path + ": unexpected end of file; the file is damaged or truncated");
  }
  CHECK(refusal(folder.write("t", member + "\x1fxxxxxxxxxxx"))
            .ends_with("the file is damaged or truncated"));
}

TEST_CASE("members of any size in blocks of any size unpack to their bytes") {
  const TemporaryFolder folder;
  Random random(7);
  std::string bytes = "text";
  std::string gzip = packed(bytes);
  for (int i = 0; i < 60; ++i) {
    std::string more = random_bytes(random.below(i < 50 ? 3000 : 200000));
    if (i % 3 == 0) more = std::string(more.size(), 'a');  // which unpacks to far more than it is
    bytes += more;
    gzip += packed(more);
  }
  const std::string path = folder.write("t", gzip);
  for (const size_t step : {size_t{7}, size_t{4096}, size_t{1} << 20}) {
    Source source(path);
    CHECK(read_by(source, step) == bytes);
    CHECK(source.fraction() == 1);
  }
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

TEST_CASE("a gzip file that is cut or damaged is refused wherever it is") {
  const TemporaryFolder folder;
  const std::string whole = packed(random_bytes(1000));
  for (const size_t length : {size_t{2}, size_t{9}, size_t{15}, whole.size() / 2, whole.size() - 9,
                              whole.size() - 8, whole.size() - 1}) {
    CAPTURE(length);
    const std::string path = folder.write("cut", whole.substr(0, length));
    CHECK(refusal(path) ==
          "cannot read " + path + ": unexpected end of file; the file is damaged or truncated");
  }
  for (const size_t place : {whole.size() / 2, whole.size() - 5}) {
    std::string damaged = whole;
    damaged[place] = static_cast<char>(damaged[place] ^ 0x10);
    CHECK(refusal(folder.write("damaged", damaged)).ends_with("the file is damaged or truncated"));
  }
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
                                      {"BZh91AY&SY\0\0"s, "bzcat"},
                                      {"\xfd"
                                       "7zXZ\0\0"s,
                                       "xzcat"},
                                      {"\x28\xb5\x2f\xfd\x04"s, "zstdcat"},
                                      {"PK\x03\x04\x14"s, "unzip"}}) {
    CHECK(refusal(folder.write("foreign", bytes)).find(advice) != std::string::npos);
    CHECK(refusal(folder.write("foreign.gz", packed(bytes))).find(advice) != std::string::npos);
  }
  for (const char* text : {"BZh", "BZhang went", "BZh9 is no archive", "PK", "P", "\xff", "7zXZ"}) {
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
