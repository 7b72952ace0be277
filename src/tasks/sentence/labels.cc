#include "tasks/sentence/labels.h"

#include <algorithm>

#include "base/parallel.h"
#include "kernels/policy_kernels.h"
#include "nn/layer.h"
#include "text/tokenizer.h"

namespace acevec {

LabelledLine split_labels(std::string_view line) {
  LabelledLine parts;
  TextReport report;
  split_tokens(
      line, report,
      [&](std::string_view token) {
        if (!token.starts_with(kLabelPrefix)) {
          parts.text.append(token).append(" ");
        } else if (std::find(parts.labels.begin(), parts.labels.end(), token) ==
                   parts.labels.end()) {
          parts.labels.emplace_back(token);
        }
      },
      [] {});
  return parts;
}

std::vector<std::vector<ScoredRow>> likely_labels(const SentenceModel& model, const Matrix& vectors,
                                                  int64_t top, int threads) {
  constexpr int64_t kTogether = 32;  // texts
  const Matrix& layer = model.classifier;
  const int64_t labels = std::ssize(model.labels), width = layer.stride();
  std::vector<std::vector<ScoredRow>> answers(static_cast<size_t>(vectors.rows()));
  in_blocks(threads, vectors.rows(), kTogether, [&](int64_t begin, int64_t end) {
    AlignedFloats scores(kTogether * width);
    DenseLayer::apply({layer.row(0), layer.rows() - 1, width, Activation::kNone},
                      vectors.row(begin), vectors.stride(), end - begin, scores.data());
    for (int64_t i = begin; i < end; ++i) {
      float* const row = scores.data() + (i - begin) * width;
      softmax_rows(row, 1, {nullptr, 1, labels}, row, nullptr);
      BestRows best(top);
      best.offer(row, 0, labels, {});
      answers[static_cast<size_t>(i)] = std::move(best).sorted();
    }
  });
  return answers;
}

}  // namespace acevec
