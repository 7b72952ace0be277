// An article's wikitext -> its text, and the steps on the way.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "text/wiki/names.h"

namespace acevec {

// Appends the running text that a reader of the article sees, a paragraph a line: without tables,
// references, formulas, images, categories and most templates; links become their text. Markup that
// is not closed properly is removed, and the text around it kept. Linear in the length, without
// recursion, whatever the text.
void append_plain_text(std::string_view wikitext, const WikiNames& names, std::string& text);

// The first step from wikitext to text: removes comments, references, formulas, source code,
// galleries and their like. The content of <nowiki> comes out escaped (&#91; for a bracket), so
// that later steps find no markup there. An element that is never closed loses its tag only. Linear
// in the length, whatever it holds.
std::string without_hidden_elements(std::string_view wikitext);

// Appends the character of the reference (&eacute; &#233; &#xe9;) at the start of `text` in UTF-8;
// spaces of every width become ' ', invisible hyphens and direction marks nothing. Escapes of
// escapes (&amp;nbsp;) are followed to their end. Returns the length of the reference, 0 when there
// is none (then nothing is appended). Knows HTML 4's 252 names and &apos;.
size_t decode_entity(std::string_view text, std::string& decoded);

// The last step: appends the paragraphs of `lines`, one a line. Lines that follow each other are
// one paragraph; an item of a list is a paragraph of its own, and so is a heading, which is left
// out when nothing follows it before the next one of its level. Spaces and empty brackets are
// tidied up.
void append_paragraphs(std::string_view lines, std::string& text);

}  // namespace acevec
