#include "tasks/sentence/centre.h"

#include <algorithm>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "tasks/sentence/encoder.h"

namespace acevec {

void centre(const SentenceCorpus& corpus, int threads, SentenceModel& model) {
  constexpr int64_t kMost = 100000;
  const int64_t distance = (corpus.sentences() + kMost - 1) / kMost;
  const int64_t count = (corpus.sentences() + distance - 1) / distance;
  const int64_t pieces = (count + kEncodedTogether - 1) / kEncodedTogether;
  std::fill(model.centre.begin(), model.centre.end(), 0.0F);  // what encoders take off
  std::vector<std::vector<float>> sums(static_cast<size_t>(pieces));
  for_each_piece(threads, pieces, [&](int, int64_t piece) {
    SentenceEncoder encoder(model);
    std::vector<std::vector<int32_t>> sentences;
    for (int64_t i = piece * kEncodedTogether; i < std::min(count, (piece + 1) * kEncodedTogether);
         ++i) {
      const std::span<const int32_t> sentence = corpus.sentence(i * distance);
      sentences.emplace_back(sentence.begin(), sentence.end());
    }
    Matrix vectors(std::ssize(sentences), model.columns());
    encoder.encode(sentences, vectors, 0);
    std::vector<float>& sum = sums[static_cast<size_t>(piece)];
    sum.resize(model.centre.size());
    for (int64_t i = 0; i < vectors.rows(); ++i) {
      for (size_t k = 0; k < sum.size(); ++k) sum[k] += vectors.row(i)[k];
    }
  });
  // In one order, so that the number of threads does not matter.
  for (size_t k = 0; k < model.centre.size(); ++k) {
    double mean = 0;
    for (const std::vector<float>& sum : sums) mean += static_cast<double>(sum[k]);
    model.centre[k] = static_cast<float>(mean / static_cast<double>(count));
  }
}

}  // namespace acevec
