// Sums of words, "king - man + woman": what a question may be instead of a word.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "vectors/unit_vectors.h"

namespace acevec {

struct Term {
  std::string word;
  int sign;  // 1 or −1
};

// One word, or several with a sign between each two, which stands alone ("-" or "+"; the first
// word's is +). What stands where a word should is a word, also "-": "king - -" takes away the word
// "-", and "-" alone is that word; so is a word that begins with a sign, such as "-ly".
struct Expression {
  std::string text;  // as it was asked, with a blank on each side of a sign
  std::vector<Term> terms;
};

// The expressions that follow each other in the arguments: a word that no sign joins to the one
// before begins the next. A single argument may be a whole expression, see expression_of_line().
// `known`: whether something is a word.
std::vector<Expression> expressions_of_arguments(
    const std::vector<std::string>& arguments, const std::function<bool(std::string_view)>& known);

// A line as an expression; one that is known, or is no sum, is one word, blanks and all.
Expression expression_of_line(const std::string& line,
                              const std::function<bool(std::string_view)>& known);

// The sum of the words' vectors of length 1 with their signs, itself of length 1. Returns false
// when words have none, which go to `unknown`.
bool look_up(const Expression& expression, const UnitVectors& vectors, float* unit,
             std::vector<std::string>& unknown);

}  // namespace acevec
