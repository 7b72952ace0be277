// The words and sums of words ("king - man + woman") of queries, in their order, and the messages
// about words without a vector.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "vectors/word_vectors.h"

namespace acevec {

struct Term {
  std::string word;
  int sign;  // 1 or −1
};

// One word, or several with a sign ("-" or "+") as a word of its own between each two; the first
// word's sign is +. At the place of a word "-" is a word: "king - -" subtracts the word "-", and
// "-" alone is that word. So is a word that begins with a sign, such as "-ly".
struct Expression {
  std::string text;  // as it was typed, with a blank on each side of a sign
  std::vector<Term> terms;
};

// The expressions that follow each other in the arguments: a word that no sign joins to the one
// before begins the next. A single argument may be a whole expression, see expression_of_line().
// `known`: whether a string is a word of the vectors.
std::vector<Expression> expressions_of_arguments(
    const std::vector<std::string>& arguments, const std::function<bool(std::string_view)>& known);

// A line as an expression. A line that is known, or is no sum, is one word with its blanks.
Expression expression_of_line(const std::string& line,
                              const std::function<bool(std::string_view)>& known);

// The sum of the words' vectors of length 1 with their signs, itself of length 1. Returns false
// when words have no vector, and appends them to `unknown`.
bool look_up(const Expression& expression, const UnitVectors& vectors, float* unit,
             std::vector<std::string>& unknown);

// Calls `answer` with the words, or, if there are none, with each batch of lines of standard input
// (LineReader::next_batch); standard output is flushed in between. With `prompts`, a message on a
// terminal asks for words. Returns false when there was no word at all.
bool for_query_words(const std::vector<std::string>& words,
                     const std::function<void(const std::vector<std::string>&)>& answer,
                     bool prompts = true);

// Prints a line for each unknown word on standard error, with near spellings among `words`. If
// nothing was answered, this is one line for all, as the error of the command. `kind` is what there
// is none of, "relation".
void report_unknown(const std::vector<std::string>& unknown, const std::vector<std::string>& words,
                    bool answered = true, const std::string& kind = "vector for");

}  // namespace acevec
