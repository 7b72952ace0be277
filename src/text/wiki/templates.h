// Templates whose arguments are text that a reader sees: {{lang|fr|Odyssée}}.
#pragma once

#include <string_view>
#include <vector>

#include "text/wiki/brackets.h"
#include "text/wiki/names.h"

namespace acevec {

// What the template brackets[number] shows, in order and nothing twice; empty when it shows nothing
// or is not known.
std::vector<WikiPiece> template_pieces(std::string_view text,
                                       const std::vector<WikiBracket>& brackets, size_t number,
                                       const WikiNames& names);

}  // namespace acevec
