// Wikitext of any bytes: paragraphs come out, one a line, none of them empty.

#include "fuzz.h"
#include "text/tokenizer.h"
#include "text/wiki/markup.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace acevec;
  const std::string_view wikitext = view_of(data, size);
  static const WikiNames names;
  std::string text;
  append_plain_text(wikitext, names, text);
  REQUIRE_ALWAYS(text.empty() || text.back() == '\n');
  REQUIRE_ALWAYS(!text.starts_with('\n') && text.find("\n\n") == std::string::npos);
  REQUIRE_ALWAYS(!is_utf8(wikitext) || is_utf8(text));
  return 0;
}
