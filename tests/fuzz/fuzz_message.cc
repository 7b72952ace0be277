// Messages that quote any bytes: valid UTF-8, without control characters, no longer than they may
// be.

#include <algorithm>

#include "base/utf8.h"
#include "fuzz.h"

namespace {

void check_shown(const std::string& text) {
  REQUIRE_ALWAYS(acevec::is_utf8(text));
  REQUIRE_ALWAYS(std::none_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < ' ' || c == 0x7f;
  }));
  for (size_t at = 0; (at = text.find('\xc2', at)) != std::string::npos; ++at) {
    REQUIRE_ALWAYS(static_cast<unsigned char>(text[at + 1]) >= 0xa0);
  }
  REQUIRE_ALWAYS(acevec::one_line(text) == text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const size_t most = data[0];
  const std::string_view bytes = acevec::view_of(data + 1, size - 1);
  check_shown(acevec::one_line(bytes));
  const std::string cut = acevec::excerpt(bytes, most);
  check_shown(cut);
  REQUIRE_ALWAYS(cut.size() <= 4 * most + 5);  // a byte is shown by at most four
  return 0;
}
