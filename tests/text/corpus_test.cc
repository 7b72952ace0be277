// Tests of text/corpus: the ids of a text against a slow reader, with any number of threads.

#include "text/corpus.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <sstream>
#include <string>

#include "base/error.h"
#include "base/random.h"
#include "temporary_folder.h"

namespace acevec {
namespace {

// Lines of words with Zipf-like frequencies; about 1 MB, so that there are several chunks.
std::string sample_text() {
  Random random(1);
  std::string text;
  for (int line = 0; line < 20000; ++line) {
    for (uint32_t n = random.below(15); n > 0; --n) {
      text += "w" + std::to_string(random.below(1 + random.below(1 + random.below(20000)))) + " ";
    }
    text += '\n';
  }
  return text + "the end without a line end";
}

using Lines = std::vector<std::vector<std::string>>;

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    lines.emplace_back();
    for (std::string word; words >> word;) lines.back().push_back(word);
  }
  return lines;
}

std::map<std::string, int64_t> counts_of(const Lines& lines) {
  std::map<std::string, int64_t> counts;
  for (const auto& line : lines) {
    for (const std::string& word : line) ++counts[word];
  }
  return counts;
}

// The text that the corpus gives back, words that are not in the vocabulary left out.
Lines read_back(const Corpus& corpus) {
  Lines lines(1);
  std::vector<int32_t> ids;
  for (int64_t chunk = 0; chunk < corpus.chunks(); ++chunk) {
    corpus.read(chunk, ids);
    for (const int32_t id : ids) {
      if (id == kLineEnd) {
        lines.emplace_back();
      } else {
        lines.back().push_back(corpus.vocabulary().word(id));
      }
    }
  }
  return lines;
}

Corpus read(const std::string& path, const CorpusSettings& settings) {
  Source source(path);
  return read_corpus(source, settings, [](double, int64_t) {});
}

