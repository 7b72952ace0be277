// -{zh-hans:...; zh-hant:...}-: text that a wiki shows in one of the scripts of its language.
#pragma once

#include <string_view>
#include <vector>

#include "text/wiki/brackets.h"

namespace acevec {

// Whether the wikis of `language` ("zh") have variants.
bool has_variants(std::string_view language);

// What the variant brackets[number] shows, which may be nothing: of a rule the text for one
// variant, the first of a fixed order that it has (simplified Chinese, Cyrillic), else the one that
// it names first; of text without a rule that text; of rules that are only for the rest of the page
// (H, T, -) and of those that describe (D, N) nothing.
WikiPiece variant_piece(std::string_view text, const std::vector<WikiBracket>& brackets,
                        size_t number, std::string_view language);

}  // namespace acevec
