// Tests of sentence/pair_text.

#include "tasks/sentence/corpus.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "base/error.h"
#include "tasks/sentence/toy_pairs.h"

namespace acevec::pair_text_test {
namespace {

std::string why_not(const std::string& content) {
  const PairFile file("bad", content);
  try {
    PairText({file.path}, TokenMode::kWords);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("pairs of several files are read in order, and equal texts have one number") {
  const PairFile one("one", "What is a?\tA is b.\r\n\nwhat is  c\tA is b.\n");
  const PairFile two("two", "What is a?\tc\n");
  PairText text({one.path, two.path}, TokenMode::kWords);
  REQUIRE(text.pairs() == 3);
  CHECK(text.tokens() == 4 + 4 + 3 + 4 + 4 + 1);
  CHECK(text.text(0, 1) == text.text(1, 1));
  CHECK(text.text(0, 0) == text.text(2, 0));
  CHECK(text.text(0, 0) != text.text(1, 0));
  REQUIRE(text.words().size() == 7);  // what is a ? b . c
  CHECK(text.words()[1].word == "is");
  CHECK(text.words()[1].count == 5);

  std::vector<WordCount> words{{"other", 9}};
  words.insert(words.end(), text.words().begin(), text.words().end());
  const Vocabulary vocabulary(words, std::numeric_limits<int64_t>::min(), 0);
  text.renumber(vocabulary);
  const auto side = text.side(2, 1);
  REQUIRE(side.size() == 1);
  CHECK(vocabulary.word(side[0]) == "c");
  CHECK(vocabulary.word(text.side(0, 1)[0]) == "a");
}

TEST_CASE("of a long side the first tokens are read") {
  std::string many;
  for (int i = 0; i < 300; ++i) many += "w" + std::to_string(i) + " ";
  const PairFile file("long", "a\t" + many + "\nb\tc\n");
  const PairText text({file.path}, TokenMode::kSpace);
  CHECK(text.side(0, 1).size() == 200);
  CHECK(text.cut() == 1);
}

TEST_CASE("lines that are no pairs are refused by their number") {
  CHECK(why_not("a\tb\nc\n").find("line 2 is not a pair") != std::string::npos);
  CHECK(why_not("a\tb\tc\n").find("line 1 is not a pair") != std::string::npos);
  CHECK(why_not("a\tb\n\n \tb\n").find("line 3 has nothing on a side") != std::string::npos);
  CHECK(why_not("a\t\n").find("line 1 has nothing on a side") != std::string::npos);
  CHECK(why_not("").find("contains no pair") != std::string::npos);
  CHECK(why_not("\n\n").find("contains no pair") != std::string::npos);
  CHECK(why_not("a\tb\nc\tb\n").find("all pairs have the same second side") != std::string::npos);
  CHECK(why_not("a\tb\na\tc\n").find("all pairs have the same first side") != std::string::npos);
  CHECK(why_not("a\tb\nc\td\n").empty());
}

TEST_CASE("texts with labels are read, and lines without a label or a word are left out") {
  const PairFile one("one", "__label__pos Good , __label__new good\nno label\n\n__label__neg\n");
  const PairFile two("two", "bad __label__neg\r\n");
  PairText text = PairText::labelled({one.path, two.path}, TokenMode::kWords);
  REQUIRE(text.pairs() == 2);
  CHECK(text.left_out() == 2);
  CHECK(text.labels() == std::vector<std::string>{"__label__pos", "__label__new", "__label__neg"});
  REQUIRE(text.words().size() == 3);
  CHECK(text.words()[0].word == "good");
  CHECK(text.words()[0].count == 2);
  CHECK(text.texts_of_labels() == std::vector<int64_t>{1, 1, 1});
  CHECK(text.mean_tokens() == 2);
  const Vocabulary vocabulary({{"z", 9}, {"bad", 3}, {"good", 2}, {",", 1}}, 1, 0);
  text.renumber(vocabulary);
  CHECK(vocabulary.word(text.side(0, 0)[2]) == "good");
  CHECK(text.side(0, 1)[1] == 1);
  CHECK(vocabulary.word(text.side(1, 0)[0]) == "bad");
  CHECK(text.side(1, 1)[0] == 2);
}

TEST_CASE("labelled texts that teach nothing are refused") {
  const auto why_no_labels = [](const std::string& content) -> std::string {
    const PairFile file("bad", content);
    try {
      PairText::labelled({file.path}, TokenMode::kWords);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  CHECK(why_no_labels("").find("contains no labelled text") != std::string::npos);
  CHECK(why_no_labels("a b\n__label__x\n").find("contains no labelled text") != std::string::npos);
  CHECK(why_no_labels("__label__x a\n__label__x b\n").find("have the same label") !=
        std::string::npos);
  CHECK(why_no_labels("__label__x a\n__label__y b\n").empty());
}

TEST_CASE("labels are told from words wherever they stand, each once") {
  const LabelledLine line =
      split_labels("__label__a one __label__b\ttwo __label__a label__c __label__");
  CHECK(line.labels == std::vector<std::string>{"__label__a", "__label__b", "__label__"});
  CHECK(line.text == "one two label__c ");
  CHECK(split_labels("").labels.empty());
  CHECK(split_labels("words only").text == "words only ");
  const LabelledLine longer = split_labels("__label__" + std::string(kMaxTokenBytes, 'x') + " a");
  CHECK(longer.labels.empty());
  CHECK(longer.text == "a ");
  CHECK(longer.report.long_tokens == 1);
}

TEST_CASE("texts without spaces may be longer than a word, labels or not") {
  for (const char* const sentence :
       {"房间很大。早餐不错。", "部屋が広い。朝食もよい。", "ห้องกว้าง"}) {
    std::string text;
    while (text.size() <= 2 * kMaxTokenBytes) text += sentence;
    const PairFile labels("labels", "__label__x " + text + "\n" + text + " __label__y b\n");
    const PairText labelled = PairText::labelled({labels.path}, TokenMode::kWords);
    CHECK(labelled.report().long_tokens == 0);
    CHECK(labelled.left_out() == 0);
    const PairFile pairs("pairs", text + "\t1\n" + text + "b\t2\n");
    const PairText paired({pairs.path}, TokenMode::kWords);
    CHECK(paired.report().long_tokens == 0);
    CHECK(labelled.side(0, 0).size() > 100);
    CHECK(std::ranges::equal(labelled.side(0, 0), paired.side(0, 0)));
    const Vocabulary vocabulary(labelled.words(), 1, 0);
    std::vector<int32_t> ids;
    CHECK(SentenceReader(vocabulary, TokenMode::kWords).read(text, ids).long_tokens == 0);
    CHECK(ids.size() >= labelled.side(0, 0).size());
    Source source = Source::of_text(text + "\n" + text);
    const SentenceCorpus corpus(source, {TextFormat::kText, TokenMode::kWords, false, 1, 0});
    CHECK(corpus.report().long_tokens == 0);
    // As tokens between spaces they are too long.
    const PairFile spaced("spaced", "__label__x a " + text + "\n__label__y b\n");
    CHECK(PairText::labelled({spaced.path}, TokenMode::kSpace).report().long_tokens == 1);
  }
}

}  // namespace acevec::pair_text_test
