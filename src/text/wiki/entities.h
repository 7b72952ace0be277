// Character references of HTML, such as &eacute; &#233; &#xe9;, as the characters they stand for.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace acevec {

// Appends what the reference at the start of `text`, which begins with "&", stands for, in UTF-8;
// spaces of every width become ' ', invisible hyphens and direction marks nothing. Escapes of
// escapes (&amp;nbsp;) are followed to their end. Returns the length of the reference, 0 when there
// is none (then nothing is appended). Knows HTML 4's 252 names and &apos;.
size_t decode_entity(std::string_view text, std::string& decoded);

}  // namespace acevec
