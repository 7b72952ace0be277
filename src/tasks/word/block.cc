#include "tasks/word/block.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/hogwild.h"
#include "kernels/logistic_loss.h"

namespace acevec {
namespace {

bool draws_own(const BlockAdversary* adversary) {
  return adversary != nullptr && adversary->own_draws() != nullptr;
}

// The most rows of U in a block: contexts, shared negatives, and tokens' own negatives.
int64_t most_contexts(const BlockShape& shape, const BlockAdversary* adversary) {
  return shape.tokens + 2 * shape.reach() + shape.negatives +
         (draws_own(adversary) ? shape.tokens : 0);
}

// The probability that a reach drawn from 1 .. window includes a context at `distance`.
float weight_at(int64_t distance, int64_t window) {
  return static_cast<float>(window + 1 - distance) / static_cast<float>(window);
}

// The weights of the band's entries, which are the same for each token.
AlignedFloats pair_weights(const BlockShape& shape) {
  const int64_t width = shape.band_width();
  const int64_t count = shape.cbow ? 0 : shape.tokens * width;
  AlignedFloats weights(count);
  for (int64_t i = 0; i < count; ++i) {
    weights.data()[i] = weight_at(std::abs(i % width - shape.window), shape.window);
  }
  return weights;
}

// The sums of the weights of 0, 1, ... window contexts on one side.
std::vector<float> side_sums(int64_t window) {
  std::vector<float> sums{0};
  for (int64_t distance = 1; distance <= window; ++distance) {
    sums.push_back(sums.back() + weight_at(distance, window));
  }
  return sums;
}

}  // namespace

BlockTrainer::BlockTrainer(WordRows words, SkipGramModel& model, const AliasTable& noise,
                           const BlockShape& shape, const BlockLoss& loss,
                           BlockAdversary* adversary)
    : shape_(shape),
      products_(make_products(shape, model.contexts.columns())),
      copies_(!products_->gathers()),
      inputs_(make_inputs(words, model.optimizer, shape, copies_ || draws_own(adversary))),
      context_matrix_(model.contexts),
      context_steps_(model.contexts, model.context_moments, embedding_optimizer(model.optimizer),
                     most_contexts(shape, adversary), kMaxStep),
      plain_(model.optimizer == OptimizerKind::kSgd),
      adds_targets_(shape.cbow && plain_),
      noise_(noise),
      adversary_(adversary),
      loss_(loss),
      weight_(static_cast<float>(shape.negatives_per_pair) / static_cast<float>(shape.negatives)),
      width_(model.contexts.stride()),
      negatives_(static_cast<size_t>(shape.negatives)),
      next_negatives_(static_cast<size_t>(shape.negatives)),
      bits_of_negatives_(static_cast<size_t>(shape.negatives)),
      contexts_(copies_ && !shape.cbow ? (shape.tokens + 2 * shape.reach()) * width_ : 0),
      noise_rows_(copies_ ? shape.negatives * width_ : 0),
      context_changes_(most_contexts(shape, adversary) * width_),
      noise_scores_(shape.tokens * shape.negatives),
      band_(shape.tokens * shape.band_width()),
      contexts_of_word_(static_cast<size_t>(shape.tokens)),
      words_of_context_(static_cast<size_t>(shape.tokens + 2 * shape.reach())),
      pair_weights_(pair_weights(shape)),
      side_sums_(side_sums(shape.window)),
      weights_(static_cast<size_t>(shape.tokens)),
      noise_mean_(width_),
      noise_change_(width_),
      draws_own_(draws_own(adversary)),
      own_rows_(draws_own_ ? shape.tokens * width_ : 0) {
  for (int32_t i = 0; shape.cbow && i < shape.tokens; ++i) {
    const auto row = static_cast<size_t>(i);
    contexts_of_word_[row] = words_of_context_[row] = {i, i + 1};
    weights_[row] = weight_;
  }
}

void BlockTrainer::train(const Sequence& sequence, int64_t begin, int64_t end, float alpha,
                         Random& random, Loss& loss) {
  if (begin == 0) {
    draw_negatives(random);
    take_negatives();
    blocks_in_mean_ = 0;
  }
  std::swap(negatives_, next_negatives_);
  prepare_adversary(sequence, begin, end);
  gather(sequence, begin, end);
  draw_negatives(random);
  find_pairs(sequence, begin, end);
  take_negatives();
  // SGD applies the learning rate here, where it costs nothing; see add_changes().
  const float step = plain_ ? alpha : 1.0F;
  const int64_t tokens = end - begin;
  const BlockView block = view(sequence, begin);
  prefetch_next_inputs(sequence, end);
  find_scores(block);
  prefetch_next_contexts(sequence, end);
  correct_scores(sequence, block);
  play(tokens, random);
  const Loss found = descend(tokens, step);
  if (end < sequence.size()) prefetch_next_negatives();
  if (shape_.cbow) mix_targets(sequence.ids.data() + begin, tokens);
  products_->mix(block, {inputs_->changes(), context_changes_.data(), changes_of_negatives()});
  use_mean_of_noise(tokens);
  const double own = draws_own_ ? descend_own_negatives(step) : 0;
  loss += found;
  if (std::isfinite(found.positive + found.negative + own)) {
    add_changes(sequence, alpha);
  } else {
    loss.positive = std::numeric_limits<double>::infinity();
  }
}

// Sets the changes of the context means and, unless add_targets() does that, of the targets from
// the targets' gradients.
void BlockTrainer::mix_targets(const int32_t* targets, int64_t tokens) {
  scale_rows(context_matrix_, targets, band_.data(), tokens, inputs_->changes());
  if (adds_targets_) return;
  mix_band({band_.data(), 0, 1}, tokens, inputs_->rows(), words_of_context_.data(), width_,
           context_changes_.data());
}

Loss BlockTrainer::score(const Sequence& sequence, int64_t begin, int64_t end, Random& random) {
  const int64_t tokens = end - begin;
  draw_negatives(random);
  take_negatives();
  std::swap(negatives_, next_negatives_);
  gather(sequence, begin, end);
  find_pairs(sequence, begin, end);
  const BlockView block = view(sequence, begin);
  find_scores(block);
  correct_scores(sequence, block);
  return descend(tokens, 0);
}

// Negatives are drawn in two parts, since the noise table is not in the nearest caches: its entries
// are prefetched here and read in take_negatives().
void BlockTrainer::draw_negatives(Random& random) {
  for (uint64_t& bits : bits_of_negatives_) {
    bits = random();
    noise_.prefetch(bits);
  }
}

void BlockTrainer::take_negatives() {
  for (size_t k = 0; k < next_negatives_.size(); ++k) {
    next_negatives_[k] = noise_.drawn_by(bits_of_negatives_[k]);
  }
}

// The adversary's conditions are the tokens; with CBOW the word before each token, or the next one
// for the first of a line.
void BlockTrainer::prepare_adversary(const Sequence& sequence, int64_t begin, int64_t end) {
  if (adversary_ == nullptr) return;
  conditions_.assign(sequence.ids.begin() + begin, sequence.ids.begin() + end);
  for (int64_t i = begin; shape_.cbow && i < end; ++i) {
    const int64_t beside = sequence.first[static_cast<size_t>(i)] < i ? i - 1 : i + 1;
    conditions_[static_cast<size_t>(i - begin)] = sequence.ids[static_cast<size_t>(beside)];
  }
  adversary_->prepare(conditions_.data(), end - begin);
  if (!draws_own_) return;
  const std::vector<int32_t>& own = adversary_->own_draws()->ids;
  prefetch_rows(context_matrix_, own.data(), std::ssize(own));
}

// The rows of the next block are prefetched while this block is computed, in three parts with work
// in between: a core can wait for only a few dozen cache lines at once.
void BlockTrainer::prefetch_next_inputs(const Sequence& sequence, int64_t begin) const {
  const int64_t end = std::min(begin + shape_.tokens, sequence.size());
  if (begin < end) inputs_->prefetch(sequence, begin, end);
}

void BlockTrainer::prefetch_next_contexts(const Sequence& sequence, int64_t begin) const {
  const int64_t end = std::min(begin + shape_.tokens + shape_.reach(), sequence.size());
  if (begin >= sequence.size() || adds_targets_) return;
  prefetch_rows(context_matrix_, sequence.ids.data() + context_end_, end - context_end_);
}

void BlockTrainer::prefetch_next_negatives() const {
  prefetch_rows(context_matrix_, next_negatives_.data(), shape_.negatives);
  context_steps_.prefetch(next_negatives_.data(), shape_.negatives);
}

void BlockTrainer::gather(const Sequence& sequence, int64_t begin, int64_t end) {
  context_begin_ = std::max<int64_t>(begin - shape_.reach(), 0);
  context_end_ = std::min(end + shape_.reach(), sequence.size());
  inputs_->gather(sequence, begin, end);
  if (copies_ && !shape_.cbow) {
    gather_rows_to_change(context_matrix_, sequence.ids.data() + context_begin_,
                          context_end_ - context_begin_, contexts_.data());
  }
  if (!copies_) return;
  gather_rows_to_change(context_matrix_, negatives_.data(), shape_.negatives, noise_rows_.data());
}

// Finds the contexts of each word and the words of each context, as rows of the block. With CBOW
// these never change.
void BlockTrainer::find_pairs(const Sequence& sequence, int64_t begin, int64_t end) {
  if (shape_.cbow) {
    pairs_ = static_cast<double>(end - begin);
    return;
  }
  const auto contexts = static_cast<size_t>(context_end_ - context_begin_);
  std::fill_n(words_of_context_.begin(), contexts, Span{0, 0});
  pairs_ = 0;
  for (int64_t i = begin; i < end; ++i) {
    const auto row = static_cast<size_t>(i - begin);
    const auto token = static_cast<size_t>(i);
    const auto first = static_cast<int32_t>(sequence.first[token] - context_begin_);
    const auto last = static_cast<int32_t>(sequence.last[token] - context_begin_);
    const auto before = static_cast<size_t>(sequence.first[token]);
    const float pairs = side_sums_[token - before] +
                        side_sums_[static_cast<size_t>(sequence.last[token]) - token - 1];
    contexts_of_word_[row] = {first, last};
    weights_[row] = pairs * weight_;
    pairs_ += double{pairs};
    for (int32_t j = first; j < last; ++j) {
      Span& words = words_of_context_[static_cast<size_t>(j)];
      if (words.last == 0) words.first = static_cast<int32_t>(row);
      words.last = static_cast<int32_t>(row) + 1;
    }
  }
}

BlockView BlockTrainer::view(const Sequence& sequence, int64_t begin) {
  const auto rows = [&](const AlignedFloats& copies, const int32_t* ids, int64_t count) {
    return BlockRows{copies_ ? copies.data() : nullptr, &context_matrix_, ids, count};
  };
  return {inputs_->view(),
          rows(contexts_, sequence.ids.data() + context_begin_, context_end_ - context_begin_),
          rows(noise_rows_, negatives_.data(), shape_.negatives),
          shape_.cbow ? nullptr : band_.data(),
          shape_.reach(),
          begin - context_begin_,
          contexts_of_word_.data(),
          words_of_context_.data(),
          noise_scores_.data()};
}

// Entries of the band without a pair are kNoPair, whose gradient is zero.
void BlockTrainer::find_scores(const BlockView& block) {
  const int64_t tokens = block.words.count;
  const int64_t width = shape_.band_width();
  if (!shape_.cbow) std::fill_n(band_.data(), tokens * width, kNoPair);
  products_->score(block);
  if (shape_.cbow) {
    score_with_rows(context_matrix_, block.contexts.ids, tokens, inputs_->rows(), band_.data());
    return;
  }
  float* const itself = band_.data() + shape_.reach();
  for (int64_t i = 0; i < tokens; ++i) itself[i * width] = kNoPair;
}

void BlockTrainer::correct_scores(const Sequence& sequence, const BlockView& block) {
  if (loss_.corrections().empty()) return;
  const float* const corrections = loss_.corrections().data();
  const int32_t* const contexts = sequence.ids.data() + context_begin_;
  for (int64_t i = 0; i < block.words.count; ++i) {
    float* const positives = band_.data() + shape_.reach() - block.shift + i * block.stride();
    const Span span = contexts_of_word_[static_cast<size_t>(i)];
    for (int64_t j = span.first; j < span.last; ++j) positives[j] -= corrections[contexts[j]];
    float* const negatives = noise_scores_.data() + i * shape_.negatives;
    for (size_t k = 0; k < negatives_.size(); ++k) negatives[k] -= corrections[negatives_[k]];
  }
}

void BlockTrainer::play(int64_t tokens, Random& random) {
  if (adversary_ == nullptr) return;
  const ScoredBlock block{conditions_.data(), tokens, negatives_.data(), shape_.negatives,
                          noise_scores_.data()};
  adversary_->play(block, random, [&](float* losses) { loss_.rewards(scores(tokens), losses); });
}

Scores BlockTrainer::scores(int64_t tokens) {
  return {.positives = band_.data(),
          .positive_count = shape_.band_width(),
          .weights = shape_.cbow ? nullptr : pair_weights_.data(),
          .negatives = noise_scores_.data(),
          .negative_count = shape_.negatives,
          .rows = tokens};
}

// Replaces the scores by −step · gradient of the loss.
Loss BlockTrainer::descend(int64_t tokens, float step) {
  BlockLoss::Reweight reweight;
  if (adversary_ != nullptr) {
    reweight = [&](float* weights) { adversary_->reweight(weights, tokens, shape_.negatives); };
  }
  Loss loss = loss_.descend(scores(tokens), weights_, step, reweight, scratch_);
  loss.pairs = pairs_;
  return loss;
}

// Token i's gradient contains Σ_k g_ik y_k, where the N negatives are a sample of the noise, so
// their mean row differs from the noise's mean ū. Adding the control variate (Σ_k g_ik) (ū − Σ_k
// y_k / N), whose mean is 0, corrects for that and lowers the variance of the gradient
// (docs/experiments/small-texts.md). ū is estimated from the last blocks of the sequence, so that
// no state outlives a piece; with few blocks it is inexact, and gets less weight. Small
// vocabularies go without: their rows change too much meanwhile, and one block's negatives are most
// of their words.
void BlockTrainer::use_mean_of_noise(int64_t tokens) {
  constexpr int64_t kMostBlocks = 16;
  if (tokens == 0 || context_matrix_.rows() < kMostBlocks * shape_.negatives) return;
  if (blocks_in_mean_ == 0) std::fill_n(noise_mean_.data(), width_, 0.0F);
  mean_of_rows(context_matrix_, negatives_.data(), shape_.negatives, noise_change_.data());
  const auto blocks = static_cast<float>(blocks_in_mean_);
  const float part = 1 / (blocks + 1);
  for (int64_t k = 0; k < width_; ++k) {
    const float difference = noise_mean_.data()[k] - noise_change_.data()[k];
    noise_mean_.data()[k] -= part * difference;
    noise_change_.data()[k] = blocks * part * difference;
  }
  blocks_in_mean_ = std::min(blocks_in_mean_ + 1, kMostBlocks);
  add_by_sums(noise_scores_.data(), tokens, shape_.negatives, noise_change_.data(), width_,
              inputs_->changes());
}

// Adds to the tokens' changes the steps away from their own negatives, and writes these negatives'
// changes behind those of the shared ones. Each has weight m_i · K · (1 − λ'). Returns
// Σ weight · −log σ(−v · u).
double BlockTrainer::descend_own_negatives(float step) {
  const OwnDraws& own = *adversary_->own_draws();
  const int64_t count = std::ssize(own.ids);
  gather_rows_to_change(context_matrix_, own.ids.data(), count, own_rows_.data());
  own_scores_.clear();
  own_weights_.clear();
  for (size_t i = 0; i < own.ids.size(); ++i) {
    const float* const word = inputs_->rows() + own.rows[i] * width_;
    const float* const negative = own_rows_.data() + static_cast<int64_t>(i) * width_;
    own_scores_.push_back(row_product(word, negative, width_));
    own_weights_.push_back(weights_[static_cast<size_t>(own.rows[i])] *
                           static_cast<float>(shape_.negatives) * own.weights[i]);
  }
  const double loss =
      logistic_loss_of_negatives(own_scores_.data(), count, 1, own_weights_.data(), step);
  float* change = changes_of_negatives() + shape_.negatives * width_;
  for (int64_t i = 0; i < count; ++i, change += width_) {
    const int64_t word = own.rows[static_cast<size_t>(i)] * width_;
    const Weights gradient{own_scores_.data() + i, 1, 1};
    const RowBlock negative{own_rows_.data() + i * width_, 1};
    mix_rows(gradient, 1, negative, width_, inputs_->changes() + word, true);
    mix_rows(gradient, 1, {inputs_->rows() + word, 1}, width_, change, false);
  }
  return loss;
}

void BlockTrainer::add_targets(const Sequence& sequence) {
  const int32_t* const ids = sequence.ids.data();
  const int64_t tokens = context_end_ - context_begin_;
  const RowIds next{ids + context_end_, std::min(tokens, sequence.size() - context_end_)};
  scatter_add_scaled(context_matrix_, {ids + context_begin_, tokens}, band_.data(), inputs_->rows(),
                     kMaxTokenStep, next);
}

void BlockTrainer::add_changes(const Sequence& sequence, float alpha) {
  const int32_t* const ids = sequence.ids.data();
  inputs_->take(plain_ ? 1.0F : alpha);
  if (adds_targets_) add_targets(sequence);
  // Same order as context_changes_.
  context_ids_.assign(ids + context_begin_, ids + (adds_targets_ ? context_begin_ : context_end_));
  context_ids_.insert(context_ids_.end(), negatives_.begin(), negatives_.end());
  if (draws_own_) {
    const std::vector<int32_t>& own = adversary_->own_draws()->ids;
    context_ids_.insert(context_ids_.end(), own.begin(), own.end());
  }
  context_steps_.set_rate(plain_ ? 1.0F : alpha);
  context_steps_.take(context_ids_.data(), std::ssize(context_ids_), context_changes_.data());
}

}  // namespace acevec
