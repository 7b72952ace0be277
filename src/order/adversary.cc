#include "order/adversary.h"

#include <algorithm>
#include <numeric>

#include "ace/full_policy.h"
#include "math/hogwild.h"
#include "order/penalty.h"
#include "order/split.h"

namespace acevec {
namespace {

// Concepts whose vectors are looked at together: they stay in the second cache.
constexpr int64_t kBlock = 512;

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

bool OrderAdversaryState::is_spared(Replaced replaced, int32_t condition, int32_t outcome) const {
  return condition == outcome || side(replaced).observed.contains(condition, outcome) ||
         (settings.spare_possible && is_possible(replaced, condition, outcome));
}

bool OrderAdversaryState::is_possible(Replaced replaced, int32_t condition, int32_t outcome) const {
  const bool keeps_specific = replaced == Replaced::kGeneral;
  const auto of_x = generals.observed.outcomes(keeps_specific ? condition : outcome);
  const auto of_y = generals.observed.outcomes(keeps_specific ? outcome : condition);
  return of_y.size() <= of_x.size() &&
         std::includes(of_x.begin(), of_x.end(), of_y.begin(), of_y.end());
}

OrderAdversary::OrderAdversary(OrderAdversaryState& state)
    : state_(state),
      generals_(state.generals.generator, (state.settings.conditions + 1) / 2),
      specifics_(state.specifics.generator, (state.settings.conditions + 1) / 2),
      features_((state.settings.conditions + 1) / 2 * state.vectors.stride()),
      others_(kBlock * state.vectors.stride()),
      penalties_((state.settings.conditions + 1) / 2 * state.vectors.rows()) {}

void OrderAdversary::next(int64_t pairs, Random& random, std::vector<OrderPair>& negatives) {
  negatives.clear();
  // A turn's draws serve `conditions · draws / negatives` true pairs, those left out as well.
  const auto wanted = static_cast<size_t>(pairs * state_.settings.negatives);
  while (negatives.size() < wanted) {
    if (pool_.empty()) {
      take_turn(Replaced::kGeneral, random);
      take_turn(Replaced::kSpecific, random);
      shuffle(pool_, random);
    }
    negatives.push_back(pool_.back());
    pool_.pop_back();
  }
  std::erase_if(negatives, [](const OrderPair& pair) { return pair.specific < 0; });
}

void OrderAdversary::take_turn(Replaced replaced, Random& random) {
  const OrderAdversarySettings& settings = state_.settings;
  FullSoftmax& softmax = replaced == Replaced::kGeneral ? generals_ : specifics_;
  const int64_t rows = (settings.conditions + 1) / 2;

  std::vector<int32_t> conditions(static_cast<size_t>(rows));
  for (int32_t& condition : conditions) {
    const OrderPair& pair = state_.train[random.below(static_cast<uint32_t>(state_.train.size()))];
    condition = replaced == Replaced::kGeneral ? pair.specific : pair.general;
  }
  gather_rows(state_.vectors, conditions.data(), rows, features_.data());
  compute_penalties(replaced, rows);
  softmax.compute(features_.data(), rows, penalties_.data(), -static_cast<float>(settings.beta));
  compute_rewards(replaced, conditions);

  std::vector<int32_t> drawn(static_cast<size_t>(rows * settings.draws));
  for (int64_t i = 0; i < rows; ++i) {
    const int32_t condition = conditions[static_cast<size_t>(i)];
    int32_t* const chosen = drawn.data() + i * settings.draws;
    softmax.draw(i, settings.draws, random, chosen);
    for (int64_t j = 0; j < settings.draws; ++j) {
      if (chosen[j] < 0) continue;
      const bool observed = state_.is_spared(replaced, condition, chosen[j]);
      report_.draws += 1;
      report_.observed += observed ? 1 : 0;
      pool_.push_back(observed                         ? OrderPair{-1, -1}
                      : replaced == Replaced::kGeneral ? OrderPair{condition, chosen[j]}
                                                       : OrderPair{chosen[j], condition});
    }
    report_.conditions += 1;
    report_.entropy += static_cast<double>(softmax.entropy(i));
  }
  take_policy_step(
      settings.policy,
      {rows, features_.data(), penalties_.data(), drawn.data(), nullptr, settings.draws, nullptr},
      softmax);
}

// penalties_ = E of the conditions, whose vectors are in features_, with all concepts.
void OrderAdversary::compute_penalties(Replaced replaced, int64_t rows) {
  const Matrix& vectors = state_.vectors;
  int32_t ids[kBlock];
  for (int64_t begin = 0; begin < vectors.rows(); begin += kBlock) {
    const int64_t count = std::min(kBlock, vectors.rows() - begin);
    std::iota(ids, ids + count, static_cast<int32_t>(begin));
    gather_rows(vectors, ids, count, others_.data());
    penalty_table(replaced, features_.data(), rows, others_.data(), count, vectors.columns(),
                  vectors.stride(), penalties_.data() + begin, vectors.rows());
  }
}

// Penalties become what a replacement is worth: D's loss on it, or −penalty where it is spared.
void OrderAdversary::compute_rewards(Replaced replaced, const std::vector<int32_t>& conditions) {
  const int64_t concepts = state_.vectors.rows();
  const float penalty = state_.settings.policy.penalty;
  const ExactPairs& observed = state_.side(replaced).observed;
  float* row = penalties_.data();
  for (const int32_t condition : conditions) {
    for (int64_t y = 0; y < concepts; ++y) row[y] = negative_loss(row[y], state_.margin);
    for (int32_t y = 0; state_.settings.spare_possible && y < concepts; ++y) {
      if (row[y] > 0 && state_.is_possible(replaced, condition, y)) row[y] = -penalty;
    }
    row[condition] = -penalty;
    for (const int32_t y : observed.outcomes(condition)) row[y] = -penalty;
    row += concepts;
  }
}

}  // namespace acevec
