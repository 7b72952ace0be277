// Converts an article's wikitext to plain text, in several steps.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "text/wiki/names.h"

namespace acevec {

// Appends the running text that a reader of the article sees, one paragraph per line: without
// tables, references, formulas, images, categories and most templates; links become their text.
// Unclosed markup is removed and the text around it kept. Takes linear time without recursion,
// whatever the text.
void append_plain_text(std::string_view wikitext, const WikiNames& names, std::string& text);

// The first step: removes comments, references, formulas, source code, galleries and the like.
// Escapes the content of <nowiki> (&#91; for a bracket), so that later steps find no markup in it.
// Of an element that is never closed, only the tag is removed. Takes linear time, whatever the
// text.
std::string without_hidden_elements(std::string_view wikitext);

// Decodes the reference (&eacute; &#233; &#xe9;) at the start of `text` and appends it in UTF-8;
// spaces of every width become ' ', invisible hyphens and direction marks become nothing. Nested
// escapes (&amp;nbsp;) are fully decoded. Returns the length of the reference, or 0 when there is
// none and nothing is appended. Knows HTML 4's 252 names and &apos;.
size_t decode_entity(std::string_view text, std::string& decoded);

// The last step: appends the paragraphs of `lines`, one per line. Consecutive lines form one
// paragraph; a list item is a paragraph of its own, and so is a heading, which is dropped when no
// text follows before the next one of its level. Tidies spaces and removes empty brackets.
void append_paragraphs(std::string_view lines, std::string& text);

}  // namespace acevec
