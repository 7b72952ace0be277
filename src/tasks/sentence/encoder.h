// Encodes sentences with a trained model.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "math/aligned.h"
#include "math/matrix.h"
#include "nn/gru.h"
#include "tasks/sentence/model.h"

namespace acevec {

// Sentences that a thread encodes at a time.
inline constexpr int64_t kEncodedTogether = 256;

// One object per thread.
class SentenceEncoder {
 public:
  explicit SentenceEncoder(const SentenceModel& model);

  // What one object needs for so many sentences in a call, and their vectors, in bytes.
  static int64_t bytes(const SentenceShape& shape, int64_t sentences);

  // vectors.row(first + i) = f of sentences[i], and behind it g unless they are one, less the
  // model's centre, and scaled where the model is; zeros for a sentence without words. A gated unit
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

}  // namespace acevec
