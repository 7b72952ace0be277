#include "commands/answers.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace acevec {

std::string tsv_field(std::string_view text) {
  std::string field;
  for (const char c : text) {
    if (c == '\t' || c == '\n' || c == '\r') {
      field += one_line({&c, 1});
    } else {
      field += c;
    }
  }
  return field;
}

void print_table(const std::vector<std::vector<std::string>>& rows, bool tsv) {
  size_t width = 0;
  for (const auto& row : rows) width = std::max(width, excerpt(row[0]).size());
  for (const auto& row : rows) {
    std::string line = tsv ? tsv_field(row[0]) : excerpt(row[0]);
    if (!tsv) line.resize(width, ' ');
    for (size_t i = 1; i < row.size(); ++i) {
      const size_t blanks = rows[0][i].size() - std::min(rows[0][i].size(), row[i].size());
      line += (tsv ? "\t" : "  " + std::string(blanks, ' ')) + row[i];
    }
    std::printf("%s\n", line.c_str());
  }
}

std::string decimal(double number, bool tsv, int digits) {
  if (std::isnan(number)) return tsv ? "nan" : "-";
  return format("%.*f", digits, number);
}

}  // namespace acevec
