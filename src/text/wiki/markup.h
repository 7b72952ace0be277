// An article's wikitext -> its text.
#pragma once

#include <string>
#include <string_view>

#include "text/wiki/names.h"

namespace acevec {

// Appends the running text that a reader of the article sees, a paragraph a line: without tables,
// references, formulas, images, categories and most templates; links become their text. Markup that
// is not closed properly is removed, and the text around it kept. Linear in the length, without
// recursion, whatever the text.
void append_plain_text(std::string_view wikitext, const WikiNames& names, std::string& text);

}  // namespace acevec
