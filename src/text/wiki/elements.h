// The first step from wikitext to text: removes comments, and elements whose content is not text.
#pragma once

#include <string>
#include <string_view>

namespace acevec {

// `wikitext` without comments, references, formulas, source code, galleries and their like. What
// stands in <nowiki> comes out escaped (&#91; for a bracket), so that later steps find no markup
// there. An element that is never closed loses its tag only. Linear in the length, whatever it
// holds.
std::string without_hidden_elements(std::string_view wikitext);

}  // namespace acevec
