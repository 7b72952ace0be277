// Runs of bytes against plain loops, for every byte at every place; tokens, repaired or left out;
// and words with their punctuation split off.

#include "text/tokenizer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/random.h"

namespace acevec {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

template <class Of>
int count_first(const std::string& bytes, Of&& of) {
  int count = 0;
  while (count < 8 && of(bytes[static_cast<size_t>(count)])) ++count;
  return count;
}

void check(const std::string& text) {
  const EightBytes bytes(text.data());
  CAPTURE(text);
  REQUIRE(bytes.letters() == count_first(text, is_letter));
  REQUIRE(bytes.before_space_or_control() ==
          count_first(text, [](char c) { return static_cast<unsigned char>(c) > ' '; }));
  for (int count = 0; count <= 8; ++count) {
    bool ascii = true;
    for (int i = 0; i < count; ++i) {
      ascii = ascii && static_cast<unsigned char>(text[static_cast<size_t>(i)]) < 0x80;
    }
    REQUIRE(bytes.ascii(count) == ascii);
  }
}

// A token's end by a plain loop.
size_t plain_end(const std::string& text, size_t at) {
  while (at < text.size() && !is_space(text[at])) ++at;
  return at;
}

using namespace std::string_literals;

constexpr const char* kReplacement = "\xef\xbf\xbd";

// A code point's length at bytes[at ..] by the table of the Unicode standard (table 3-7); 0 when
// none begins there.
size_t valid_length(const std::string& bytes, size_t at) {
  const auto in = [&](size_t offset, int low, int high) {
    if (at + offset >= bytes.size()) return false;
    const auto byte = static_cast<unsigned char>(bytes[at + offset]);
    return byte >= low && byte <= high;
  };
  const auto tail = [&](size_t offset) { return in(offset, 0x80, 0xbf); };
  if (in(0, 0x00, 0x7f)) return 1;
  if (in(0, 0xc2, 0xdf) && tail(1)) return 2;
  if (in(0, 0xe0, 0xe0) && in(1, 0xa0, 0xbf) && tail(2)) return 3;
  if (in(0, 0xe1, 0xec) && tail(1) && tail(2)) return 3;
  if (in(0, 0xed, 0xed) && in(1, 0x80, 0x9f) && tail(2)) return 3;
  if (in(0, 0xee, 0xef) && tail(1) && tail(2)) return 3;
  if (in(0, 0xf0, 0xf0) && in(1, 0x90, 0xbf) && tail(2) && tail(3)) return 4;
  if (in(0, 0xf1, 0xf3) && tail(1) && tail(2) && tail(3)) return 4;
  if (in(0, 0xf4, 0xf4) && in(1, 0x80, 0x8f) && tail(2) && tail(3)) return 4;
  return 0;
}

std::string slow_repair(const std::string& bytes) {
  std::string repaired;
  for (size_t at = 0; at < bytes.size();) {
    const size_t length = valid_length(bytes, at);
    repaired += length == 0 ? kReplacement : bytes.substr(at, length);
    at += std::max<size_t>(length, 1);
  }
  return repaired;
}

// Tokens in order, "\n" for a line end.
std::vector<std::string> slow_split(const std::string& text, TextReport& report) {
  const std::string spaces = " \t\n\v\f\r\0"s;
  std::vector<std::string> tokens;
  std::string token;
  for (const char c : text + ' ') {
    if (spaces.find(c) == std::string::npos) {
      token += c;
      continue;
    }
    if (token.size() > 1000) {
      ++report.long_tokens;
    } else if (!token.empty()) {
      tokens.push_back(slow_repair(token));
      ++report.tokens;
      report.invalid_tokens += tokens.back() == token ? 0 : 1;
    }
    token.clear();
    if (c == '\n') {
      tokens.emplace_back("\n");
      ++report.lines;
    }
    report.nul_bytes += c == '\0' ? 1 : 0;
  }
  return tokens;
}

std::vector<std::string> split(std::string_view text, TextReport& report) {
  std::vector<std::string> tokens;
  split_tokens(
      text, report, [&](std::string_view token) { tokens.emplace_back(token); },
      [&] { tokens.emplace_back("\n"); });
  return tokens;
}

// The words of `text`, a space between each two, "|" for a line end.
std::string words(const std::string& text) {
  TextReport report;
  std::string joined;
  for (const std::string& token : split(separate_words(text, report.invalid_tokens), report)) {
    joined += (joined.empty() ? "" : " ") + (token == "\n" ? "|" : token);
  }
  return joined;
}

}  // namespace

