// Words of scripts that put no spaces between them, by the dictionaries of ICU.
#pragma once

#include <string>
#include <string_view>

namespace acevec {

// Whether a letter is one of Han, Hiragana, Katakana, Thai, Lao, Khmer or Burmese, or a sign that
// counts as their letter, like the long vowel of kana.
bool is_unspaced(char32_t letter);

// Appends the words of `run`, valid UTF-8 of such letters and their marks, to `words`, a space
// behind each. Takes time and memory in proportion to the run. Throws Error when ICU lacks
// rules or dictionaries, or for a run of more than 2 GiB.
void append_unspaced_words(std::string_view run, std::string& words);

}  // namespace acevec
