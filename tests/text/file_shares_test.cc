// Tests of text/file_shares: each line is read by one process.

#include "text/file_shares.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "base/error.h"
#include "temporary_folder.h"
#include "text/random_lines.h"

namespace acevec {
namespace {

constexpr const char* kGzip =
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x03\x00\x00\x00\x00\x00"
    "\x00\x00\x00\x00";

}  // namespace

TEST_CASE("plain files are shared out by bytes, in whole lines") {
  const TemporaryFolder folder;
  const std::string a = random_lines(1, 3000);
  const std::string b = random_lines(2, 1000);
  const std::vector<std::string> paths{folder.write("a", a), folder.write("empty", ""),
                                       folder.write("b", b)};
  for (const int count : {1, 2, 3, 7}) {
    std::string together;
    size_t most = 0;
    for (int rank = 0; rank < count; ++rank) {
      const std::string share = read_all(share_of_files(paths, TextFormat::kText, rank, count));
      if (!share.empty()) CHECK(share.back() == '\n');
      most = std::max(most, share.size());
      together += share;
    }
    CHECK((together == a + b));
    CHECK(most < (a.size() + b.size()) / static_cast<size_t>(count) + 1000);
  }
}

TEST_CASE("more processes than lines leave some without a text") {
  const TemporaryFolder folder;
  const std::string path = folder.write("text", "one line\nand another, the last");
  std::string together;
  for (int rank = 0; rank < 20; ++rank) {
    together += read_all(share_of_files({path}, TextFormat::kText, rank, 20));
  }
  CHECK(together == "one line\nand another, the last");
}

TEST_CASE("a line longer than a MiB is cut between words") {
  const TemporaryFolder folder;
  std::string text;
  Random random(5);
  while (text.size() < 5000000) text += std::to_string(random.below(100000)) + " ";
  const std::string path = folder.write("text8", text);
  std::string together;
  for (int rank = 0; rank < 3; ++rank) {
    const std::string share = read_all(share_of_files({path}, TextFormat::kText, rank, 3));
    CHECK(share.size() > 1600000);
    CHECK(share.back() == ' ');
    together += share;
  }
  CHECK((together == text));
  const std::string endless = folder.write("endless", std::string(3000000, 'x'));
  CHECK(cut_near(endless, 1000000) > 1000000);
}

TEST_CASE("packed files and dumps are dealt out by size") {
  const TemporaryFolder folder;
  std::vector<std::string> paths;
  for (int i = 0; i < 6; ++i) {
    paths.push_back(folder.write(std::to_string(i),
                                 std::string(kGzip, 20) + std::string(size_t{1000} << i, '\0')));
  }
  std::vector<std::string> dealt;
  for (int rank = 0; rank < 2; ++rank) {
    const std::vector<FilePart> share = share_of_files(paths, TextFormat::kText, rank, 2);
    if (rank == 0) CHECK(share.size() == 1);  // the largest is more than all others
    for (const FilePart& file : share) {
      CHECK(file.end == -1);
      dealt.push_back(file.path);
    }
  }
  std::sort(dealt.begin(), dealt.end());
  CHECK(dealt == paths);
  CHECK_THROWS_AS(share_of_files({paths[0]}, TextFormat::kText, 0, 2), UsageError);
  CHECK_THROWS_AS(share_of_files({folder.write("x", "<mediawiki/>")}, TextFormat::kWiki, 0, 2),
                  UsageError);
}

}  // namespace acevec
