#include "tasks/sentence/pair_step.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/parallel.h"
#include "math/table_products.h"

namespace acevec {
namespace {

constexpr int64_t kVectorsPerBlock = 32;
constexpr int64_t kTile = 32;  // rows and columns that are transposed at once

// Transposes: to_ji = from_ij, or to_ji += from_ij, for i, j < n.
void transpose(FloatRows from, FloatRows to, int64_t n, int threads, bool add) {
  in_blocks(threads, n, kTile, [&](int64_t begin, int64_t end) {
    for (int64_t first = 0; first < n; first += kTile) {
      const int64_t last = std::min(n, first + kTile);
      for (int64_t j = begin; j < end; ++j) {
        for (int64_t i = first; i < last; ++i) {
          float& cell = to.data[j * to.stride + i];
          cell = (add ? cell : 0) + from.data[i * from.stride + j];
        }
      }
    }
  });
}

}  // namespace

Anchor::Anchor(const PairText& text, const Matrix& rows, float strength)
    : rows_(rows),
      strength_(strength),
      place_of_(static_cast<size_t>(rows.rows()), -1),
      start_(std::ssize(text.words()), rows.columns()) {
  int32_t kept = 0;
  for (int64_t pair = 0; pair < text.pairs(); ++pair) {
    for (int side = 0; side < text.text_sides(); ++side) {
      for (const int32_t row : text.side(pair, side)) {
        int32_t& place = place_of_[static_cast<size_t>(row)];
        if (place >= 0) continue;
        place = kept++;
        std::copy_n(rows.row(row), rows.stride(), start_.row(place));
      }
    }
  }
}

void Anchor::add_decay(const float* row, float rate, float* change) const {
  const auto at = static_cast<size_t>((row - rows_.row(0)) / rows_.stride());
  const float* const start = start_.row(place_of_[at]);
  const float share = std::min(1.0F, rate * strength_);
  for (int64_t k = 0; k < rows_.stride(); ++k) change[k] -= share * (row[k] - start[k]);
}

PairStep::PairStep(const PairText& text, const SentenceSettings& settings, SentenceModel& model,
                   NetworkMoments& moments, const PairLimits& most, SentenceAdversary* adversary,
                   const OptimizerSettings& rows)
    : text_(text),
      settings_(settings),
      anchor_(text, model.f.rows, settings.anchor),
      centre_(model.f.rows.stride()),
      batch_({{model.f, moments}}, rows, most.texts(), settings.threads),
      adversary_(adversary),
      units_(most.texts().sentences * batch_.width()),
      lengths_(static_cast<size_t>(most.texts().sentences)),
      scores_(static_cast<size_t>(most.pairs * most.candidates())),
      transposed_(static_cast<size_t>(most.pairs * most.pairs)),
      marks_(scores_.size()),
      transposed_marks_(transposed_.size()) {
  std::copy(model.centre.begin(), model.centre.end(), centre_.data());
}

Sums PairStep::learn(std::span<const int64_t> pairs, std::span<const int64_t> hard, int64_t number,
                     float rate) {
  gather(pairs, hard);
  batch_.forward();
  scale_to_cosines();
  find_scores();
  Sums sum = compute_gradients(number);
  find_gradients();
  batch_.backward(number, rate,
                  [&](const float* row, float* change) { anchor_.add_decay(row, rate, change); });
  return sum;
}

void PairStep::gather(std::span<const int64_t> pairs, std::span<const int64_t> hard) {
  pairs_.assign(pairs.begin(), pairs.end());
  count_ = std::ssize(pairs_);
  std::copy_if(hard.begin(), hard.end(), std::back_inserter(pairs_),
               [](int64_t pair) { return pair >= 0; });
  batch_.clear();
  for (int64_t i = 0; i < count_; ++i) batch_.add(0, text_.side(pairs[static_cast<size_t>(i)], 0));
  for (const int64_t pair : pairs_) batch_.add(0, text_.side(pair, 1));
}

// A text whose vector equals the centre has no direction, and keeps zeros.
void PairStep::scale_to_cosines() {
  const int64_t width = batch_.width();
  in_blocks(settings_.threads, batch_.count(), kVectorsPerBlock, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const float* const vector = batch_.vector(i);
      float* const unit = units_.data() + i * width;
      for (int64_t k = 0; k < width; ++k) unit[k] = vector[k] - centre_.data()[k];
      const float length = std::sqrt(row_product(unit, unit, width));
      lengths_[static_cast<size_t>(i)] = length;
      for (int64_t k = 0; k < width && length > 0; ++k) unit[k] /= length;
    }
  });
}

