// The last step from wikitext to text: lines -> paragraphs.
#pragma once

#include <string>
#include <string_view>

namespace acevec {

// Appends the paragraphs of `lines`, one a line. Lines that follow each other are one paragraph; an
// item of a list is a paragraph of its own, and so is a heading, which is left out when nothing
// follows it before the next one of its level. Spaces and empty brackets are tidied up.
void append_paragraphs(std::string_view lines, std::string& text);

}  // namespace acevec
