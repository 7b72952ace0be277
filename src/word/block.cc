#include "word/block.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/progress.h"
#include "math/hogwild.h"
#include "math/kernels.h"
#include "math/score_losses.h"

namespace acevec {
namespace {

// Longest step that one row may take in one block. Vectors are a few units long; at sound learning
// rates steps stay far below this. It is there for the rest: a frequent word may occur many times
// in one block, and the sum of its gradients, all taken from the same stale row, can overshoot and
// grow without bound.
constexpr float kMaxStep = 1.0F;

constexpr int64_t kTimedBlocks = 31;  // one in so many; see take_time()

bool draws_own(const BlockAdversary* adversary) {
  return adversary != nullptr && adversary->own_draws() != nullptr;
}

// Rows of U that a block works on: contexts, shared negatives, and the tokens' own.
int64_t most_contexts(const BlockShape& shape, const BlockAdversary* adversary) {
  return shape.tokens + 2 * shape.window + shape.negatives +
         (draws_own(adversary) ? shape.tokens : 0);
}

}  // namespace

BlockTrainer::BlockTrainer(SkipGramModel& model, const AliasTable& noise, const BlockShape& shape,
                           const BlockLoss& loss, BlockAdversary* adversary)
    : word_matrix_(model.words),
      context_matrix_(model.contexts),
      word_steps_(model.words, model.word_moments, embedding_optimizer(model.optimizer),
                  shape.tokens, kMaxStep),
      context_steps_(model.contexts, model.context_moments, embedding_optimizer(model.optimizer),
                     most_contexts(shape, adversary), kMaxStep),
      plain_(model.optimizer == OptimizerKind::kSgd),
      noise_(noise),
      adversary_(adversary),
      loss_(loss),
      window_(shape.window),
      weight_(static_cast<float>(shape.negatives_per_pair) / static_cast<float>(shape.negatives)),
      width_(model.words.stride()),
      tokens_(shape.tokens),
      negatives_(static_cast<size_t>(shape.negatives)),
      next_negatives_(static_cast<size_t>(shape.negatives)),
      words_(shape.tokens * width_),
      word_changes_(shape.tokens * width_),
      contexts_((shape.tokens + 2 * window_) * width_),
      noise_rows_(shape.negatives * width_),
      context_changes_(most_contexts(shape, adversary) * width_),
      noise_scores_(shape.tokens * shape.negatives),
      band_(shape.tokens * (2 * window_ + 1)),
      contexts_of_word_(static_cast<size_t>(shape.tokens)),
      words_of_context_(static_cast<size_t>(shape.tokens + 2 * window_)),
      weights_(static_cast<size_t>(shape.tokens)) {
  if (draws_own(adversary)) own_negatives_.emplace(model.contexts, shape.tokens);
}

void BlockTrainer::train(const Sequence& sequence, int64_t begin, int64_t end, float alpha,
                         Random& random, Loss& loss) {
  timed_ = adversary_ != nullptr && blocks_++ % kTimedBlocks == 0;
  const Timer timer(timed_ ? &time_.all : nullptr);
  if (begin == 0) draw_negatives(random);
  std::swap(negatives_, next_negatives_);
  prepare_adversary(sequence.ids.data() + begin, end - begin);
  gather(sequence, begin, end);
  draw_negatives(random);
  prefetch_next(sequence, end);
  find_pairs(sequence, begin, end);
  // Plain steps take the rate here already, where it costs nothing; see add_changes().
  const float step = plain_ ? alpha : 1.0F;
  const int64_t tokens = end - begin;
  score_positives(begin, tokens);
  score_negatives(tokens);
  correct_scores(sequence, begin, tokens);
  play(sequence, begin, tokens, random);
  const Loss found = descend(tokens, step);
  mix_changes(begin, tokens);
  const double own = own_negatives_ ? score_own_negatives(step) : 0;
  loss += found;
  if (std::isfinite(found.positive + found.negative + own)) {
    add_changes(sequence, begin, end, alpha);
  } else {
    loss.positive = std::numeric_limits<double>::infinity();
  }
}

float* BlockTrainer::changes_of_negatives() {
  return context_changes_.data() + (context_end_ - context_begin_) * width_;
}

Loss BlockTrainer::score(const Sequence& sequence, int64_t begin, int64_t end, Random& random) {
  const int64_t tokens = end - begin;
  draw_negatives(random);
  std::swap(negatives_, next_negatives_);
  gather(sequence, begin, end);
  find_pairs(sequence, begin, end);
  score_positives(begin, tokens);
  score_negatives(tokens);
  correct_scores(sequence, begin, tokens);
  return descend(tokens, 0);
}

void BlockTrainer::draw_negatives(Random& random) {
  for (int32_t& negative : next_negatives_) negative = noise_.draw(random);
}

void BlockTrainer::prepare_adversary(const int32_t* ids, int64_t tokens) {
  if (adversary_ == nullptr) return;
  const Timer timer(timed_ ? &time_.adversary : nullptr);
  adversary_->prepare(ids, tokens);
  if (!own_negatives_) return;
  const std::vector<int32_t>& own = adversary_->own_draws()->ids;
  prefetch_rows(context_matrix_, own.data(), static_cast<int64_t>(own.size()));
}

// The rows of the next block come from memory while this block is computed.
void BlockTrainer::prefetch_next(const Sequence& sequence, int64_t begin) {
  const int64_t end = std::min(begin + tokens_, sequence.size());
  const int64_t context_end = std::min(end + window_, sequence.size());
  if (begin >= end) return;
  prefetch_rows(word_matrix_, sequence.ids.data() + begin, end - begin);
  prefetch_rows(context_matrix_, sequence.ids.data() + context_end_, context_end - context_end_);
  const auto negatives = static_cast<int64_t>(next_negatives_.size());
  prefetch_rows(context_matrix_, next_negatives_.data(), negatives);
  word_steps_.prefetch(sequence.ids.data() + begin, end - begin);
  context_steps_.prefetch(next_negatives_.data(), negatives);
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

// Which contexts each word has, and which words each context has, as rows of the block.
void BlockTrainer::find_pairs(const Sequence& sequence, int64_t begin, int64_t end) {
  const auto contexts = static_cast<size_t>(context_end_ - context_begin_);
  std::fill_n(words_of_context_.begin(), contexts, Span{0, 0});
  pairs_ = 0;
  for (int64_t i = begin; i < end; ++i) {
    const auto row = static_cast<size_t>(i - begin);
    const auto first =
        static_cast<int32_t>(sequence.first[static_cast<size_t>(i)] - context_begin_);
    const auto last = static_cast<int32_t>(sequence.last[static_cast<size_t>(i)] - context_begin_);
    contexts_of_word_[row] = {first, last};
    weights_[row] = static_cast<float>(last - first - 1) * weight_;
    pairs_ += last - first - 1;
    for (int32_t j = first; j < last; ++j) {
      Span& words = words_of_context_[static_cast<size_t>(j)];
      if (words.last == 0) words.first = static_cast<int32_t>(row);
      words.last = static_cast<int32_t>(row) + 1;
    }
  }
}

// Positives lie in a band around the diagonal. It is stored without the rest of the matrix: word i
// and context j at band[i · (2·window + 1) + (j − i + window)], positions in the sequence. Entries
// without a pair hold kNoPair, whose gradient is zero.
//
// Here for rows of the block, with a stride of 2·window: one row further is one column less.
float* BlockTrainer::band(int64_t begin) {
  return band_.data() + (context_begin_ - begin + window_);
}

void BlockTrainer::score_positives(int64_t begin, int64_t tokens) {
  const int64_t band_width = 2 * window_ + 1;
  std::fill_n(band_.data(), tokens * band_width, kNoPair);
  score_band(words_.data(), tokens, contexts_.data(), contexts_of_word_.data(), width_, band(begin),
             band_width - 1);
  for (int64_t i = 0; i < tokens; ++i) band_.data()[i * band_width + window_] = kNoPair;  // itself
}

void BlockTrainer::score_negatives(int64_t tokens) {
  const auto count = static_cast<int64_t>(negatives_.size());
  score_rows(words_.data(), tokens, noise_rows_.data(), count, width_, noise_scores_.data(), count);
}

// s -> s − log(K q(y)), or as the loss has it.
void BlockTrainer::correct_scores(const Sequence& sequence, int64_t begin, int64_t tokens) {
  if (loss_.corrections().empty()) return;
  const float* const corrections = loss_.corrections().data();
  const int32_t* const contexts = sequence.ids.data() + context_begin_;
  for (int64_t i = 0; i < tokens; ++i) {
    float* const positives = band(begin) + i * 2 * window_;
    const Span span = contexts_of_word_[static_cast<size_t>(i)];
    for (int64_t j = span.first; j < span.last; ++j) positives[j] -= corrections[contexts[j]];
    float* const negatives = noise_scores_.data() + i * static_cast<int64_t>(negatives_.size());
    for (size_t k = 0; k < negatives_.size(); ++k) negatives[k] -= corrections[negatives_[k]];
  }
}

void BlockTrainer::play(const Sequence& sequence, int64_t begin, int64_t tokens, Random& random) {
  if (adversary_ == nullptr) return;
  const Timer timer(timed_ ? &time_.adversary : nullptr);
  const ScoredBlock block{sequence.ids.data() + begin,
                          contexts_.data() + (begin - context_begin_) * width_,
                          tokens,
                          negatives_.data(),
                          static_cast<int64_t>(negatives_.size()),
                          noise_scores_.data()};
  adversary_->play(block, random, [&](float* losses) { loss_.rewards(scores(tokens), losses); });
}

Scores BlockTrainer::scores(int64_t tokens) {
  return {band_.data(), 2 * window_ + 1, noise_scores_.data(),
          static_cast<int64_t>(negatives_.size()), tokens};
}

// The scores become the gradients of the loss.
Loss BlockTrainer::descend(int64_t tokens, float step) {
  BlockLoss::Reweigh reweigh;
  if (adversary_ != nullptr) {
    reweigh = [&](float* weights) {
      const Timer timer(timed_ ? &time_.adversary : nullptr);
      adversary_->reweigh(weights, tokens, static_cast<int64_t>(negatives_.size()));
    };
  }
  Loss loss = loss_.descend(scores(tokens), weights_, step, reweigh, scratch_);
  loss.pairs = pairs_;
  return loss;
}

// The gradients of the scores times the rows that the scores are of.
void BlockTrainer::mix_changes(int64_t begin, int64_t tokens) {
  const int64_t stride = 2 * window_;
  mix_band({band(begin), stride, 1}, tokens, contexts_.data(), contexts_of_word_.data(), width_,
           word_changes_.data());
  mix_band({band(begin), 1, stride}, context_end_ - context_begin_, words_.data(),
           words_of_context_.data(), width_, context_changes_.data());
  const auto count = static_cast<int64_t>(negatives_.size());
  const float* const noise = noise_scores_.data();
  mix_rows({noise, count, 1}, tokens, noise_rows_.data(), count, width_, word_changes_.data(),
           true);
  mix_rows({noise, 1, count}, count, words_.data(), tokens, width_, changes_of_negatives(), false);
}

// After the others, to whose changes it adds. A token's own negative weighs m_i · K · (1 − λ').
double BlockTrainer::score_own_negatives(float step) {
  const Timer timer(timed_ ? &time_.adversary : nullptr);
  const OwnDraws& own = *adversary_->own_draws();
  own_weights_.clear();
  for (size_t i = 0; i < own.rows.size(); ++i) {
    own_weights_.push_back(weights_[static_cast<size_t>(own.rows[i])] *
                           static_cast<float>(negatives_.size()) * own.weights[i]);
  }
  float* const changes = changes_of_negatives() + static_cast<int64_t>(negatives_.size()) * width_;
  return own_negatives_->repel(own.rows, own.ids, own_weights_, step, words_.data(),
                               word_changes_.data(), changes);
}

void BlockTrainer::add_changes(const Sequence& sequence, int64_t begin, int64_t end, float alpha) {
  const int32_t* const ids = sequence.ids.data();
  word_steps_.set_rate(plain_ ? 1.0F : alpha);
  word_steps_.take(ids + begin, end - begin, word_changes_.data());
  // In the order of context_changes_.
  context_ids_.assign(ids + context_begin_, ids + context_end_);
  context_ids_.insert(context_ids_.end(), negatives_.begin(), negatives_.end());
  if (own_negatives_) {
    const std::vector<int32_t>& own = adversary_->own_draws()->ids;
    context_ids_.insert(context_ids_.end(), own.begin(), own.end());
  }
  context_steps_.set_rate(plain_ ? 1.0F : alpha);
  context_steps_.take(context_ids_.data(), static_cast<int64_t>(context_ids_.size()),
                      context_changes_.data());
}

}  // namespace acevec
