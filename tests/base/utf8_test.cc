// UTF-8, sound and not.

#include "base/utf8.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace acevec {

TEST_CASE(
    "code points of every length are read, and each byte that begins none is one of its own") {
  const std::string text = "a\u00e9\u20ac\U0001f600\xff\xe2\x82z";
  const std::vector<char32_t> wanted{'a', 0xe9, 0x20ac, 0x1f600, kNotUtf8, kNotUtf8, kNotUtf8, 'z'};
  size_t at = 0;
  std::string again;
  for (const char32_t code : wanted) {
    bool valid = false;
    CHECK(next_code_point(text, at, valid) == code);
    CHECK(valid == (code != kNotUtf8));
    append_code_point(again, code);
  }
  CHECK(again == "a\u00e9\u20ac\U0001f600\ufffd\ufffd\ufffdz");
  CHECK(at == text.size());
}

TEST_CASE("overlong forms, surrogates and what is cut short are no UTF-8") {
  for (const char* const good : {"", "abc", "\u00e9", "\U0010ffff", "\ufffd"}) CHECK(is_utf8(good));
  for (const char* const bad :
       {"\x80", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "a\xe2\x82", "\xfe"}) {
    CHECK_FALSE(is_utf8(bad));
  }
}

}  // namespace acevec
