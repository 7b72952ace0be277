// Tests of cluster/shared_corpus: the words of all processes are those of one.

#include "cluster/shared_corpus.h"

#include <doctest/doctest.h>

#include <mutex>
#include <string>

#include "base/error.h"
#include "cluster/thread_peers.h"
#include "temporary_folder.h"
#include "text/random_lines.h"

namespace acevec {

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
