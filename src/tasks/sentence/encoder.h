// Encodes sentences with a trained model, and labels them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "math/aligned.h"
#include "math/matrix.h"
#include "nn/gru.h"
#include "tasks/sentence/model.h"
#include "vectors/best_rows.h"

namespace acevec {

// Sentences that a thread encodes at a time.
inline constexpr int64_t kEncodedTogether = 256;

// The approximate number of words that a gated unit reads together, and of vectors that it keeps
// for each.
inline constexpr int64_t kEncodedSteps = 1024;
inline constexpr int64_t kGatedVectors = 10;

// One object per thread.
class SentenceEncoder {
 public:
  explicit SentenceEncoder(const SentenceModel& model);

  // Sets vectors.row(first + i) to f of sentences[i], followed by g unless g is f, minus the
  // model's centre, and scaled if the model is; to zeros for a sentence without words. A gated unit
  // reads no more than the first kLongestSentence words.
  void encode(const std::vector<std::vector<int32_t>>& sentences, Matrix& vectors, int64_t first);

 private:
  void add_means(const Network& network, const std::vector<std::vector<int32_t>>& sentences,
                 Matrix& vectors, int64_t first, int64_t column);
  void add_states(const Network& network, const std::vector<std::vector<int32_t>>& sentences,
                  Matrix& vectors, int64_t first, int64_t column);

  const SentenceModel& model_;
  std::vector<float> weights_;  // of one bag
  std::vector<float> scales_;   // of each sentence, see SentenceShape
  AlignedFloats mean_;
  AlignedFloats states_;  // of sentences that a gated unit has read
  std::optional<Gru> gru_;
};

// The `top` most likely labels of each text and their probabilities, the best first. `vectors`: a
// row for each text, as LineEncoder makes them. The model must have labels.
std::vector<std::vector<ScoredRow>> likely_labels(const SentenceModel& model, const Matrix& vectors,
                                                  int64_t top, int threads);

// Counts of answers, as `fasttext test` has them.
struct LabelCounts {
  int64_t answers = 0;  // given
  int64_t labels = 0;   // that are right
  int64_t hits = 0;     // answers that are right

  // NaN without answers or labels.
  double precision() const { return static_cast<double>(hits) / static_cast<double>(answers); }
  double recall() const { return static_cast<double>(hits) / static_cast<double>(labels); }
  // The harmonic mean of both, 0 without a hit.
  double f1() const {
    return 2 * static_cast<double>(hits) / static_cast<double>(answers + labels);
  }
};

}  // namespace acevec
