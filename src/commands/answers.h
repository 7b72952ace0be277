// What commands print that answer queries.
#pragma once

#include <string>
#include <vector>

namespace acevec {

struct ShownAnswer {
  const std::string& name;
  double score;
};

// Prints the answers to what was asked, the best first: on a terminal a line each with `digits`
// behind the point, elsewhere all on one line; with `tsv` a row each: asked, rank, name, score.
void print_answers(const std::string& asked, const std::vector<ShownAnswer>& answers, bool tsv,
                   int digits = 3);

// The same of rows and their scores, whose names are among `words`.
template <class Row>
void print_answers(const std::string& asked, const std::vector<Row>& rows,
                   const std::vector<std::string>& words, bool tsv, int digits = 3) {
  std::vector<ShownAnswer> answers;
  answers.reserve(rows.size());
  for (const auto& [row, score] : rows) {
    answers.push_back({words[static_cast<size_t>(row)], double{score}});
  }
  print_answers(asked, answers, tsv, digits);
}

// Prints rows of as many columns as the first, which has their names: aligned, with the first
// column on the left, or separated by tabs.
void print_table(const std::vector<std::vector<std::string>>& rows, bool tsv);

// "12.34" or, of what is not a number, "-" for reading and "nan" for programs.
std::string hundredths(double number, bool tsv);

}  // namespace acevec
