// Pairs with and without connecting words, joined in lines by hand, and counted in as many scans as
// memory needs. Phrases against a plain reference that counts in maps of strings.

#include "phrases/phrases.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/random.h"
#include "temporary_folder.h"

namespace acevec {
namespace {

using Lines = std::vector<std::vector<std::string>>;

// Lines of words with a few frequent followers, so that there is something to join.
Lines random_lines() {
  Random random(11);
  Lines lines(3000);
  for (auto& line : lines) {
    const uint32_t length = random.below(12);
    for (uint32_t i = 0; i < length; ++i) {
      const uint32_t word = random.below(40) * random.below(40) / 13;
      line.push_back("w" + std::to_string(word));
      if (word % 9 == 0 && random.below(4) > 0) line.push_back("x" + std::to_string(word % 4));
      if (word % 27 == 0 && random.below(3) > 0) line.push_back("w7");
    }
  }
  lines[5] = {"w0_x0", "w3", "w0_x0", "w3"};  // looks like a phrase that will be made
  return lines;
}

std::string text_of(const Lines& lines) {
  std::string text;
  for (const auto& line : lines) {
    for (size_t i = 0; i < line.size(); ++i) text += (i > 0 ? " " : "") + line[i];
    text += '\n';
  }
  return text;
}

// One pass; returns the phrases with their scores.
std::map<std::string, double> plain_pass(Lines& lines, double threshold, double min_count) {
  std::map<std::string, double> words;
  std::map<std::pair<std::string, std::string>, double> pairs;
  double tokens = 0;
  for (const auto& line : lines) {
    for (size_t i = 0; i < line.size(); ++i) {
      ++tokens;
      ++words[line[i]];
      if (i > 0) ++pairs[{line[i - 1], line[i]}];
    }
  }
  const auto score = [&](const std::string& a, const std::string& b) {
    return (pairs[{a, b}] - min_count) / (words[a] * words[b]) * tokens;
  };
  std::map<std::string, double> found;
  for (auto& line : lines) {
    std::vector<std::string> joined;
    bool open = false;  // the last word may still be joined to
    for (const std::string& word : line) {
      const double value = open ? score(joined.back(), word) : 0;
      if (open && value > threshold) {
        joined.back() += "_" + word;
        found[joined.back()] = value;
      } else {
        joined.push_back(word);
      }
      open = !(open && value > threshold);
    }
    line = joined;
  }
  return found;
}

}  // namespace

TEST_CASE("phrases are those of a plain reference, for any memory and number of threads") {
  const TemporaryFolder folder;
  const Lines lines = random_lines();
  Source source(folder.write("text", text_of(lines)));
  const Corpus corpus = read_corpus(source, {.threads = 2}, [](double, int64_t) {});
  for (const double threshold : {0.0, 2.0, 7.5}) {
    for (const int passes : {1, 3}) {
      Lines expected = lines;
      std::vector<std::map<std::string, double>> found;
      for (int pass = 0; pass < passes; ++pass) found.push_back(plain_pass(expected, threshold, 4));
      REQUIRE(found[0].size() > 3);
      for (const int threads : {1, 3}) {
        for (const int64_t bytes : {1 << 30, 1}) {
          const PhraseSettings settings{threshold, 4, passes, "_", bytes, threads, {}};
          const Phrases phrases(corpus, settings, [](int, const PhrasePass&) {});
          std::string text;
          int64_t joined = 0;
          for (int64_t chunk = 0; chunk < corpus.chunks(); ++chunk) {
            int64_t own = 0;
            text += phrases.text(chunk, own);
            joined += own;
          }
          CHECK(text == text_of(expected));
          size_t left = 0;
          for (const auto& line : expected) left += line.size();
          CHECK(joined == corpus.report().tokens - static_cast<int64_t>(left));
          REQUIRE(phrases.passes().size() == static_cast<size_t>(passes));
          for (size_t pass = 0; pass < found.size(); ++pass) {
            const PhrasePass& own = phrases.passes()[pass];
            CHECK((own.scans > 1) == (bytes == 1));
            std::set<std::string> spellings;
            for (const Phrase& phrase : own.phrases) {
              const std::string spelling = phrases.spelling(phrase);
              spellings.insert(spelling);
              const auto reference = found[pass].find(spelling);
              if (reference == found[pass].end()) continue;  // its words were joined otherwise
              CHECK(phrase.score == doctest::Approx(reference->second));
            }
            for (const auto& [spelling, score] : found[pass]) CHECK(spellings.contains(spelling));
          }
        }
      }
    }
  }
}

TEST_CASE("a pair has words at its ends, and at most two connecting words between them") {
  const PairRules rules(Vocabulary({{"bank", 8},
                                    {"of", 7},
                                    {"the", 6},
                                    {"england", 5},
                                    {",", 4},
                                    {"\u3001", 3},
                                    {"a1", 2},
                                    {"\xff", 1}},
                                   1, 0),
                        {"the", "of"});
  const auto text = [&](const std::vector<int32_t>& ids) {
    const auto found = rules.at(ids, 0);
    if (!found) return std::string("none");
    const WordPair same = pair_of(pair_key(found->pair));
    CHECK(same.first == ids[0]);
    CHECK(same.second == ids[found->last]);
    std::string all;
    for (const std::string_view word : rules.between(same.between)) all += std::string(word) + " ";
    return all + std::to_string(found->last);
  };
  CHECK(text({0, 3}) == "1");
  CHECK(text({0, 1, 3}) == "of 2");
  CHECK(text({0, 1, 2, 3}) == "of the 3");
  CHECK(text({0, 2, 1, 3}) == "the of 3");
  CHECK(text({0, 1, 1, 1, 3}) == "none");
  CHECK(text({0, 1, 1, 1}) == "none");
  CHECK(text({0, 1, 2}) == "none");
  CHECK(text({0, 1, -1, 3}) == "none");
  CHECK(text({0, -1}) == "none");
  CHECK(text({-1, 0}) == "none");
  CHECK(text({0}) == "none");
  for (const int32_t id : {1, 2, 4, 5}) CHECK(text({id, 3}) == "none");
  for (const int32_t id : {4, 5}) CHECK(text({0, id, 3}) == "none");
  for (const int32_t id : {6, 7, 1000}) CHECK(text({0, id, 3}) == "1");  // 1000: a phrase
}

TEST_CASE("pairs are joined from left to right, and never across lines") {
  const PairRules rules({}, {});
  Joiner joiner;
  joiner.add({1, 2}, 10);
  joiner.add({2, 1}, 11);
  joiner.add({3, 3}, 12);
  std::vector<int32_t> ids{1, 2, 1, -1, 1, -1, 2, 1, 3, 3, 3, 10, 2, -1, -1, 1};
  CHECK(joiner.join(rules, ids) == 3);
  CHECK(ids == std::vector<int32_t>{10, 1, -1, 1, -1, 11, 12, 3, 10, 2, -1, -1, 1});
}

TEST_CASE("tables of pairs count what fits, and the next scan the rest") {
  std::vector<std::vector<uint64_t>> pairs(PairTables::kTables);
  for (int32_t i = 0; i < 20000; ++i) {
    const uint64_t pair = pair_key({i % 5000, i % 77});
    pairs[static_cast<size_t>(PairTables::table_of(pair))].push_back(pair);
  }
  std::map<uint64_t, int64_t> expected;
  for (const auto& table : pairs) {
    for (const uint64_t pair : table) ++expected[pair];
  }
  std::map<uint64_t, int64_t> counted;
  int scans = 0;
  for (int first = 0; first < PairTables::kTables; ++scans) {
    PairTables tables(first, 100000);
    for (int round = 0; round < 2; ++round) {
      for (int table = PairTables::kTables - 1; table >= 0; --table) {
        tables.add(table, pairs[static_cast<size_t>(table)]);  // some are not wanted now
      }
    }
    tables.for_each([&](uint64_t pair, int64_t count) {
      CHECK_FALSE(counted.contains(pair));
      counted[pair] = count;
    });
    REQUIRE(tables.last() > first);
    first = tables.last();
  }
  CHECK(scans > 2);
  CHECK(scans < 30);  // what is not wanted takes no memory
  for (auto& [pair, count] : expected) count *= 2;
  CHECK(counted == expected);
}

}  // namespace acevec