bool same_words(const Vocabulary& a, const Vocabulary& b) {
  if (a.size() != b.size()) return false;
  for (int32_t id = 0; id < a.size(); ++id) {
    if (a.word(id) != b.word(id) || a.count(id) != b.count(id)) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("a corpus is the same whatever memory its words are counted in") {
  const TemporaryFolder folder;
  const std::string path = folder.write("text", sample_text());
  const std::vector<WordCount> given{{"w7", 9}, {"never", 8}, {"w0", 7}};
  for (const CorpusSettings& settings : {CorpusSettings{.min_count = 3},
                                         {.min_count = 2, .max_words = 100},
                                         {.given_vocabulary = given},
                                         {.heldout = 0.2, .seed = 3}}) {
    const Corpus expected = read(path, settings);
    CHECK(expected.counting_disk_bytes() == 0);
    for (const int threads : {1, 3}) {
      for (const int64_t bytes : {int64_t{0}, int64_t{1} << 20}) {
        CAPTURE(threads);
        CAPTURE(bytes);
        CorpusSettings small = settings;
        small.threads = threads;
        small.counting_bytes = bytes;
        const Corpus corpus = read(path, small);
        CHECK(corpus.counting_disk_bytes() > 0);
        CHECK(same_words(corpus.vocabulary(), expected.vocabulary()));
        CHECK(corpus.distinct_tokens() == expected.distinct_tokens());
        CHECK(corpus.kept_tokens() == expected.kept_tokens());
        CHECK(corpus.fingerprint() == expected.fingerprint());
        CHECK((corpus.heldout() == expected.heldout()));
        CHECK((read_back(corpus) == read_back(expected)));
      }
    }
  }
}

TEST_CASE("two readers of half a text each have the words of the whole") {
  const TemporaryFolder folder;
  const std::string text = sample_text();
  const size_t half = text.find('\n', text.size() / 2) + 1;
  const std::vector<std::string> halves{folder.write("first", text.substr(0, half)),
                                        folder.write("second", text.substr(half))};
  const Corpus whole = read(folder.write("whole", text), {.min_count = 5});
  for (const int64_t bytes : {int64_t{0}, int64_t{1} << 30}) {
    std::vector<std::unique_ptr<CountedText>> texts;
    for (const std::string& path : halves) {
      Source source(path);
      texts.push_back(std::make_unique<CountedText>(
          source, CorpusSettings{.threads = 2, .counting_bytes = bytes}, [](double, int64_t) {}));
    }
    std::vector<WordTotals> own;
    for (const auto& half_text : texts) own.push_back(total_counts(half_text->counts, 2, 1, 0));
    int64_t kept = 0;
    Lines lines;
    for (size_t i = 0; i < 2; ++i) {
      texts[i]->counts.add(own[1 - i].words);
      const Corpus corpus(std::move(*texts[i]), total_counts(texts[i]->counts, 2, 5, 0),
                          {.min_count = 5});
      CHECK(same_words(corpus.vocabulary(), whole.vocabulary()));
      CHECK(corpus.distinct_tokens() == whole.distinct_tokens());
      kept += corpus.kept_tokens();
      if (!lines.empty()) lines.pop_back();  // the first half ends with a line end
      const Lines read = read_back(corpus);
      lines.insert(lines.end(), read.begin(), read.end());
    }
    CHECK(kept == whole.kept_tokens());
    CHECK((lines == read_back(whole)));
  }
}

TEST_CASE("a corpus is its text whatever the number of threads") {
  const TemporaryFolder folder;
  const std::string text = sample_text();
  const std::string path = folder.write("text", text);
  const Lines lines = lines_of(text);
  const std::map<std::string, int64_t> counts = counts_of(lines);
  for (const int threads : {1, 2, 5}) {
    for (const int64_t min_count : {1, 7}) {
      CAPTURE(threads);
      CAPTURE(min_count);
      const Corpus corpus = read(path, {.min_count = min_count, .threads = threads});
      Lines expected = lines;
      int64_t kept = 0;
      for (auto& line : expected) {
        std::erase_if(line, [&](const std::string& word) { return counts.at(word) < min_count; });
        kept += static_cast<int64_t>(line.size());
      }
      CHECK(corpus.chunks() > 2);
      CHECK((read_back(corpus) == expected));
      CHECK((read_back(corpus) == expected));  // as often as one likes
      CHECK(corpus.kept_tokens() == kept);
      CHECK(corpus.vocabulary().total() == kept);
      CHECK(corpus.distinct_tokens() == static_cast<int64_t>(counts.size()));
      CHECK(corpus.report().lines == static_cast<int64_t>(lines.size()));
      CHECK(corpus.store_bytes() > 0);
      for (int32_t id = 0; id < corpus.vocabulary().size(); ++id) {
        REQUIRE(corpus.vocabulary().count(id) == counts.at(corpus.vocabulary().word(id)));
      }
    }
  }
}

TEST_CASE("a last line without an end is a line") {
  const TemporaryFolder folder;
  const auto lines = [&](const std::string& text) {
    return read(folder.write("text", text), {}).report().lines;
  };
  CHECK(lines("") == 0);
  CHECK(lines("a") == 1);
  CHECK(lines("a\n") == 1);
  CHECK(lines("a\nb") == 2);
  CHECK(lines("a\n\n") == 2);
  CHECK(lines("a\n ") == 1);
  std::string several_chunks;
  while (several_chunks.size() < 1000000) several_chunks += "a b ";
  CHECK(lines(several_chunks + "a") == 1);
  CHECK(lines(several_chunks + "a\n") == 1);
}

TEST_CASE("a given vocabulary decides words and counts") {
  const TemporaryFolder folder;
  const std::string path = folder.write("text", "a b c\nb d b\n");
  const std::vector<WordCount> given{{"b", 100}, {"never", 50}, {"a", 70}, {"d", 2}};
  const Corpus corpus = read(path, {.min_count = 5, .given_vocabulary = given, .threads = 2});
  REQUIRE(corpus.vocabulary().size() == 3);
  CHECK(corpus.vocabulary().word(1) == "a");
  CHECK(corpus.vocabulary().count(1) == 70);
  CHECK(corpus.vocabulary().word(2) == "never");
  CHECK(corpus.kept_tokens() == 4);
  CHECK(corpus.report().tokens == 6);
  CHECK(corpus.distinct_tokens() == 4);
  CHECK(read_back(corpus) == Lines{{"a", "b"}, {"b", "b"}, {}});
}

TEST_CASE("the number of words can be limited") {
  const TemporaryFolder folder;
  const Corpus corpus = read(folder.write("text", "c b b a a a"), {.max_words = 2});
  CHECK(corpus.vocabulary().size() == 2);
  CHECK(corpus.kept_tokens() == 5);
  CHECK(read_back(corpus) == Lines{{"b", "b", "a", "a", "a"}});
}

TEST_CASE("words can be separated while reading") {
  const TemporaryFolder folder;
  const Corpus corpus =
      read(folder.write("text", "The caf\xc3\x89, the\xff!\n"), {.mode = TokenMode::kWords});
  CHECK(read_back(corpus) == Lines{{"the", "caf\xc3\xa9", ",", "the\xef\xbf\xbd", "!"}, {}});
  CHECK(corpus.report().invalid_tokens == 1);
}

TEST_CASE("a text without words is an empty corpus") {
  const TemporaryFolder folder;
  for (const char* text : {"", " \n\t\n"}) {
    const Corpus corpus = read(folder.write("text", text), {});
    CHECK(corpus.vocabulary().size() == 0);
    CHECK(corpus.kept_tokens() == 0);
    CHECK(corpus.report().tokens == 0);
  }
}

TEST_CASE("giant tokens are counted with the long ones") {
  const TemporaryFolder folder;
  const std::string text = "a " + std::string(3 << 20, 'x') + " b " + std::string(2000, 'y') + "\n";
  const Corpus corpus = read(folder.write("text", text), {});
  CHECK(read_back(corpus) == Lines{{"a", "b"}, {}});
  CHECK(corpus.report().long_tokens == 2);
}

TEST_CASE("what is mostly not UTF-8 is no text") {
  const auto require = [](int64_t tokens, int64_t invalid, int64_t nul) {
    TextReport report;
    report.tokens = tokens;
    report.invalid_tokens = invalid;
    report.nul_bytes = nul;
    require_text(report);
  };
  CHECK_THROWS_AS(require(0, 0, 0), Error);
  require(99, 99, 99);  // too few to tell
  require(100, 50, 50);
  CHECK_THROWS_AS(require(100, 51, 0), Error);
  CHECK_THROWS_AS(require(100, 0, 51), Error);
}

TEST_CASE("progress reaches the end of the text") {
  const TemporaryFolder folder;
  Source source(folder.write("text", sample_text()));
  double last_fraction = 0;
  int64_t last_tokens = 0;
  const Corpus corpus = read_corpus(source, {.threads = 2}, [&](double fraction, int64_t tokens) {
    last_fraction = std::max(last_fraction, fraction);
    CHECK(tokens >= last_tokens);
    last_tokens = tokens;
  });
  CHECK(last_fraction == 1);
  CHECK(last_tokens == corpus.report().tokens);
}

TEST_CASE("an error in any thread ends the reading") {
  const TemporaryFolder folder;
  // A gzip header and what is no deflate stream.
  const std::string path =
      folder.write("text.gz", "\x1f\x8b\x08" + std::string(7, '\0') + "\xff\xff");
  CHECK_THROWS_AS(read(path, {.threads = 3}), Error);
}

TEST_CASE("held-out lines are the same for all threads, and not among the others") {
  const TemporaryFolder folder;
  std::string text;
  for (int line = 0; line < 30000; ++line) text += "line " + std::to_string(line) + " here\n";
  const std::string path = folder.write("text", text);
  const Corpus all = read(path, {});
  std::vector<std::string> first;
  for (const int threads : {1, 3}) {
    const Corpus corpus = read(path, {.threads = threads, .heldout = 0.1, .seed = 5});
    std::vector<std::string> heldout;
    std::map<std::string, int> seen;
    for (const std::vector<int32_t>& piece : corpus.heldout()) {
      REQUIRE(piece.size() % 4 == 0);
      for (size_t i = 0; i < piece.size(); i += 4) {
        REQUIRE(piece[i + 3] == kLineEnd);
        heldout.push_back(corpus.vocabulary().word(piece[i + 1]));
        ++seen[heldout.back()];
      }
    }
    CHECK(corpus.chunks() > 1);
    CHECK(static_cast<double>(heldout.size()) == doctest::Approx(3000).epsilon(0.1));
    CHECK(corpus.heldout_tokens() == 3 * static_cast<int64_t>(heldout.size()));
    CHECK(corpus.kept_tokens() + corpus.heldout_tokens() == all.kept_tokens());
    CHECK(corpus.vocabulary().total() == all.vocabulary().total());
    for (const auto& line : read_back(corpus)) {
      if (!line.empty()) ++seen[line[1]];
    }
    CHECK(seen.size() == 30000);
    CHECK(std::all_of(seen.begin(), seen.end(), [](const auto& word) { return word.second == 1; }));
    if (first.empty()) first = heldout;
    CHECK((heldout == first));
  }
  const Corpus other = read(path, {.heldout = 0.1, .seed = 6});
  CHECK(other.vocabulary().word(other.heldout()[0][1]) != first[0]);
}

TEST_CASE("a fingerprint is the text's, however it is read, and changes with it") {
  const TemporaryFolder folder;
  std::string text = sample_text();
  const uint64_t one = read(folder.write("text", text), {}).fingerprint();
  CHECK(read(folder.write("copy", text), {.min_count = 3, .threads = 3}).fingerprint() == one);
  const size_t other = text.find_first_not_of(text[1000], text.size() - 1000);
  std::swap(text[1000], text[other]);
  CHECK(read(folder.write("other", text), {}).fingerprint() != one);
  CHECK(read(folder.write("longer", text + " "), {}).fingerprint() != one);
}

}  // namespace acevec
