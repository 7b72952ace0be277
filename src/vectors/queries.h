// The words and sums of words ("king - man + woman") of queries, and messages about words without a
// vector.
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

// One word, or several separated by signs ("-" or "+") that are words of their own; the first
// word's sign is +. In the position of a word, "-" is a word: "king - -" subtracts the word "-",
// and "-" alone is that word. A word that begins with a sign, such as "-ly", is a word too.
struct Expression {
  std::string text;  // as typed, with a blank on each side of a sign
  std::vector<Term> terms;
};

// Parses the consecutive expressions in the arguments: a word that no sign joins to the previous
// one begins the next. A single argument may be a whole expression, see expression_of_line().
// `known`: whether a string is a word of the vectors.
std::vector<Expression> expressions_of_arguments(
    const std::vector<std::string>& arguments, const std::function<bool(std::string_view)>& known);

// Parses a line as an expression. A line that is known, or is not a sum, is one word including its
// blanks.
Expression expression_of_line(const std::string& line,
                              const std::function<bool(std::string_view)>& known);

// Sets `unit` to the signed sum of the words' unit vectors, scaled to length 1. Returns false when
// words have no vector, and appends them to `unknown`.
bool look_up(const Expression& expression, const UnitVectors& vectors, float* unit,
             std::vector<std::string>& unknown);

// Calls `answer` with the words, or, if there are none, with each batch of lines of standard input
// (LineReader::next_batch), and flushes standard output after each batch. Returns false when there
// was no word at all.
bool for_query_words(const std::vector<std::string>& words,
                     const std::function<void(const std::vector<std::string>&)>& answer);

// Prints a line for each different unknown word on standard error, with near spellings among
// `words`. If nothing was answered, prints one line for all, which is the error of the command.
// `kind`: the thing that is missing, such as "relation".
void report_unknown(std::vector<std::string> unknown, const std::vector<std::string>& words,
                    bool answered = true, const std::string& kind = "vector for");

}  // namespace acevec
