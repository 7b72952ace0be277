#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "kernels/hogwild.h"
#include "kernels/policy_kernels.h"
#include "kernels/products.h"
#include "tasks/word/adversary.h"

namespace acevec {
namespace {

// Rows of U scored at a time; they fit in the L2 cache.
constexpr int64_t kOutcomes = 512;

// Calls use(begin, ids, count) for the whole vocabulary, kOutcomes ids at a time.
template <class Use>
void for_all_outcomes(int64_t vocabulary, Use use) {
  int32_t ids[kOutcomes];
  for (int64_t begin = 0; begin < vocabulary; begin += kOutcomes) {
    const int64_t count = std::min(kOutcomes, vocabulary - begin);
    std::iota(ids, ids + count, static_cast<int32_t>(begin));
    use(begin, ids, count);
  }
}

}  // namespace

SamplePools::SamplePools(int64_t conditions, int64_t samples, int64_t uses)
    : samples_(samples),
      uses_(uses),
      left_(static_cast<size_t>(conditions)),
      entries_(static_cast<size_t>(conditions * samples)) {}

void SamplePools::replace(int64_t x, const int32_t* outcomes, int64_t count, Random& random) {
  const int64_t start = count > 0 ? random.below(static_cast<uint32_t>(count)) : 0;
  for (int64_t m = 0; m < samples_ && count > 0; ++m) {
    entries_[static_cast<size_t>(x * samples_ + m)].store(outcomes[(start + m) % count],
                                                          std::memory_order_relaxed);
  }
  // The release makes these outcomes visible to every thread that sees draws left.
  left_[static_cast<size_t>(x)].store(static_cast<int32_t>(count * uses_),
                                      std::memory_order_release);
}

int32_t SamplePools::draw(int64_t x, Random& random) {
  std::atomic<int32_t>& left = left_[static_cast<size_t>(x)];
  int32_t before = left.load(std::memory_order_acquire);
  // Compare-and-swap, since between a load and a store another thread may empty or replace the
  // pool.
  do {
    if (before == 0) return -1;
  } while (!left.compare_exchange_weak(before, before - 1, std::memory_order_acquire));
  const int64_t m = random.below(static_cast<uint32_t>(samples_));
  return entries_[static_cast<size_t>(x * samples_ + m)].load(std::memory_order_relaxed);
}

// save() and load() copy atomics as plain integers.
static_assert(sizeof(std::atomic<int32_t>) == sizeof(int32_t));

void SamplePools::save(CheckpointWriter& file) const {
  file.put_bytes("draws left", left_.data(), left_.size() * sizeof(int32_t));
  file.put_bytes("pools", entries_.data(), entries_.size() * sizeof(int32_t));
}

void SamplePools::load(int64_t outcomes, CheckpointReader& file) {
  file.get_bytes("draws left", left_.data(), left_.size() * sizeof(int32_t));
  file.get_bytes("pools", entries_.data(), entries_.size() * sizeof(int32_t));
  file.require("draws left", std::ranges::all_of(left_, [](int32_t left) { return left >= 0; }));
  file.require("pools", std::ranges::all_of(entries_, [&](int32_t outcome) {
                 return outcome >= 0 && outcome < outcomes;
               }));
}

void SamplePools::prefetch(int64_t x) const {
  __builtin_prefetch(&left_[static_cast<size_t>(x)]);
  constexpr int64_t kLine = 64 / sizeof(int32_t);
  for (int64_t m = 0; m < samples_; m += kLine) {
    __builtin_prefetch(&entries_[static_cast<size_t>(x * samples_ + m)]);
  }
}

int64_t FullAdversary::words_in_turn(int64_t vocabulary) {
  constexpr int64_t kBytes = 22 << 20;
  constexpr int64_t kMost = 64;
  const int64_t words = kBytes / (3 * kFloatSize * vocabulary);
  return std::clamp<int64_t>(words, 1, std::min(kMost, vocabulary));
}

FullState::FullState(const std::vector<double>& probabilities, const AliasTable& table)
    : noise(probabilities),
      noise_table(table),
      log_noise(log_probabilities(probabilities)),
      pools(static_cast<int64_t>(probabilities.size()), kPoolSize, kUses) {}

FullAdversary::FullAdversary(AdversaryState& state, FullState& full, const SkipGramModel& model,
                             const ThreadShare& share, const Random& random)
    : state_(state),
      full_(full),
      model_(model),
      share_(share),
      random_(random),
      vocabulary_(model.words.rows()),
      mixture_(state.settings.lambda, false),
      tokens_since_turn_(static_cast<size_t>(vocabulary_)),
      features_(words_in_turn(vocabulary_) * model.contexts.stride()),
      vectors_(words_in_turn(vocabulary_) * model.words.stride()),
      outcomes_(kOutcomes * model.contexts.stride()),
      scores_(static_cast<size_t>(words_in_turn(vocabulary_) * vocabulary_)) {
  if (state.generator) {
    softmax_.emplace(*state.generator, words_in_turn(vocabulary_));
  } else {
    critic_.resize(scores_.size());
  }
}

void FullAdversary::reweight(float* weights, int64_t /*rows*/, int64_t count) const {
  for (size_t i = 0; i < own_.rows.size(); ++i) {
    float* const row = weights + own_.rows[i] * count;
    for (int64_t k = 0; k < count; ++k) row[k] *= 1 - own_.weights[i];
  }
}

void FullAdversary::prepare(const int32_t* words, int64_t tokens) {
  own_.rows.clear();
  own_.ids.clear();
  own_.weights.clear();
  if (blocks_++ % mixture_.period != 0) return;
  for (int64_t i = 0; i < tokens; ++i) ++tokens_since_turn_[static_cast<size_t>(words[i])];
  if (played_++ % state_.settings.every == 0) update_pools();
  if (mixture_.adversarial > 0) draw(words, tokens);
}

void FullAdversary::save(CheckpointWriter& file) const {
  file.put("blocks", blocks_);
  file.put("blocks played", played_);
  file.put("draws", random_);
  file.put_bytes("waiting", tokens_since_turn_.data(), tokens_since_turn_.size() * sizeof(int32_t));
}

void FullAdversary::load(CheckpointReader& file) {
  blocks_ = file.get_count("blocks");
  played_ = file.get_count("blocks played");
  file.get("draws", random_);
  file.get_bytes("waiting", tokens_since_turn_.data(), tokens_since_turn_.size() * sizeof(int32_t));
  constexpr int32_t kMost = std::numeric_limits<int32_t>::max() / 2;  // they can still grow
  file.require("waiting", std::ranges::all_of(tokens_since_turn_, [](int32_t tokens) {
                 return tokens >= 0 && tokens <= kMost;
               }));
}

void FullAdversary::draw(const int32_t* words, int64_t tokens) {
  for (int64_t i = 0; i < tokens; ++i) full_.pools.prefetch(words[i]);
  for (int64_t i = 0; i < tokens; ++i) {
    const int32_t negative = full_.pools.draw(words[i], random_);
    if (negative < 0) continue;
    own_.rows.push_back(static_cast<int32_t>(i));
    own_.ids.push_back(negative);
    own_.weights.push_back(static_cast<float>(mixture_.adversarial) *
                           state_.trust[static_cast<size_t>(words[i])]);
  }
}

void FullAdversary::update_pools() {
  choose_words();
  if (words_.empty()) return;
  const auto rows = static_cast<int64_t>(words_.size());
  gather_rows(model_.contexts, words_.data(), rows, features_.data());
  gather_rows(model_.words, words_.data(), rows, vectors_.data());
  score();
  compute(static_cast<float>(state_.settings.beta));
  negative_losses(scores_.data(), rows * vocabulary_, scores_.data());
  fill_pools();
  if (softmax_) learn();
}

// Chooses this thread's words with the most tokens since their last turn.
void FullAdversary::choose_words() {
  words_.clear();
  for (int64_t word = share_.thread; word < vocabulary_; word += share_.threads) {
    if (tokens_since_turn_[static_cast<size_t>(word)] > 0)
      words_.push_back(static_cast<int32_t>(word));
  }
  const auto most = std::min(words_.size(), static_cast<size_t>(words_in_turn(vocabulary_)));
  const auto end = words_.begin() + static_cast<std::ptrdiff_t>(most);
  std::ranges::partial_sort(words_, end, {}, [&](int32_t word) {
    return std::pair(-tokens_since_turn_[static_cast<size_t>(word)], word);
  });
  words_.erase(end, words_.end());
  for (const int32_t word : words_) tokens_since_turn_[static_cast<size_t>(word)] = 0;
}

// Computes s(x, y) of the turn's words with the whole vocabulary.
void FullAdversary::score() {
  const auto rows = static_cast<int64_t>(words_.size());
  for_all_outcomes(vocabulary_, [&](int64_t begin, const int32_t* ids, int64_t count) {
    gather_rows(model_.contexts, ids, count, outcomes_.data());
    score_rows({vectors_.data(), rows}, {outcomes_.data(), count}, model_.words.stride(),
               {scores_.data() + begin, vocabulary_});
  });
}

// Computes g for the turn's words, observed pairs included.
void FullAdversary::compute(float beta) {
  const auto rows = static_cast<int64_t>(words_.size());
  if (softmax_) {
    softmax_->compute(features_.data(), rows, scores_.data(), beta);
    for (int64_t i = 0; i < rows; ++i) report_.entropy += double{softmax_->entropy(i)};
    return;
  }
  for (size_t i = 0; i < words_.size(); ++i) {
    const auto begin = static_cast<std::ptrdiff_t>(i) * vocabulary_;
    std::transform(full_.log_noise.begin(), full_.log_noise.end(), scores_.begin() + begin,
                   critic_.begin() + begin,
                   [beta](float log_p, float score) { return log_p + beta * score; });
  }
  std::vector<float> entropies(words_.size());
  softmax_rows(critic_.data(), 1, {nullptr, rows, vocabulary_}, critic_.data(), entropies.data());
  report_.entropy += std::accumulate(entropies.begin(), entropies.end(), 0.0);
}

// Draws from g and drops observed pairs, so the rest are draws from the renormalised g.
void FullAdversary::fill_pools() {
  drawn_.resize(words_.size() * FullState::kPoolSize);
  drawn_noise_.resize(drawn_.size());
  for (size_t i = 0; i < words_.size(); ++i) {
    const float* const losses = scores_.data() + static_cast<int64_t>(i) * vocabulary_;
    int32_t* const drawn = drawn_.data() + i * FullState::kPoolSize;
    draw_outcomes(probabilities(static_cast<int64_t>(i)), vocabulary_, FullState::kPoolSize,
                  random_, drawn);
    std::vector<uint8_t> observed(FullState::kPoolSize, 0);
    std::vector<int32_t> kept;
    double loss = 0;
    if (drawn[0] >= 0) {
      if (state_.observed) {
        state_.observed->find_all(&words_[i], 1, drawn, FullState::kPoolSize, observed.data());
      }
      for (size_t m = 0; m < FullState::kPoolSize; ++m) {
        if (observed[m] != 0) continue;
        kept.push_back(drawn[m]);
        loss += double{losses[drawn[m]]};
      }
    }
    const auto count = static_cast<int64_t>(kept.size());
    report_.observed += 1 - static_cast<double>(count) / FullState::kPoolSize;
    full_.pools.replace(words_[i], kept.data(), count, random_);
    report_.adversarial_loss += loss / static_cast<double>(std::max<int64_t>(count, 1));
    for (size_t m = 0; m < FullState::kPoolSize; ++m) {
      const int32_t y = full_.noise_table.draw(random_);
      drawn_noise_[i * FullState::kPoolSize + m] = y;
      report_.noise_loss += double{losses[y]} / FullState::kPoolSize;
    }
  }
  report_.rows += static_cast<double>(words_.size());
}

void FullAdversary::learn() {
  const PolicySettings& policy = state_.settings.policy;
  const auto rows = static_cast<int64_t>(words_.size());
  if (state_.observed) {
    std::vector<uint8_t> observed(words_.size() * kOutcomes);
    for_all_outcomes(vocabulary_, [&](int64_t begin, const int32_t* ids, int64_t count) {
      state_.observed->find_all(words_.data(), rows, ids, count, observed.data());
      for (int64_t i = 0; i < rows; ++i) {
        penalise(observed.data() + i * count, count, policy.penalty,
                 scores_.data() + i * vocabulary_ + begin);
      }
    });
  }
  softmax_->learn(policy, {features_.data(), scores_.data(), drawn_.data(), FullState::kPoolSize,
                           drawn_noise_.data(), full_.noise.data()});
}

}  // namespace acevec
