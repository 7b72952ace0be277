#include "tasks/sentence/pair_step.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "math/large_products.h"

namespace acevec {
namespace {

constexpr int64_t kTextsTogether = 32;
constexpr int64_t kTile = 32;  // rows and columns that are turned together

// to_ji = from_ij of a square table, or to_ji += from_ij.
void turn(const std::vector<float>& from, int64_t n, int threads, bool add,
          std::vector<float>& to) {
  in_blocks(threads, n, kTile, [&](int64_t begin, int64_t end) {
    for (int64_t first = 0; first < n; first += kTile) {
      const int64_t last = std::min(n, first + kTile);
      for (int64_t j = begin; j < end; ++j) {
        for (int64_t i = first; i < last; ++i) {
          float& cell = to[static_cast<size_t>(j * n + i)];
          cell = (add ? cell : 0) + from[static_cast<size_t>(i * n + j)];
        }
      }
    }
  });
}

// Pairs and words to texts and words.
BatchLimits of_texts(const BatchLimits& most) {
  return {2 * most.sentences, most.rows};
}

}  // namespace

PairStep::PairStep(const PairText& text, const PairSettings& settings, SentenceModel& model,
                   NetworkMoments& moments, const BatchLimits& most,
                   SentenceAdversaryState* adversary, const OptimizerSettings& rows)
    : text_(text),
      settings_(settings),
      anchor_(text, model.f.rows, settings.anchor),
      centre_(model.f.rows.stride()),
      batch_({{model.f, moments}}, rows, of_texts(most), settings.threads),
      units_(2 * most.sentences * batch_.width()),
      lengths_(static_cast<size_t>(2 * most.sentences)),
      scores_(static_cast<size_t>(most.sentences * most.sentences)),
      turned_(scores_.size()),
      marks_(scores_.size()) {
  std::copy(model.centre.begin(), model.centre.end(), centre_.data());
  if (adversary != nullptr) {
    adversary_.emplace(*adversary, most.sentences, most.sentences, settings.threads);
  }
}

int64_t PairStep::bytes(const SentenceShape& shape, const PairSettings& settings, int64_t words,
                        int64_t trained, const BatchLimits& most) {
  const int64_t width = padded(shape.row_columns()), cells = most.sentences * most.sentences;
  int64_t bytes = batch_bytes(shape, words, of_texts(most)) + Anchor::bytes(words, trained, width) +
                  2 * most.sentences * width * kFloatSize + cells * (2 * kFloatSize + 1);
  if (settings.adversary) {
    bytes +=
        SentenceAdversary::bytes(*settings.adversary, shape.size, most.sentences, most.sentences);
  }
  return bytes;
}

ContrastSum PairStep::learn(std::span<const int64_t> pairs, int64_t number, float rate,
                            Random& random) {
  gather(pairs);
  batch_.forward();
  scale_to_cosines();
  find_scores();
  const int64_t n = std::ssize(pairs_);
  const ContrastSum sum = pick({scores_.data(), marks_.data(), nullptr, n, n},
                               {turned_.data(), marks_.data(), nullptr, n, n}, number, random);
  find_gradients();
  batch_.backward(number, rate,
                  [&](const float* row, float* change) { anchor_.pull(row, rate, change); });
  return sum;
}

void PairStep::gather(std::span<const int64_t> pairs) {
  pairs_.assign(pairs.begin(), pairs.end());
  batch_.clear();
  for (const int side : {0, 1}) {
    for (const int64_t pair : pairs_) batch_.add(0, text_.side(pair, side));
  }
}

// A text whose vector is the centre has none of length 1, and keeps zeros.
void PairStep::scale_to_cosines() {
  const int64_t width = batch_.width();
  in_blocks(settings_.threads, batch_.count(), kTextsTogether, [&](int64_t begin, int64_t end) {
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
  const int64_t n = std::ssize(pairs_);
  score_tables({unit(0), n}, {unit(n), n}, batch_.width(), {scores_.data(), n}, settings_.threads);
  in_blocks(settings_.threads, n, kTextsTogether, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t a = pairs_[static_cast<size_t>(i)];
      for (int64_t j = 0; j < n; ++j) {
        const int64_t b = pairs_[static_cast<size_t>(j)];
        const auto at = static_cast<size_t>(i * n + j);
        scores_[at] *= settings_.scale;
        const bool same =
            text_.text(a, 0) == text_.text(b, 0) || text_.text(a, 1) == text_.text(b, 1);
        marks_[at] = i == j ? Mark::kTarget : (same ? Mark::kLeftOut : Mark::kOther);
      }
    }
  });
  turn(scores_, n, settings_.threads, false, turned_);
}

// From scores to the gradients of their losses, in place. Which pairs share a side does not depend
// on who asks, so the marks are those of both.
ContrastSum PairStep::pick(ScoreTable first, ScoreTable second, int64_t number, Random& random) {
  const int64_t n = first.rows;
  if (adversary_) {
    first.weights = adversary_->weigh(first, unit(0), unit(n), batch_.width(), number, random());
  }
  sums_.assign(static_cast<size_t>((n + kRowsTogether - 1) / kRowsTogether), {});
  in_blocks(settings_.threads, n, kRowsTogether, [&](int64_t begin, int64_t end) {
    sums_[static_cast<size_t>(begin / kRowsTogether)] = pick_targets(first.part(begin, end));
    pick_targets(second.part(begin, end));
  });
  ContrastSum sum;
  for (const ContrastSum& some : sums_) sum += some;
  return sum;
}

// Through the mean of both losses, the scale and v ↦ v / |v|.
void PairStep::find_gradients() {
  const int64_t n = std::ssize(pairs_), width = batch_.width();
  const int threads = settings_.threads;
  turn(turned_, n, threads, true, scores_);
  mix_tables({scores_.data(), n, 1}, n, {unit(n), n}, width, batch_.gradient(0), threads, false);
  mix_tables({scores_.data(), 1, n}, n, {unit(0), n}, width, batch_.gradient(n), threads, false);
  in_blocks(threads, 2 * n, kTextsTogether, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      float* const gradient = batch_.gradient(i);
      const float length = lengths_[static_cast<size_t>(i)];
      const float factor = length > 0 ? settings_.scale / (2 * length) : 0;
      const float along = row_product(gradient, unit(i), width);
      for (int64_t k = 0; k < width; ++k) gradient[k] = factor * (gradient[k] - along * unit(i)[k]);
      batch_.take_gradient(i);
    }
  });
}

}  // namespace acevec
