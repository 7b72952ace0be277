// Words with equal counts are one class: they share one probability in every noise distribution,
// and a million words are a few thousand classes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace acevec {

// All vectors but `of_word` have one number for each class, the most frequent class first.
struct CountClasses {
  std::vector<double> sizes;     // m, the number of words in a class
  std::vector<double> unigram;   // d, the share of one of its words in all counts; Σ m d = 1
  std::vector<int32_t> of_word;  // the class of each word, in the order of the counts
  double words = 0;              // n = Σ m

  size_t size() const { return sizes.size(); }
};

// `counts`, in any order, must be positive and not empty. O(words) when they are sorted, by falling
// count, as a vocabulary's are.
CountClasses count_classes(const std::vector<int64_t>& counts);

}  // namespace acevec
