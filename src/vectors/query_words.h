// The words of a query, in their order, and the messages about words without a vector.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "text/lines.h"

namespace acevec {

// Lines in batches: as many as are there without waiting, at least one. So who
// types gets an answer to each line, and a file or a program's output comes in large batches.
class InputLines {
 public:
  explicit InputLines(const std::string& path = "-", const LineRules& rules = {})
      : input_(path, rules) {}

  // Replaces `lines` by the next batch, without line ends. False at the end. Throws Error as
  // LineReader does, when all lines before have been given out.
  bool next(std::vector<std::string>& lines);

 private:
  bool ready(size_t lines);

  LineReader input_;
};

// Calls `answer` with the words, and when there are none, with each batch of lines of standard
// input; standard output is flushed in between. With `prompts`, who is to type them is told so.
// Returns false when there was no word at all.
bool for_query_words(const std::vector<std::string>& words,
                     const std::function<void(const std::vector<std::string>&)>& answer,
                     bool prompts = true);

// One line each on standard error, with near spellings among the words that have a vector. Where
// nothing was answered it is one line for all, which is the error then.
void report_unknown(const std::vector<std::string>& unknown, const std::vector<std::string>& words,
                    bool answered = true);

}  // namespace acevec