TEST_CASE("every byte at every place is classified as by a plain loop") {
  for (const char other : {'a', 'Z', ' ', '_', '\x7f', '\xff'}) {
    for (int byte = 0; byte < 256; ++byte) {
      for (size_t place = 0; place < 8; ++place) {
        std::string text(8, 'q');
        text[place] = static_cast<char>(byte);
        check(text);
        if (place < 7) text[place + 1] = other;
        check(text);
      }
    }
  }
}

TEST_CASE("tokens end where a plain loop says, control characters inside them") {
  const std::string alphabet = "abcXYZ \t\n\x01\x1f\x7f\xc3\xa9_'.0";
  Random random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (auto left = static_cast<size_t>(40 * random.uniform()); left > 0; --left) {
      text += random.uniform() < 0.6F
                  ? 'k'
                  : alphabet[static_cast<size_t>(random.uniform() * 0.999F *
                                                 static_cast<float>(alphabet.size()))];
    }
    for (size_t at = 0; at <= text.size(); ++at) {
      bool ascii = true;
      const char* const end = token_end(text.data() + at, text.data() + text.size(), ascii);
      const size_t wanted = plain_end(text, at);
      REQUIRE(static_cast<size_t>(end - text.data()) == wanted);
      bool plain_ascii = true;
      for (size_t i = at; i < wanted; ++i) {
        plain_ascii = plain_ascii && static_cast<unsigned char>(text[i]) < 0x80;
      }
      REQUIRE(ascii == plain_ascii);
    }
  }
}

TEST_CASE("separated words do not depend on where runs of eight bytes begin") {
  const std::string text =
      "The QUICK_brown Fox's 3.14 caf\xc3\xa9s (Zebra-crossing) ... JUMPEDoverTHElazyDOG";
  for (size_t begin = 0; begin < text.size(); ++begin) {
    for (size_t end = begin; end <= text.size(); ++end) {
      // Behind a long text without letters, the same bytes end in full runs.
      const std::string part = text.substr(begin, end - begin), tail = " ;;;;;;;;;;;;;;;;";
      int64_t bad = 0, bad_with_tail = 0;
      std::string plain = separate_words(part, bad);
      const std::string with_tail = separate_words(part + tail, bad_with_tail);
      REQUIRE(with_tail.substr(0, plain.size()) == plain);
      REQUIRE(bad == bad_with_tail);
    }
  }
}

TEST_CASE("tokens of random bytes are those of a slow reader") {
  // Bytes that matter come often: white space, NUL, and the bytes at the edges of UTF-8's table.
  const std::string interesting =
      "ab \n\t\r\v\f\0\x1f\x21\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xec\xed\xee\xef"
      "\xf0\xf1\xf3\xf4\xf5\xff"s;
  Random random(1);
  for (int round = 0; round < 3000; ++round) {
    std::string text;
    for (uint32_t length = random.below(60); length > 0; --length) {
      text += random.below(4) == 0
                  ? static_cast<char>(random.below(256))
                  : interesting[random.below(static_cast<uint32_t>(interesting.size()))];
    }
    TextReport expected_report;
    TextReport report;
    const std::vector<std::string> expected = slow_split(text, expected_report);
    REQUIRE(split(text, report) == expected);
    REQUIRE(report.tokens == expected_report.tokens);
    REQUIRE(report.lines == expected_report.lines);
    REQUIRE(report.invalid_tokens == expected_report.invalid_tokens);
    REQUIRE(report.nul_bytes == expected_report.nul_bytes);
    REQUIRE(is_utf8(text) == (slow_repair(text) == text));
    REQUIRE(is_utf8(repair_utf8(text)));
  }
}

TEST_CASE("a token has at most 1000 bytes") {
  TextReport report;
  const std::string longest(kMaxTokenBytes, 'x');
  CHECK(split("a " + longest + " " + longest + "x b", report) ==
        std::vector<std::string>{"a", longest, "b"});
  CHECK(report.tokens == 3);
  CHECK(report.long_tokens == 1);
}

TEST_CASE("reports add up") {
  TextReport sum{1, 2, 3, 4, 5};
  sum += TextReport{10, 20, 30, 40, 50};
  CHECK(sum.lines == 11);
  CHECK(sum.tokens == 22);
  CHECK(sum.long_tokens == 33);
  CHECK(sum.invalid_tokens == 44);
  CHECK(sum.nul_bytes == 55);
}

