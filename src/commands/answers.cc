#include "commands/answers.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/numbers.h"

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
  std::vector<size_t> widths(rows[0].size());
  for (const auto& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], excerpt(row[i]).size());
  }
  const bool named = !number_of<double>(rows.back()[0]);
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string cell = tsv ? tsv_field(row[i]) : excerpt(row[i]);
      const std::string blanks(tsv ? 0 : widths[i] - cell.size(), ' ');
      if (i > 0) line += tsv ? "\t" : "  ";
      line += i == 0 && named ? cell + blanks : blanks + cell;
    }
    std::printf("%s\n", line.c_str());
  }
}

std::string decimal(double number, bool tsv, int digits) {
  if (std::isnan(number)) return tsv ? "nan" : "-";
  return format("%.*f", digits, number);
}

}  // namespace acevec
