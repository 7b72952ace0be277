// Runs of bytes against plain loops, for every byte at every place.

#include "text/byte_runs.h"

#include <string>

#include <doctest/doctest.h>
#include "base/random.h"
#include "text/tokenizer.h"

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

}  // namespace acevec