TEST_CASE("what is not UTF-8 is repaired byte by byte") {
  const std::string r = kReplacement;
  for (const auto& [bytes, mended] : {
           std::pair{"caf\xe9"s, "caf" + r},      // Latin-1
           {"\xc3\xa9"s, "\xc3\xa9"s},            // a letter
           {"\xc0\x80"s, r + r},                  // NUL in two bytes
           {"\xed\xa0\x80"s, r + r + r},          // half of a surrogate pair
           {"\xf4\x90\x80\x80"s, r + r + r + r},  // beyond U+10FFFF
           {"\xf0\x9f\x98\x80"s, "\xf0\x9f\x98\x80"s},
           {"\xf0\x9f\x98"s, r + r + r},  // cut
           {"\xe2\x82z"s, r + r + "z"},
           {"\x80z\xbf"s, r + "z" + r},
           {"\xef\xbf\xbe"s, "\xef\xbf\xbe"s},  // a noncharacter is still UTF-8
           {"\xef\xbf\xbd"s, r},
       }) {
    CHECK(repair_utf8(bytes) == mended);
    CHECK(is_utf8(bytes) == (bytes == mended));
  }
}

TEST_CASE("letters and digits of any script are told from marks") {
  for (const char* const text : {"a", "?7", "- é", "日", "...٣", "ⅷ", "\xff"}) {
    CAPTURE(text);
    CHECK(has_letter_or_digit(text));
  }
  for (const char* const text : {"", "?! ...", "—…¿", "\t_$", "😀", "\u0301"}) {
    CAPTURE(text);
    CHECK_FALSE(has_letter_or_digit(text));
  }
}

TEST_CASE("punctuation is split off and letters are lower-cased") {
  CHECK(words("The cat, (Felis) sat!") == "the cat , ( felis ) sat !");
  CHECK(words("e-mail a/b \"x\" <b>$5</b> 50% #tag @you") ==
        "e - mail a / b \" x \" < b > $ 5 < / b > 50 % # tag @ you");
  CHECK(words("snake_case _x_ a+b=c") == "snake_case _x_ a + b = c");
  CHECK(words("one\ntwo.\n\nthree") == "one | two . | | three");
  CHECK(words("").empty());
}

TEST_CASE("apostrophes stay between letters and points and commas between digits") {
  CHECK(words("Don't 'quote' rock'n'roll dogs' 'tis") ==
        "don't ' quote ' rock'n'roll dogs ' ' tis");
  CHECK(words("don\u2019t \u2018quote\u2019") == "don't \u2018 quote '");
  CHECK(words("3.14 1,000,000.50 3. .5 1..2 2,x x,2 v2.0") ==
        "3.14 1,000,000.50 3 . . 5 1 . . 2 2 , x x , 2 v2.0");
  CHECK(words("U.S. e.g. end.Start 10's") == "u . s . e . g . end . start 10 ' s");
  CHECK(words("a''b 1.,2") == "a ' ' b 1 . , 2");
}

TEST_CASE("words of many scripts stay whole") {
  CHECK(words("CAFÉ Straße ÆØÅ") == "café straße æøå");
  CHECK(words("x\u0301") == "x\u0301");  // a letter and a combining accent
  CHECK(words("ЖУК и Ёлка") == "жук и ёлка");
  CHECK(words("ΑΘΗΝΑ, Ελλάδα;") == "αθηνα , ελλάδα ;");
  CHECK(words("क्या हिन्दी।") == "क्या हिन्दी ।");
  CHECK(words("سلام، دنیا؟") == "سلام ، دنیا ؟");
  CHECK(words("می\u200cروم") == "می\u200cروم");  // Persian's joiner inside a word
  CHECK(words("日本語、テスト。") == "日本語 、 テスト 。");
  CHECK(words("한국어 시험") == "한국어 시험");
  CHECK(words("ภาษา\u200bไทย") == "ภาษา ไทย");  // Thai's invisible space
  CHECK(words("١٢٣٫٥ x² ½") == "١٢٣ ٫ ٥ x² ½");
}

TEST_CASE("a word has one spelling, composed and with a final sigma") {
  CHECK(words("Cafe\u0301 CAF\u00c9") == "caf\u00e9 caf\u00e9");
  CHECK(words("e\u0323\u0302 e\u0302\u0323 \u1ec7") ==
        "\u1ec7 \u1ec7 \u1ec7");  // accents in any order
  CHECK(words("\u212bngstr\u00f6m A\u030angstro\u0308m") ==
        "\u00e5ngstr\u00f6m \u00e5ngstr\u00f6m");
  CHECK(words("\u1112\u1161\u11ab") == "\ud55c");  // the letters of a Korean syllable
  CHECK(words("\u0130stanbul I\u0307stanbul") == "istanbul istanbul");
  CHECK(words("ΑΘΗΝΑΣ, Αθηνας αθηνασ") == "αθηνας , αθηνας αθηνας");
  CHECK(words("ΣΟΦΟΣ σοφος-ΣΟΦΟΣ ΣΟΦΟΣ1 προςφορα") == "σοφος σοφος - σοφος σοφοσ1 προσφορα");
  CHECK(words("Σ σ ς 3σ xΣ") == "σ σ σ 3σ xσ");
  CHECK(words("ΌΔΟΣ") == words("Ο\u0301δοσ"));
}

