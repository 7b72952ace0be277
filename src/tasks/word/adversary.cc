#include "tasks/word/adversary.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "kernels/hogwild.h"
#include "kernels/policy_kernels.h"
#include "tasks/word/corpus_pairs.h"

namespace acevec {

Mixture::Mixture(double lambda, bool keeps_gradient) {
  // Measured: blocks with almost none of the noise's weight cost 1.5 points of WS353, but nothing
  // if the total gradient of the noise is kept.
  const double most_weight = keeps_gradient ? 0.95 : 0.71;
  constexpr double kLongest = 8;  // a small weight is better spread than put on few blocks
  const double share = 1 - lambda;
  period = static_cast<int64_t>(std::clamp(most_weight / std::max(share, 0.01), 1.0, kLongest));
  adversarial = static_cast<double>(period) * share;
}

AdversaryState::AdversaryState(const SkipGramSettings& skip_gram, const Corpus& corpus,
                               const std::vector<double>& noise, const Matrix& word_features)
    : settings(*skip_gram.adversary), features(word_features), hidden(0, 1) {
  for (const int64_t count : corpus.vocabulary().counts()) {
    const auto seen = static_cast<double>(count);
    trust.push_back(static_cast<float>(seen / (seen + settings.rare)));
  }
  if (settings.filter_bytes > 0) {
    observed = observe_pairs(corpus, skip_gram.window, settings.filter_bytes, skip_gram.threads);
  }
  if (settings.sampler != Sampler::kLearned) return;
  const bool full = settings.softmax == AdversarySettings::Softmax::kFull;
  // Over the whole vocabulary g starts as the noise, or as p(y) exp(β s(x, y)), as do candidates,
  // which are drawn from the noise.
  generator.emplace(GeneratorSettings{features.columns(), settings.hidden, features.rows(),
                                      settings.optimizer, skip_gram.seed, Stream::kWordGenerator,
                                      full ? log_probabilities(noise) : std::vector<float>{}});
  if (!full) hidden = Matrix(features.rows(), generator->outputs.columns());
}

Adversary::Adversary(AdversaryState& state, const BlockShape& shape, const ThreadShare& share)
    : state_(state),
      mixture_(state.settings.lambda, state.settings.force > 0),
      features_(state.generator ? shape.tokens * state.features.stride() : 0),
      hidden_(state.generator ? shape.tokens * state.hidden.stride() : 0),
      observed_(static_cast<size_t>(shape.tokens * shape.negatives)),
      logits_(observed_.size()),
      probabilities_(observed_.size()),
      losses_(observed_.size()),
      unmasked_(observed_.size()),
      gradient_(observed_.size()) {
  if (!state.generator) return;
  generator_.emplace(*state.generator, shape.tokens, shape.negatives);
  const int64_t words = state.features.rows();
  hidden_table_.emplace(state.hidden, state.features, std::min(shape.tokens, words),
                        words * share.thread / share.threads);
}

void Adversary::prepare(const int32_t* words, int64_t tokens) {
  if (blocks_ % mixture_.period != 0) return;
  for (int64_t i = 0; i < tokens; ++i) __builtin_prefetch(state_.trust.data() + words[i]);
  if (state_.observed) state_.observed->prefetch(words, tokens);
  if (!generator_) return;
  const bool turn = played_ % state_.settings.every == 0;
  prefetch_rows(turn ? state_.features : state_.hidden, words, tokens);
}

void Adversary::play(const ScoredBlock& block, Random& random, const Rewards& rewards) {
  trust_.clear();
  if (blocks_++ % mixture_.period != 0) return;
  for (int64_t i = 0; i < block.rows; ++i) {
    trust_.push_back(state_.trust[static_cast<size_t>(block.words[i])]);
  }
  const bool turn = played_++ % state_.settings.every == 0;
  find_means(block);
  if (state_.observed) {
    state_.observed->find_all(block.words, block.rows, block.candidates, block.count,
                              observed_.data());
  }
  choose(block, turn);
  if (turn) train_generator(block, rewards, random);
}

// How far each candidate lies along the direction that the block's words share.
void Adversary::find_means(const ScoredBlock& block) {
  means_.assign(static_cast<size_t>(block.count), 0.0F);
  for (int64_t i = 0; i < block.rows; ++i) {
    const float* const row = block.scores + i * block.count;
    for (int64_t k = 0; k < block.count; ++k) means_[static_cast<size_t>(k)] += row[k];
  }
  const auto rows = static_cast<float>(block.rows);
  for (float& mean : means_) mean /= rows;
  const float mean =
      std::accumulate(means_.begin(), means_.end(), 0.0F) / static_cast<float>(block.count);
  for (float& t : means_) t -= mean;
}

// Computes g, with observed candidates masked.
void Adversary::choose(const ScoredBlock& block, bool turn) {
  const auto beta = static_cast<float>(state_.settings.beta);
  if (generator_) {
    generator_->logits(hidden(block, turn), block.rows, {block.candidates, block.count},
                       block.scores, beta, logits_.data());
  } else if (turn) {
    std::transform(block.scores, block.scores + block.rows * block.count, logits_.begin(),
                   [beta](float score) { return beta * score; });
  }
  // h(x) · w_y + b_y + β s(x, y), or the critic's part alone.
  softmax_rows(generator_ ? logits_.data() : block.scores, generator_ ? 1.0F : beta,
               {observed_.data(), block.rows, block.count}, probabilities_.data(), nullptr);
}

// h of the block's words: computed in the generator's turns, otherwise looked up.
const float* Adversary::hidden(const ScoredBlock& block, bool turn) {
  if (turn) {
    hidden_table_->refresh(*generator_);
    gather_rows(state_.features, block.words, block.rows, features_.data());
    return generator_->hidden(features_.data(), block.rows);
  }
  gather_rows(state_.hidden, block.words, block.rows, hidden_.data());
  return hidden_.data();
}

// Takes the generator's step (the discriminator takes its own in every block), and reports.
void Adversary::train_generator(const ScoredBlock& block, const Rewards& rewards, Random& random) {
  rewards(losses_.data());
  const int64_t size = block.rows * block.count;
  const auto count = static_cast<double>(block.count);
  const auto observed = std::count(observed_.begin(), observed_.begin() + size, uint8_t{1});
  report_.rows += static_cast<double>(block.rows);
  report_.noise_loss += std::accumulate(losses_.begin(), losses_.begin() + size, 0.0) / count;
  report_.adversarial_loss +=
      std::inner_product(losses_.begin(), losses_.begin() + size, probabilities_.begin(), 0.0,
                         std::plus<>(), [](double loss, double g) { return loss * g; });
  report_.observed += static_cast<double>(observed) / count;
  report_.entropy +=
      policy_gradient(state_.settings.policy, {observed_.data(), block.rows, block.count},
                      logits_.data(), losses_.data(), random, {unmasked_.data(), gradient_.data()})
          .entropy;
  if (generator_) generator_->learn(features_.data(), gradient_.data());
}

void Adversary::save(CheckpointWriter& file) const {
  file.put("blocks", blocks_);
  file.put("blocks played", played_);
  if (hidden_table_) hidden_table_->save(file);
}

void Adversary::load(CheckpointReader& file) {
  blocks_ = file.get_count("blocks");
  played_ = file.get_count("blocks played");
  if (hidden_table_) hidden_table_->load(file);
}

void Adversary::reweight(float* weights, int64_t /*rows*/, int64_t count) const {
  for (size_t i = 0; i < trust_.size(); ++i) {
    const int64_t begin = static_cast<int64_t>(i) * count;
    mix_candidates(probabilities_.data() + begin, means_.data(), count,
                   static_cast<float>(mixture_.adversarial) * trust_[i],
                   static_cast<float>(state_.settings.force), weights + begin);
  }
}

}  // namespace acevec
