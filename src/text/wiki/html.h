// HTML in wikitext: elements whose content is not text, and character references.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace acevec {

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

}  // namespace acevec
