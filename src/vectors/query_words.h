// The words that a query is about, and what to say of those that have no vector.
#pragma once

#include <string>
#include <vector>

#include "base/options.h"

namespace acevec {

// The arguments after the first, which is the file of vectors; when there are none, the lines of
// standard input, empty ones left out.
std::vector<std::string> query_words(const Options& options);

// One line on standard error, with near spellings among the words that have a vector.
void report_unknown(const std::string& word, const std::vector<std::string>& words);

}  // namespace acevec
