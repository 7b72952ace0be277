#include "tasks/sentence/encoder.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "base/parallel.h"
#include "base/progress.h"
#include "kernels/bags.h"
#include "kernels/hogwild.h"
#include "kernels/policy_kernels.h"
#include "nn/layer.h"
#include "text/corpus.h"
#include "text/tokenizer.h"
#include "train/checkpoint.h"

namespace acevec {

SentenceEncoder::SentenceEncoder(const SentenceModel& model)
    : model_(model), mean_(model.f.rows.stride()) {
  if (!model.shape.has_weights()) gru_.emplace(model.shape.size, model.shape.size);
}

void SentenceEncoder::encode(const std::vector<std::vector<int32_t>>& sentences, Matrix& vectors,
                             int64_t first) {
  const auto add = [&](const Network& network, int64_t column) {
    const FloatRows rows{vectors.row(first) + column, vectors.stride()};
    gru_ ? add_states(network, sentences, rows) : add_means(network, sentences, rows);
  };
  add(model_.f, 0);
  if (model_.second) add(*model_.second, model_.shape.size);
  for (size_t i = 0; i < sentences.size(); ++i) {
    float* const vector = vectors.row(first + static_cast<int64_t>(i));
    const float scale = model_.shape.scaled ? scales_[i] : 1;
    for (size_t k = 0; k < model_.centre.size(); ++k) {
      vector[k] = sentences[i].empty() ? 0 : scale * (vector[k] - model_.centre[k]);
    }
  }
}

void SentenceEncoder::add_means(const Network& network,
                                const std::vector<std::vector<int32_t>>& sentences,
                                FloatRows vectors) {
  constexpr int64_t kPrefetched = 64;  // most rows prefetched of the next sentence
  const int64_t size = model_.shape.size;
  scales_.clear();
  for (size_t i = 0; i < sentences.size(); ++i) {
    if (i + 1 < sentences.size()) {
      const std::vector<int32_t>& next = sentences[i + 1];
      prefetch_rows(network.rows, next.data(), std::min(std::ssize(next), kPrefetched));
    }
    weights_.clear();
    float total = 0;
    for (const int32_t row : sentences[i]) {
      weights_.push_back(std::exp(network.rows.row(row)[size]));
      total += weights_.back();
    }
    const BagRows rows{sentences[i].data(), std::ssize(sentences[i]), network.rows.stride()};
    sum_bag(rows, network.rows.row(0), weights_.data(), mean_.data());
    float* const vector = vectors.from(static_cast<int64_t>(i), 0).data;
    for (int64_t k = 0; k < size; ++k) vector[k] = mean_.data()[k] / total;
    scales_.push_back(total / std::sqrt(static_cast<float>(sentences[i].size())));
  }
}

void SentenceEncoder::add_states(const Network& network,
                                 const std::vector<std::vector<int32_t>>& sentences,
                                 FloatRows vectors) {
  std::vector<size_t> wanted;  // indices of sentences with words
  std::vector<std::span<const int32_t>> words;
  size_t steps = 0, all = 0;
  for (const std::vector<int32_t>& one : sentences) all += std::min(one.size(), kLongestSentence);
  gru_->reserve(std::ssize(sentences),
                static_cast<int64_t>(std::min(all, kEncodedSteps + kLongestSentence)));
  const auto flush = [&] {
    gru_->arrange(words);
    states_.grow(std::ssize(words) * gru_->width());
    for (int64_t block = 0; block < gru_->blocks(); ++block) {
      gru_->forward(network.gates.row(0), network.rows, block, states_.data());
    }
    for (size_t i = 0; i < wanted.size(); ++i) {
      std::copy_n(states_.data() + static_cast<int64_t>(i) * gru_->width(), model_.shape.size,
                  vectors.from(static_cast<int64_t>(wanted[i]), 0).data);
    }
    wanted.clear();
    words.clear();
    steps = 0;
  };
  for (size_t i = 0; i < sentences.size(); ++i) {
    if (sentences[i].empty()) continue;
    words.push_back(std::span(sentences[i]).first(std::min(sentences[i].size(), kLongestSentence)));
    wanted.push_back(i);
    steps += words.back().size();
    if (steps >= size_t{kEncodedSteps}) flush();
  }
  if (!wanted.empty()) flush();
}

std::vector<std::vector<ScoredRow>> likely_labels(const SentenceModel& model, const Matrix& vectors,
                                                  int64_t top, int threads) {
  constexpr int64_t kTextsPerBlock = 32;  // texts in a block
  const Matrix& layer = model.classifier;
  const int64_t labels = std::ssize(model.labels), width = layer.stride();
  std::vector<std::vector<ScoredRow>> answers(static_cast<size_t>(vectors.rows()));
  in_blocks(threads, vectors.rows(), kTextsPerBlock, [&](int64_t begin, int64_t end) {
    AlignedFloats scores(kTextsPerBlock * width);
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

LineCounts LineEncoder::encode(const std::vector<std::string>& lines, Matrix& vectors) const {
  vectors.resize(std::ssize(lines));
  const auto encode_some = [&](int64_t begin, int64_t end) {
    LineCounts counts{end - begin};
    std::vector<std::vector<int32_t>> sentences(static_cast<size_t>(end - begin));
    for (int64_t i = begin; i < end; ++i) {
      std::vector<int32_t>& sentence = sentences[static_cast<size_t>(i - begin)];
      const TextReport report = reader_.read(lines[static_cast<size_t>(i)], sentence);
      counts.report += report;
      counts.unknown_tokens += report.tokens - std::ssize(sentence);
      counts.empty += sentence.empty() ? 1 : 0;
    }
    SentenceEncoder(model_).encode(sentences, vectors, begin);
    return counts;
  };
  return sum_in_blocks(threads_, std::ssize(lines), kEncodedPerBlock, encode_some);
}

void report_lines(const LineCounts& counts, const char* so) {
  Progress progress(false);
  note_repairs(counts.report, progress);
  if (counts.empty > 0) {
    print_message(format(
        "acevec: note: %s no word that the model knows; %s",
        (counted(counts.empty, "line") + (counts.empty == 1 ? " has" : " have")).c_str(), so));
  }
  if (counts.unknown_tokens > 0) {
    print_message(format("acevec: note: left out %s that the model does not know",
                         counted(counts.unknown_tokens, "token").c_str()));
  }
}

// With ten million lines, the probability that two share a hash is 3 in a million.
TextLines::TextLines(const std::string& path) {
  LineReader lines(path, {.longest = kEveryLine.longest});
  std::unordered_set<uint64_t> seen;
  while (const std::optional<std::string_view> line = lines.next()) {
    if (!has_letter_or_digit(*line)) continue;
    if (!seen.insert(hash_of_bytes(line->data(), line->size())).second) continue;
    texts.emplace_back(*line);
    numbers.push_back(lines.number());
  }
}

}  // namespace acevec
