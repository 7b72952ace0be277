// An article's wikitext -> its text.
#pragma once

#include <string>
#include <string_view>

#include "text/wiki/names.h"

namespace acevec {

// Appends what a reader of the article would see of its running text, a paragraph a line: no
// templates, tables, references, formulas, images or categories; of links their text. Markup that
// is not closed properly is taken away where it stands, and the text around it kept. Linear in the
// length, without recursion, whatever it holds.
void append_plain_text(std::string_view wikitext, const WikiNames& names, std::string& text);

}  // namespace acevec
