// Output of the commands that answer queries.
#pragma once

#include <string>
#include <vector>

namespace acevec {

struct ShownAnswer {
  const std::string& name;
  double score;
};

// Prints the answers to a query, the best first: below the query, a line each with `digits`
// decimals; with `tsv` as rows of query, rank, name and score.
void print_answers(const std::string& asked, const std::vector<ShownAnswer>& answers, bool tsv,
                   int digits = 3);

// The same for rows and their scores; the names of rows are in `words`.
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

// Prints rows, all as wide as the first, which has the columns' names: aligned, the first column to
// the left, or separated by tabs.
void print_table(const std::vector<std::vector<std::string>>& rows, bool tsv);

// "12.34"; NaN becomes "-" for people and "nan" for programs (`tsv`).
std::string hundredths(double number, bool tsv);

}  // namespace acevec