void PairStep::find_scores() {
  const int64_t n = count_, candidates = std::ssize(pairs_);
  score_tables({unit(0), n}, {unit(n), candidates}, batch_.width(), {scores_.data(), candidates},
               settings_.threads);
  in_blocks(settings_.threads, n, kVectorsPerBlock, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t a = pairs_[static_cast<size_t>(i)];
      Mark* const marks = marks_.data() + i * candidates;
      for (int64_t j = 0; j < candidates; ++j) {
        const int64_t b = pairs_[static_cast<size_t>(j)];
        scores_[static_cast<size_t>(i * candidates + j)] *= settings_.scale;
        const bool same =
            text_.text(a, 0) == text_.text(b, 0) || text_.text(a, 1) == text_.text(b, 1);
        marks[j] = i == j ? Mark::kTarget : (same ? Mark::kLeftOut : Mark::kOther);
      }
      // Whether pairs share a side is symmetric.
      std::copy_n(marks, n, transposed_marks_.data() + i * n);
    }
  });
  transpose({scores_.data(), candidates}, {transposed_.data(), n}, n, settings_.threads, false);
}

// Replaces scores by their gradients.
Sums PairStep::compute_gradients(int64_t number) {
  const int64_t n = count_;
  const int64_t candidates = std::ssize(pairs_);
  ScoreTable first{{scores_.data(), candidates}, marks_.data(), nullptr, n, candidates};
  const ScoreTable second{{transposed_.data(), n}, transposed_marks_.data(), nullptr, n, n};
  if (adversary_ != nullptr) {
    first.weights = adversary_->compute_weights(first, unit(0), unit(n), batch_.width(), number);
  }
  return sum_in_blocks(settings_.threads, n, kRowsPerBlock, [&](int64_t begin, int64_t end) {
    softmax_loss(second.part(begin, end));
    return softmax_loss(first.part(begin, end));
  });
}

// Backpropagates through the mean of both losses, the scale and v ↦ v / |v|.
void PairStep::find_gradients() {
  const int64_t n = count_, candidates = std::ssize(pairs_), width = batch_.width();
  const int threads = settings_.threads;
  transpose({transposed_.data(), n}, {scores_.data(), candidates}, n, threads, true);
  mix_tables({scores_.data(), candidates, 1}, n, {unit(n), candidates}, width, batch_.gradient(0),
             threads, false);
  mix_tables({scores_.data(), 1, candidates}, candidates, {unit(0), n}, width, batch_.gradient(n),
             threads, false);
  in_blocks(threads, n + candidates, kVectorsPerBlock, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      float* const gradient = batch_.gradient(i);
      const float length = lengths_[static_cast<size_t>(i)];
      const float factor = length > 0 ? settings_.scale / (2 * length) : 0;
      const float projection = row_product(gradient, unit(i), width);
      for (int64_t k = 0; k < width; ++k)
        gradient[k] = factor * (gradient[k] - projection * unit(i)[k]);
      batch_.take_gradient(i);
    }
  });
}

LabelStep::LabelStep(const PairText& text, const SentenceSettings& settings, SentenceModel& model,
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
      marks_(static_cast<size_t>(most.sentences * labels_)) {
  std::copy(model.centre.begin(), model.centre.end(), centre_.data());
}

Sums LabelStep::learn(std::span<const int64_t> lines, int64_t number, float rate) {
  batch_.clear();
  for (const int64_t line : lines) batch_.add(0, text_.side(line, 0));
  batch_.forward();
  const int64_t n = batch_.count(), width = batch_.width();
  float* const scores = find_scores(lines);
  const ScoreTable all{{scores, layer_.width()}, marks_.data(), nullptr, n, labels_};
  Sums sum = sum_in_blocks(threads_, n, kRowsPerBlock, [&](int64_t begin, int64_t end) {
    return softmax_loss(all.part(begin, end));
  });
  layer_.set_rate(rate);
  // The scores are now gradients.
  layer_.backward(inputs_.data(), width, n, scores, batch_.gradient(0));
  in_blocks(threads_, n, kRowsPerBlock, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) batch_.take_gradient(i);
  });
  batch_.backward(number, rate,
                  [&](const float* row, float* change) { anchor_.add_decay(row, rate, change); });
  return sum;
}

// Sets the marks of labels, and returns the layer's outputs, whose padding is 0.
float* LabelStep::find_scores(std::span<const int64_t> lines) {
  const int64_t n = batch_.count(), width = batch_.width();
  in_blocks(threads_, n, kRowsPerBlock, [&](int64_t begin, int64_t end) {
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
  return layer_.forward(inputs_.data(), width, n);
}

}  // namespace acevec
