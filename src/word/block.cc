#include "word/block.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "math/hogwild.h"
#include "math/kernels.h"

namespace acevec {
namespace {

// Longest step that one row may take in one block. Vectors are a few units long; at sound learning
// rates steps stay far below this. It is there for the rest: a frequent word may occur many times
// in one block, and the sum of its steps, all taken from the same stale row, can overshoot and grow
// without bound.
constexpr float kMaxStep = 1.0F;

}  // namespace

BlockTrainer::Shape BlockTrainer::shape_for(int64_t negatives_per_pair) {
  const int64_t negatives = (negatives_per_pair * 32 / 5 + 7) / 8 * 8;
  return {64, std::max<int64_t>(negatives, 8)};
}

BlockTrainer::BlockTrainer(Matrix& words, Matrix& contexts, const AliasTable& noise, int64_t window,
                           int64_t negatives_per_pair, Shape shape)
    : word_matrix_(words),
      context_matrix_(contexts),
      noise_(noise),
      window_(window),
      negatives_per_pair_(static_cast<float>(negatives_per_pair)),
      width_(words.stride()),
      negatives_(static_cast<size_t>(shape.negatives)),
      words_(shape.tokens * width_),
      word_changes_(shape.tokens * width_),
      contexts_((shape.tokens + 2 * window) * width_),
      context_changes_((shape.tokens + 2 * window) * width_),
      noise_rows_(shape.negatives * width_),
      noise_changes_(shape.negatives * width_),
      noise_scores_(shape.tokens * shape.negatives),
      band_(shape.tokens * (2 * window + 1)),
      weights_(static_cast<size_t>(shape.tokens)) {}

void BlockTrainer::train(const Sequence& sequence, int64_t begin, int64_t end, float alpha,
                         Random& random, Loss& loss) {
  for (int32_t& negative : negatives_) negative = noise_.draw(random);
  gather(sequence, begin, end);
  const double positive = score_positives(sequence, begin, end, alpha);
  const double negative = score_negatives(end - begin, alpha);
  if (!std::isfinite(positive + negative)) {
    throw Error("training diverged: the loss is no longer a finite number; lower -alpha");
  }
  loss += {positive, negative, pairs_};
  add_changes(sequence, begin, end);
}

void BlockTrainer::gather(const Sequence& sequence, int64_t begin, int64_t end) {
  context_begin_ = std::max<int64_t>(begin - window_, 0);
  context_end_ = std::min(end + window_, sequence.size());
  gather_rows(word_matrix_, sequence.ids.data() + begin, end - begin, words_.data());
  gather_rows(context_matrix_, sequence.ids.data() + context_begin_, context_end_ - context_begin_,
              contexts_.data());
  gather_rows(context_matrix_, negatives_.data(), static_cast<int64_t>(negatives_.size()),
              noise_rows_.data());
}

// Positives lie in a band around the diagonal: band[i][j − i + window] belongs to word i and
// context j. Entries without a pair hold kNoPair, whose gradient is zero.
double BlockTrainer::score_positives(const Sequence& sequence, int64_t begin, int64_t end,
                                     float alpha) {
  const int64_t band_width = 2 * window_ + 1;
  float* const band = band_.data();
  std::fill_n(band, (end - begin) * band_width, kNoPair);
  pairs_ = 0;
  for (int64_t i = begin; i < end; ++i) {
    const int64_t first = sequence.first[static_cast<size_t>(i)];
    const int64_t last = sequence.last[static_cast<size_t>(i)];
    float* const row = band + (i - begin) * band_width;
    score_rows(words_.data() + (i - begin) * width_, 1,
               contexts_.data() + (first - context_begin_) * width_, last - first, width_,
               row + (first - i + window_), band_width);
    row[window_] = kNoPair;  // the word itself
    weights_[static_cast<size_t>(i - begin)] = static_cast<float>(last - first - 1);
    pairs_ += last - first - 1;
  }
  const double loss = attract_scores(band, (end - begin) * band_width, alpha);

  for (int64_t i = begin; i < end; ++i) {
    const int64_t first = sequence.first[static_cast<size_t>(i)];
    const int64_t last = sequence.last[static_cast<size_t>(i)];
    const float* const row = band + (i - begin) * band_width;
    mix_rows({row + (first - i + window_), 0, 1}, 1,
             contexts_.data() + (first - context_begin_) * width_, last - first, width_,
             word_changes_.data() + (i - begin) * width_, false);
  }
  // Column j of the band: from one word to the next, one row down and one column to the left.
  for (int64_t j = context_begin_; j < context_end_; ++j) {
    const int64_t first = std::max(begin, j - window_);
    const int64_t last = std::min(end, j + window_ + 1);
    const float* const column = band + (first - begin) * band_width + (j - first + window_);
    mix_rows({column, 0, band_width - 1}, 1, words_.data() + (first - begin) * width_, last - first,
             width_, context_changes_.data() + (j - context_begin_) * width_, false);
  }
  return loss;
}

double BlockTrainer::score_negatives(int64_t tokens, float alpha) {
  const auto count = static_cast<int64_t>(negatives_.size());
  for (int64_t i = 0; i < tokens; ++i) {
    weights_[static_cast<size_t>(i)] *= negatives_per_pair_ / static_cast<float>(count);
  }
  float* const scores = noise_scores_.data();
  score_rows(words_.data(), tokens, noise_rows_.data(), count, width_, scores, count);
  const double loss = repel_scores(scores, tokens, count, weights_.data(), alpha);
  mix_rows({scores, count, 1}, tokens, noise_rows_.data(), count, width_, word_changes_.data(),
           true);
  mix_rows({scores, 1, count}, count, words_.data(), tokens, width_, noise_changes_.data(), false);
  return loss;
}

void BlockTrainer::add_changes(const Sequence& sequence, int64_t begin, int64_t end) {
  add_rows(word_matrix_, sequence.ids.data() + begin, end - begin, word_changes_.data(), kMaxStep);
  add_rows(context_matrix_, sequence.ids.data() + context_begin_, context_end_ - context_begin_,
           context_changes_.data(), kMaxStep);
  add_rows(context_matrix_, negatives_.data(), static_cast<int64_t>(negatives_.size()),
           noise_changes_.data(), kMaxStep);
}

}  // namespace acevec