TEST_CASE("any letter and its decomposition are one word") {
  for (char32_t code = 0x80; code < 0x110000; ++code) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const auto whole = static_cast<utf8proc_int32_t>(code);
    const utf8proc_property_t& own = *utf8proc_get_property(whole);
    const bool letter =
        own.category >= UTF8PROC_CATEGORY_LU && own.category <= UTF8PROC_CATEGORY_LO;
    if (!letter) continue;
    utf8proc_int32_t parts[8];
    int last = 0;
    const auto count = utf8proc_decompose_char(whole, parts, 8, UTF8PROC_DECOMPOSE, &last);
    std::string composed, decomposed;
    append_code_point(composed, code);
    for (utf8proc_ssize_t i = 0; i < count; ++i) {
      append_code_point(decomposed, static_cast<char32_t>(parts[i]));
    }
    REQUIRE_MESSAGE(words(composed) == words(decomposed), composed);
  }
}

TEST_CASE("words of scripts without spaces are split, and others beside them are not") {
  CHECK(words("北京是首都。東京は日本の首都、") == "北京 是 首都 。 東京 は 日本 の 首都 、");
  CHECK(words("iPhone手机2024年") == "iphone 手机 2024 年");
  CHECK(words("ไทย2ไทยABCไทย") == "ไทย 2 ไทย abc ไทย");
  CHECK(words("中文\n中文") == "中文 | 中文");
  CHECK(words("テスト'テスト 中'a 1,中") == "テスト ' テスト 中 ' a 1 , 中");
  CHECK(words("人々 コーヒー ｺｰﾋｰ") == "人々 コーヒー ｺｰﾋｰ");
  CHECK(words("カ\u3099ス") == "ガス");                // a mark of its own, composed
  CHECK(words("中\u00ad文 中\x01文") == "中文 中文");  // signs that cannot be seen
  CHECK(words("\u3099中 \u0e31") == "中");             // marks that follow no letter
  CHECK(words("\U00020bb7") == "\U00020bb7");
  CHECK(words("한국어말") == "한국어말");
  int64_t invalid = 0;
  CHECK(separate_words("中\xff"s + "文", invalid) == " 中 \xef\xbf\xbd 文 "s);
  CHECK(invalid == 1);
  CHECK(separate_words("中\xe4\xb8 "s, invalid) == " 中 \xef\xbf\xbd\xef\xbf\xbd "s);
  CHECK(invalid == 2);
}

TEST_CASE("signs that cannot be seen make no words") {
  CHECK(words("so\u00adft zero\ufeffwidth") == "soft zerowidth");
  CHECK(words("a\x01\x1f\x7f"
              "b") == "ab");
  CHECK(words("wide\u3000space no\u00a0break next\u0085line para\u2029graph") ==
        "wide space no break next line para graph");
  CHECK(words("\u2764\ufe0f \U0001f468\u200d\U0001f469") == "\u2764 \U0001f468 \U0001f469");
  CHECK(words(" \u0301 \u200d ").empty());
}

TEST_CASE("separating words keeps line ends and NUL bytes and repairs what is not UTF-8") {
  const std::string r = kReplacement;
  int64_t invalid = 0;
  CHECK(separate_words("a\0b\r\n"s, invalid) == "a\0b\r\n"s);
  CHECK(invalid == 0);
  CHECK(separate_words("Caf\xe9\xe9 \xffX ok"s, invalid) == "caf" + r + r + " " + r + "x ok");
  CHECK(invalid == 2);
  CHECK(separate_words("\xc2\x01\xb7"s, invalid) == r + r);
  CHECK(invalid == 3);
  CHECK(separate_words("\xe9,\xe9"s, invalid) == r + " , " + r);
  CHECK(invalid == 5);
}

TEST_CASE("separated words of random bytes hold no upper case and change no more") {
  Random random(2);
  for (int round = 0; round < 1000; ++round) {
    std::string text;
    for (uint32_t length = random.below(50); length > 0; --length) {
      text += static_cast<char>(random.below(256));
    }
    const std::string once = words(text);
    REQUIRE(words(once) == once);
    REQUIRE(std::none_of(once.begin(), once.end(), [](char c) { return c >= 'A' && c <= 'Z'; }));
  }
}

}  // namespace acevec
