// Rank correlation.
#pragma once

#include <vector>

namespace acevec {

// Spearman's ρ, −1 .. 1, with mean ranks for equal numbers. NaN for fewer than 2 pairs and where
// all numbers of one side are equal. Both sides have the same length and only finite numbers.
double spearman(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace acevec
