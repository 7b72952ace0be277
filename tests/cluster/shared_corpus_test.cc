// Tests of text/file_shares: each line is read by one process.
// Tests of cluster/shared_corpus: the words of all processes are those of one.

#include "cluster/shared_corpus.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <mutex>
#include <string>

#include "base/error.h"
#include "cluster/thread_peers.h"
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

TEST_CASE("what cannot be shared is refused by all") {
  const TemporaryFolder folder;
  folder.write("part-0", "a\n");
  folder.write("part-1", "b\n");
  for (const std::string& typed : {std::string("-"), std::string("/dev/null"), folder.path("none"),
                                   folder.path("part-%r/x")}) {
    CHECK_THROWS_AS(among_peers(2,
                                [&](Peers& peers) {
                                  Source(share_of_text({typed}, TextFormat::kText, peers),
                                         TextFormat::kText);
                                }),
                    Error);
  }
  among_peers(2, [&](Peers& peers) {
    CHECK(read_all(share_of_text({folder.path("part-%r")}, TextFormat::kText, peers)) ==
          (peers.rank() == 0 ? "a\n" : "b\n"));
  });
  among_peers(1, [&](Peers& peers) {
    CHECK(share_of_text({"-"}, TextFormat::kText, peers).front().path == "-");
  });
}

TEST_CASE("a shared corpus has the vocabulary of one, whatever the memory") {
  const TemporaryFolder folder;
  const std::string path = folder.write("text", random_lines(7, 20000));
  for (const int64_t bytes : {int64_t{1}, int64_t{1} << 30}) {
    for (const int64_t most : {0, 300}) {
      CorpusSettings settings;
      settings.min_count = 2;
      settings.max_words = most;
      settings.counting_bytes = bytes;
      settings.threads = 2;
      settings.heldout = 0.1;
      Source source(path);
      const Corpus whole = read_corpus(source, settings, [](double, int64_t) {});
      std::mutex mutex;
      int64_t kept = 0;
      int64_t heldout = 0;
      among_peers(3, [&](Peers& peers) {
        Progress progress(true);
        Source part(share_of_text({path}, TextFormat::kText, peers), TextFormat::kText);
        const Corpus corpus = read_shared_corpus(part, settings, progress, peers);
        const std::lock_guard lock(mutex);
        REQUIRE(corpus.vocabulary().size() == whole.vocabulary().size());
        bool same = true;
        for (int32_t id = 0; id < whole.vocabulary().size(); ++id) {
          same = same && corpus.vocabulary().word(id) == whole.vocabulary().word(id) &&
                 corpus.vocabulary().count(id) == whole.vocabulary().count(id);
        }
        CHECK(same);
        CHECK(corpus.distinct_tokens() == whole.distinct_tokens());
        CHECK(corpus.report().tokens == whole.report().tokens);
        CHECK(corpus.report().lines == whole.report().lines);
        CHECK(corpus.tokens_of_all() == whole.kept_tokens());
        kept += corpus.kept_tokens();
        heldout += corpus.heldout_tokens();
      });
      CHECK(kept == whole.kept_tokens());
      CHECK(heldout == whole.heldout_tokens());  // the same lines
    }
  }
}

TEST_CASE("a process without a text stops all") {
  const TemporaryFolder folder;
  const std::string path = folder.write("text", "a line of words\n");
  CHECK_THROWS_WITH_AS(among_peers(3,
                                   [&](Peers& peers) {
                                     Progress progress(true);
                                     Source part(share_of_text({path}, TextFormat::kText, peers),
                                                 TextFormat::kText);
                                     read_shared_corpus(part, {}, progress, peers);
                                   }),
                       doctest::Contains("has no text to train on"), Error);
}

}  // namespace acevec
