// Sentences by Unicode's rules, and words of scripts without spaces by dictionaries.

#include "text/segments.h"

#include <doctest/doctest.h>
#include <unicode/ubrk.h>
#include <unicode/uscript.h>
#include <unicode/utext.h>

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/random.h"
#include "base/utf8.h"

namespace acevec {
namespace {

std::string words_of(std::string_view run) {
  std::string words;
  append_unspaced_words(run, words);
  return words;
}

// A space behind each word, as append_unspaced_words() has it.
std::string words_by_icu(std::string_view run) {
  UErrorCode code = U_ZERO_ERROR;
  UText text = UTEXT_INITIALIZER;
  utext_openUTF8(&text, run.data(), static_cast<int64_t>(run.size()), &code);
  UBreakIterator* const iterator = ubrk_open(UBRK_WORD, "en", nullptr, 0, &code);
  ubrk_setUText(iterator, &text, &code);
  REQUIRE(U_SUCCESS(code));
  std::string words;
  int32_t begin = ubrk_first(iterator);
  for (int32_t end = ubrk_next(iterator); end != UBRK_DONE; end = ubrk_next(iterator)) {
    words += run.substr(static_cast<size_t>(begin), static_cast<size_t>(end - begin));
    words += ' ';
    begin = end;
  }
  ubrk_close(iterator);
  utext_close(&text);
  return words;
}

const std::vector<std::string> kRuns{
    "我们今天去学校学习中文", "彼女は駅で友達を待っている", "コーヒーを飲む人々", "วันนี้อากาศดีมาก",
    "ຂ້ອຍຮັກປະເທດລາວ",          "ខ្ញុំស្រលាញ់ប្រទេសកម្ពុជា",          "ကျွန်တော်မြန်မာစာဖတ်တယ်",  "ｺｰﾋｰを飲む",
    "𠮷野家で食べる"};

}  // namespace

TEST_CASE("sentences come without the white space around them, and no byte gets lost") {
  const auto split = [&](std::string_view paragraph) {
    std::vector<std::string> sentences;
    split_sentences(paragraph, [&](std::string_view one) { sentences.emplace_back(one); });
    return sentences;
  };
  using Sentences = std::vector<std::string>;
  CHECK(split("  One here. Is it two?  It is 3.5 miles!  ") ==
        Sentences{"One here.", "Is it two?", "It is 3.5 miles!"});
  CHECK(split("no end") == Sentences{"no end"});
  CHECK(split("").empty());
  CHECK(split(" \t ").empty());
  CHECK(split("\u4f60\u597d\u3002\u518d\u89c1\u3002") ==
        Sentences{"\u4f60\u597d\u3002", "\u518d\u89c1\u3002"});
  CHECK(split("odd \xff byte. Next.") == Sentences{"odd \xff byte.", "Next."});
  const auto fail = [](std::string_view) { throw std::runtime_error("full"); };
  CHECK_THROWS_WITH(split_sentences("One. Two.", fail), "full");  // leaves no memory behind
  CHECK(split("Again. Here.") == Sentences{"Again.", "Here."});
}

TEST_CASE("clear words of each script") {
  CHECK(words_of("北京是首都") == "北京 是 首都 ");
  CHECK(words_of("東京は日本の首都") == "東京 は 日本 の 首都 ");
  CHECK(words_of("コーヒーを飲む") == "コーヒー を 飲む ");
  CHECK(words_of("เมืองหลวงของประเทศไทย") == "เมือง หลวง ของ ประเทศไทย ");
  CHECK(words_of("ປະເທດລາວ") == "ປະເທດ ລາວ ");
  CHECK(words_of("ប្រទេសកម្ពុជា") == "ប្រទេស កម្ពុជា ");
  CHECK(words_of("မြန်မာစာ") == "မြန်မာ စာ ");
  CHECK(words_of("").empty());
}

TEST_CASE("words are ICU's, also of several runs in one") {
  Random random(1);
  for (const std::string& run : kRuns) CHECK(words_of(run) == words_by_icu(run));
  for (int round = 0; round < 200; ++round) {
    std::string run;
    for (uint32_t left = 1 + random.below(5); left > 0; --left) {
      run += kRuns[random.below(static_cast<uint32_t>(kRuns.size()))];
    }
    REQUIRE(words_of(run) == words_by_icu(run));
  }
}

TEST_CASE("no byte of a long run without punctuation gets lost") {
  std::string run;
  while (run.size() < (1 << 20)) run += kRuns[0];
  std::string words = words_of(run);
  CHECK(words.starts_with("我们 今天 去 学校 学习 中文 我们 "));
  std::erase(words, ' ');
  CHECK(words == run);
}

TEST_CASE("threads have iterators of their own") {
  std::vector<std::string> found(8);
  {
    std::vector<std::jthread> threads;
    for (std::string& words : found) {
      threads.emplace_back([&words] {
        for (const std::string& run : kRuns) append_unspaced_words(run, words);
      });
    }
  }
  std::string expected;
  for (const std::string& run : kRuns) expected += words_by_icu(run);
  for (const std::string& words : found) CHECK(words == expected);
}

TEST_CASE("which letters put no spaces between words") {
  for (const char32_t letter : U"中々〇ひカｶーｰﾞไທខမ𠮷") {
    if (letter != 0) CHECK(is_unspaced(letter));
  }
  for (const char32_t letter : U"aéЖαشहགያ한𝐀") CHECK(!is_unspaced(letter));
}

}  // namespace acevec
