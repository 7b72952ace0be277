#include "order/adversary.h"

#include <algorithm>

#include "math/hogwild.h"
#include "order/penalty.h"
#include "order/split.h"

namespace acevec {
namespace {

GeneratorSettings generator_settings(const OrderAdversarySettings& settings, const Matrix& vectors,
                                     uint64_t seed) {
  return {vectors.columns(), {}, vectors.rows(), settings.optimizer, seed};
}

}  // namespace

OrderAdversaryReport& OrderAdversaryReport::operator+=(const OrderAdversaryReport& other) {
  draws += other.draws;
  observed += other.observed;
  conditions += other.conditions;
  entropy += other.entropy;
  return *this;
}

OrderAdversaryState::OrderAdversaryState(const OrderAdversarySettings& wanted,
                                         const std::vector<OrderPair>& pairs, const Matrix& matrix,
                                         float eta, uint64_t seed)
    : settings(wanted),
      train(pairs),
      vectors(matrix),
      margin(eta),
      generals{GeneratorParameters(generator_settings(wanted, matrix, seed)),
               generals_of(matrix.rows(), pairs)},
      specifics{GeneratorParameters(generator_settings(wanted, matrix, seed)),
                specifics_of(matrix.rows(), pairs)} {}

OrderAdversary::OrderAdversary(OrderAdversaryState& state)
    : state_(state),
      generals_(state.generals.generator, (state.settings.conditions + 1) / 2),
      specifics_(state.specifics.generator, (state.settings.conditions + 1) / 2) {}

void OrderAdversary::next(int64_t pairs, Random& random, std::vector<OrderPair>& negatives) {
  negatives.clear();
  // A turn's draws serve `conditions · draws / negatives` true pairs, those left out as well.
  const auto wanted = static_cast<size_t>(pairs * state_.settings.negatives);
  while (negatives.size() < wanted) {
    if (pool_.empty()) {
      take_turn(true, random);
      take_turn(false, random);
      for (size_t i = pool_.size(); i > 1; --i) {
        std::swap(pool_[i - 1], pool_[random.below(static_cast<uint32_t>(i))]);
      }
    }
    negatives.push_back(pool_.back());
    pool_.pop_back();
  }
  std::erase_if(negatives, [](const OrderPair& pair) { return pair.specific < 0; });
}

void OrderAdversary::take_turn(bool replace_general, Random& random) {
  const OrderAdversarySettings& settings = state_.settings;
  const OrderAdversaryState::Side& side = replace_general ? state_.generals : state_.specifics;
  FullSoftmax& softmax = replace_general ? generals_ : specifics_;
  const int64_t rows = (settings.conditions + 1) / 2;
  const int64_t draws = settings.draws;

  std::vector<int32_t> conditions(static_cast<size_t>(rows));
  for (int32_t& condition : conditions) {
    const OrderPair& pair = state_.train[random.below(static_cast<uint32_t>(state_.train.size()))];
    condition = replace_general ? pair.specific : pair.general;
  }
  AlignedFloats features(rows * state_.vectors.stride());
  gather_rows(state_.vectors, conditions.data(), rows, features.data());
  softmax.compute(features.data(), rows, nullptr, 0);

  std::vector<int32_t> drawn(static_cast<size_t>(rows * draws));
  std::vector<float> weights(drawn.size());
  AlignedFloats outcome(state_.vectors.stride());
  for (int64_t i = 0; i < rows; ++i) {
    const int32_t condition = conditions[static_cast<size_t>(i)];
    const float* const x = features.data() + i * state_.vectors.stride();
    // What a replacement is worth: D's loss on it, and a penalty where it makes a true pair.
    const auto reward = [&](int32_t y, bool observed) {
      if (observed) return -settings.policy.penalty;
      gather_rows(state_.vectors, &y, 1, outcome.data());
      const float penalty = replace_general
                                ? order_penalty(x, outcome.data(), state_.vectors.stride())
                                : order_penalty(outcome.data(), x, state_.vectors.stride());
      return negative_loss(penalty, state_.margin);
    };
    const auto is_observed = [&](int32_t y) {
      return y == condition || side.observed.contains(condition, y);
    };
    float baseline = 0;
    if (settings.policy.baseline == PolicySettings::Baseline::kSelfCritical) {
      const auto best =
          static_cast<int32_t>(most_likely(softmax.probabilities(i), softmax.outcomes()));
      baseline = reward(best, is_observed(best));
    }
    int32_t* const chosen = drawn.data() + i * draws;
    softmax.draw(i, draws, random, chosen);
    for (int64_t j = 0; j < draws; ++j) {
      if (chosen[j] < 0) continue;
      const bool observed = is_observed(chosen[j]);
      weights[static_cast<size_t>(i * draws + j)] = reward(chosen[j], observed) - baseline;
      report_.draws += 1;
      report_.observed += observed ? 1 : 0;
      pool_.push_back(observed          ? OrderPair{-1, -1}
                      : replace_general ? OrderPair{condition, chosen[j]}
                                        : OrderPair{chosen[j], condition});
    }
    report_.conditions += 1;
    report_.entropy += static_cast<double>(softmax.entropy(i));
  }
  softmax.learn(features.data(), drawn.data(), weights.data(), draws,
                settings.policy.entropy_floor);
}

}  // namespace acevec
