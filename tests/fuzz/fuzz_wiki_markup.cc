// Wikitext of any bytes: paragraphs come out, one a line, none of them empty.

#include "fuzz.h"
#include "text/tokenizer.h"
#include "text/wiki/markup.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace acevec;
  const std::string_view wikitext = view_of(data, size);
  static const WikiNames english;
  static const WikiNames chinese = [] {
    WikiNames names;
    names.set_language("zh");
    return names;
  }();
  for (const WikiNames* const names : {&english, &chinese}) {
    std::string text;
    append_plain_text(wikitext, *names, text);
    REQUIRE_ALWAYS(text.empty() || text.back() == '\n');
    REQUIRE_ALWAYS(!text.starts_with('\n') && text.find("\n\n") == std::string::npos);
    REQUIRE_ALWAYS(!is_utf8(wikitext) || is_utf8(text));
    REQUIRE_ALWAYS(text.size() <= 4 * wikitext.size() + 1);
  }
  return 0;
}
