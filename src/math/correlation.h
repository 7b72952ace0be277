// Correlation of numbers and of their ranks.
#pragma once

#include <vector>

namespace acevec {

// Pearson's r, −1 .. 1; NaN in the same cases as spearman(). Both sides have the same length and
// only finite numbers, whose squares must not overflow.
double pearson(const std::vector<double>& x, const std::vector<double>& y);

// Spearman's ρ, −1 .. 1, with mean ranks for ties. NaN for fewer than 2 pairs, and if all numbers
// of one side are equal. Both sides have the same length and only finite numbers.
double spearman(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace acevec
