#include "tasks/sentence/label_step.h"

#include <algorithm>

#include "base/parallel.h"

namespace acevec {

LabelStep::LabelStep(const PairText& text, const PairSettings& settings, SentenceModel& model,
                     NetworkMoments& moments, Matrix& layer_moments, const BatchLimits& most,
                     const OptimizerSettings& rows, const OptimizerSettings& layer)
    : text_(text),
      threads_(settings.threads),
      labels_(std::ssize(model.labels)),
      anchor_(text, model.f.rows, settings.anchor),
      centre_(model.f.rows.stride()),
      batch_({{model.f, moments}}, rows, most, threads_),
      layer_(model.classifier, layer_moments, layer, most.sentences, Activation::kNone, threads_),
      inputs_(most.sentences * batch_.width()),
      layer_gradients_(most.sentences * layer_.width()),
      scores_(static_cast<size_t>(most.sentences * labels_)),
      marks_(scores_.size()) {
  std::copy(model.centre.begin(), model.centre.end(), centre_.data());
}

int64_t LabelStep::bytes(const PairText& text, const SentenceShape& shape, int64_t words,
                         const BatchLimits& most, int threads) {
  const int64_t labels = std::ssize(text.labels()), row = padded(shape.row_columns()),
                width = padded(labels);
  return batch_bytes(shape, words, most) + Anchor::bytes(words, std::ssize(text.words()), row) +
         DenseLayer::bytes(shape.size, width, gate_optimizer(), most.sentences, threads) +
         most.sentences * ((row + width + labels) * kFloatSize + labels);
}

ContrastSum LabelStep::learn(std::span<const int64_t> lines, int64_t number, float rate) {
  batch_.clear();
  for (const int64_t line : lines) batch_.add(0, text_.side(line, 0));
  batch_.forward();
  find_scores(lines);
  const ContrastSum sum = pick();
  const int64_t n = batch_.count(), width = batch_.width();
  layer_.set_rate(rate);
  layer_.backward(inputs_.data(), width, n, layer_gradients_.data(), batch_.gradient(0));
  in_blocks(threads_, n, kRowsTogether, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) batch_.take_gradient(i);
  });
  batch_.backward(number, rate,
                  [&](const float* row, float* change) { anchor_.pull(row, rate, change); });
  return sum;
}

void LabelStep::find_scores(std::span<const int64_t> lines) {
  const int64_t n = batch_.count(), width = batch_.width();
  in_blocks(threads_, n, kRowsTogether, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const float* const vector = batch_.vector(i);
      float* const input = inputs_.data() + i * width;
      for (int64_t k = 0; k < width; ++k) input[k] = vector[k] - centre_.data()[k];
      Mark* const marks = marks_.data() + i * labels_;
      std::fill_n(marks, labels_, Mark::kOther);
      for (const int32_t label : text_.side(lines[static_cast<size_t>(i)], 1)) {
        marks[label] = Mark::kTarget;
      }
    }
  });
  const float* const outputs = layer_.forward(inputs_.data(), width, n);
  for (int64_t i = 0; i < n; ++i) {
    std::copy_n(outputs + i * layer_.width(), labels_, scores_.data() + i * labels_);
  }
}

// From scores to the gradients of the layer's outputs.
ContrastSum LabelStep::pick() {
  const int64_t n = batch_.count(), width = layer_.width();
  sums_.assign(static_cast<size_t>((n + kRowsTogether - 1) / kRowsTogether), {});
  const ScoreTable all{scores_.data(), marks_.data(), nullptr, n, labels_};
  in_blocks(threads_, n, kRowsTogether, [&](int64_t begin, int64_t end) {
    sums_[static_cast<size_t>(begin / kRowsTogether)] = pick_targets(all.part(begin, end));
    for (int64_t i = begin; i < end; ++i) {
      float* const gradient = layer_gradients_.data() + i * width;
      std::copy_n(scores_.data() + i * labels_, labels_, gradient);
      std::fill(gradient + labels_, gradient + width, 0.0F);
    }
  });
  ContrastSum sum;
  for (const ContrastSum& some : sums_) sum += some;
  return sum;
}

}  // namespace acevec
