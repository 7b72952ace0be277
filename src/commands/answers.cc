#include "commands/answers.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/error.h"

namespace acevec {

void print_answers(const std::string& asked, const std::vector<ShownAnswer>& answers, bool tsv,
                   int digits) {
  if (!tsv) std::printf("%s:\n", one_line(asked).c_str());
  for (size_t i = 0; i < answers.size(); ++i) {
    const auto& [name, score] = answers[i];
    if (tsv) {
      std::printf("%s\t%zu\t%s\t%.6f\n", asked.c_str(), i + 1, name.c_str(), score);
    } else {
      std::printf("  %*.*f  %s\n", digits + 3, digits, score, one_line(name).c_str());
    }
  }
}

void print_table(const std::vector<std::vector<std::string>>& rows, bool tsv) {
  size_t width = 0;
  for (const auto& row : rows) width = std::max(width, excerpt(row[0]).size());
  for (const auto& row : rows) {
    std::string line = tsv ? row[0] : excerpt(row[0]);
    if (!tsv) line.resize(width, ' ');
    for (size_t i = 1; i < row.size(); ++i) {
      const size_t blanks = rows[0][i].size() - std::min(rows[0][i].size(), row[i].size());
      line += (tsv ? "\t" : "  " + std::string(blanks, ' ')) + row[i];
    }
    std::printf("%s\n", line.c_str());
  }
}

std::string hundredths(double number, bool tsv) {
  if (std::isnan(number)) return tsv ? "nan" : "-";
  return format("%.2f", number);
}

}  // namespace acevec
