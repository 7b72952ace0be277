// Output of the commands that answer queries.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace acevec {

// Returns `text` with its tabs and line breaks as "\x09", "\x0a" and "\x0d": one field of a row.
// Other control characters stay, so that programs find their own queries again.
std::string tsv_field(std::string_view text);

// Prints the answers to a query, rows and their scores, best first: indented below the query, with
// `digits` decimals; with `tsv` as lines of query, rank, name and score. `words` has the names of
// rows.
template <class Row>
void print_answers(const std::string& asked, const std::vector<Row>& rows,
                   const std::vector<std::string>& words, bool tsv, int digits = 3) {
  if (!tsv) std::printf("%s:\n", one_line(asked).c_str());
  int rank = 0;
  for (const auto& [row, score] : rows) {
    const std::string& name = words[static_cast<size_t>(row)];
    if (tsv) {
      std::printf("%s\t%d\t%s\t%.6f\n", tsv_field(asked).c_str(), ++rank, tsv_field(name).c_str(),
                  double{score});
    } else {
      std::printf("  %*.*f  %s\n", digits + 3, digits, double{score}, one_line(name).c_str());
    }
  }
}

// Prints a table whose first row has the columns' names, and whose rows are all as long: aligned,
// numbers to the right and a first column of names to the left, or separated by tabs.
void print_table(const std::vector<std::vector<std::string>>& rows, bool tsv);

// Formats a number, "12.34"; NaN becomes "-" for people and "nan" for programs (`tsv`).
std::string decimal(double number, bool tsv, int digits = 2);

}  // namespace acevec
