// BM25 (Robertson and Zaragoza 2009): how far texts have the words of queries.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace acevec {

class WordMatches {
 public:
  // k1 = 1.2, b = 0.75, and weights log(1 + (N − n + ½) / (n + ½)) of words that n of N texts have.
  WordMatches(const std::vector<std::string>& queries, const std::vector<std::string>& texts,
              TokenMode mode);

  // Adds weight · score of each text to `scores`, as many as there are texts. The scores of a query
  // are divided by the largest of them, so they are 0 .. 1.
  void add(int64_t query, double weight, float* scores) const;

 private:
  struct Match {
    int32_t text;
    float score;
  };
  int64_t texts_;
  std::vector<std::vector<Match>> texts_of_;   // of each word
  std::vector<std::vector<int32_t>> queries_;  // their words that some text has
};

}  // namespace acevec
