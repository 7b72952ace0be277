// The words that answer a sum of words, king - man + woman, by both rules of analogies.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vectors/best_rows.h"
#include "vectors/expression.h"
#include "vectors/unit_vectors.h"
#include "vectors/word_classes.h"

namespace acevec {

// Best first; equal scores in the order of the rows.
//   3CosAdd: Σ ± cos(d, w)
//   3CosMul: Π s(d, w) over the words with + / (Π s(d, w) over those with − + 0.001), as in
//            vectors/analogies.h
struct SumAnswers {
  std::vector<ScoredRow> added;
  std::vector<ScoredRow> multiplied;
};

// At most `most` answers by each rule, none that counts as one of the words. When a word has no
// vector it goes to `unknown`, and there are no answers.
SumAnswers answer_sum(const Expression& sum, const UnitVectors& vectors, const WordClasses& classes,
                      int64_t most, std::vector<std::string>& unknown);

}  // namespace acevec
