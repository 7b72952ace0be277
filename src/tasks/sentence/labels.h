// Labels of texts: lines as fastText's supervised training reads them, and what a model answers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "math/matrix.h"
#include "tasks/sentence/model.h"
#include "vectors/best_rows.h"

namespace acevec {

inline constexpr std::string_view kLabelPrefix = "__label__";

struct LabelledLine {
  std::vector<std::string> labels;  // each once
  std::string text;                 // the other tokens
};

// Labels are the tokens that begin with kLabelPrefix, wherever they stand; tokens are what white
// space separates.
LabelledLine split_labels(std::string_view line);

// The `top` most likely labels of each text and their probabilities, the best first. `vectors`: a
// row for each text, as LineEncoder makes them. The model has labels.
std::vector<std::vector<ScoredRow>> likely_labels(const SentenceModel& model, const Matrix& vectors,
                                                  int64_t top, int threads);

// Counts of answers, as `fasttext test` has them.
struct LabelCounts {
  int64_t answers = 0;  // given
  int64_t labels = 0;   // that are right
  int64_t hits = 0;     // answers that are right

  // NaN of nothing.
  double precision() const { return static_cast<double>(hits) / static_cast<double>(answers); }
  double recall() const { return static_cast<double>(hits) / static_cast<double>(labels); }
  // The harmonic mean of both, 0 without a hit.
  double f1() const {
    return 2 * static_cast<double>(hits) / static_cast<double>(answers + labels);
  }
};

}  // namespace acevec
