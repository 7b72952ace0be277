// Segments of running text by ICU: sentences, by Unicode's rules (UAX #29), and words of scripts
// that put no spaces between them, by dictionaries.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace acevec {

// Calls on_sentence() for each sentence of a paragraph, without the white space around it, unless
// it has nothing else. Bytes that are not UTF-8 count as letters. Throws Error when ICU lacks its
// rules, and for a paragraph of more than 2 GiB.
void split_sentences(std::string_view paragraph,
                     const std::function<void(std::string_view)>& on_sentence);

// Whether a letter is Han, Hiragana, Katakana, Thai, Lao, Khmer or Burmese, or a sign that counts
// as one of their letters, such as the long vowel of kana.
bool is_unspaced(char32_t letter);

// Appends the words of `run`, valid UTF-8 of such letters and their marks, to `words`, each with a
// space behind it. Takes time and memory in proportion to the run. Throws Error when ICU lacks
// rules or dictionaries, or for a run of more than 2 GiB.
void append_unspaced_words(std::string_view run, std::string& words);

}  // namespace acevec
