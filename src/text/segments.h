// Segmentation of running text by ICU: sentences, by Unicode's rules (UAX #29), and words of
// scripts without spaces between words, by dictionaries.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace acevec {

// Calls on_sentence() for each sentence of a paragraph, trimmed of white space, unless nothing is
// left. Bytes that are not UTF-8 count as letters. Throws Error when ICU lacks its rules, and for a
// paragraph of more than 2 GiB.
void split_sentences(std::string_view paragraph,
                     const std::function<void(std::string_view)>& on_sentence);

// Returns whether a letter is Han, Hiragana, Katakana, Thai, Lao, Khmer or Burmese, or a sign that
// counts as such a letter, for example the long vowel mark of kana.
bool is_unspaced(char32_t letter);

// Appends the words of `run`, valid UTF-8 of such letters and their marks, to `words`, each
// followed by a space. Takes time and memory proportional to the run. Throws Error when ICU lacks
// rules or dictionaries, and for a run of more than 2 GiB.
void append_unspaced_words(std::string_view run, std::string& words);

}  // namespace acevec
