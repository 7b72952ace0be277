#include "vectors/sum_answers.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace acevec {
namespace {
constexpr double kMulEpsilon = 0.001;  // Levy and Goldberg's ε
}  // namespace

SumAnswers answer_sum(const Expression& sum, const UnitVectors& vectors, const WordClasses& classes,
                      int64_t most, std::vector<std::string>& unknown) {
  const Matrix& rows = vectors.rows();
  std::vector<std::vector<float>> units;
  std::unordered_set<int64_t> asked;
  for (const Term& term : sum.terms) {
    std::vector<float> unit(static_cast<size_t>(rows.columns()));
    const int64_t row = classes.find(term.word);
    asked.insert(row);
    if (row >= 0) {
      std::copy_n(rows.row(row), rows.columns(), unit.begin());
    } else if (!vectors.look_up(term.word, unit.data())) {
      unknown.push_back(term.word);
    }
    units.push_back(std::move(unit));
  }
  if (!unknown.empty()) return {};
  BestRows best_added(most), best_multiplied(most);
  for (int64_t row = 0; row < rows.rows(); ++row) {
    if (asked.contains(classes.first(row))) continue;
    double added = 0;
    double above = 1;
    double below = 1;
    for (size_t i = 0; i < units.size(); ++i) {
      const double cosine = dot(rows.row(row), units[i].data(), rows.columns());
      added += sum.terms[i].sign * cosine;
      (sum.terms[i].sign > 0 ? above : below) *= (1 + cosine) / 2;
    }
    best_added.offer({row, added});
    best_multiplied.offer({row, above / (below + kMulEpsilon)});
  }
  return {std::move(best_added).sorted(), std::move(best_multiplied).sorted()};
}

}  // namespace acevec
