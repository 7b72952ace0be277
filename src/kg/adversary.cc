#include "kg/adversary.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "ace/mining.h"
#include "ace/policy_kernels.h"
#include "math/hogwild.h"

namespace acevec {
namespace {

constexpr int64_t kRows = 64;     // conditions looked at together
constexpr int64_t kBlock = 1024;  // candidates whose rows are fetched together

GeneratorSettings generator_settings(const KgAdversarySettings& settings, int64_t size,
                                     int64_t entities, uint64_t seed, Stream stream) {
  return {2 * size, settings.hidden, entities, settings.optimizer, seed, stream};
}

int64_t candidates_of(const KgAdversarySettings& settings, int64_t entities) {
  return settings.candidates == 0 ? entities : std::min(settings.candidates, entities);
}

int64_t candidates_of(const KgAdversaryState& state) {
  return candidates_of(state.settings, state.model.entities.rows());
}

size_t places_of(const KgAdversaryState& state) {
  return static_cast<size_t>(kRows * candidates_of(state));
}

}  // namespace

KgAdversaryReport& KgAdversaryReport::operator+=(const KgAdversaryReport& more) {
  conditions += more.conditions;
  entropy += more.entropy;
  reward += more.reward;
  return *this;
}

KgAdversaryState::KgAdversaryState(const KgAdversarySettings& wanted, const Game& game)
    : settings(wanted),
      model(game.model),
      known(game.known),
      corruption(game.corruption),
      loss(game.loss),
      margin(game.margin) {
  if (settings.sampler != KgSampler::kLearned) return;
  const int64_t size = model.score->size();
  const int64_t entities = model.entities.rows();
  heads.emplace(generator_settings(settings, size, entities, game.seed, Stream::kKgHeads));
  tails.emplace(generator_settings(settings, size, entities, game.seed, Stream::kKgTails));
}

int64_t KgAdversaryState::bytes(int64_t entities, int64_t size,
                                const KgAdversarySettings& settings) {
  if (settings.sampler != KgSampler::kLearned) return 0;
  return 2 * GeneratorParameters::bytes(
                 generator_settings(settings, size, entities, 1, Stream::kKgHeads));
}

int64_t KgAdversary::bytes(int64_t entities, const Score& score,
                           const KgAdversarySettings& settings) {
  constexpr auto kFloat = static_cast<int64_t>(sizeof(float));
  const int64_t candidates = candidates_of(settings, entities);
  const int64_t rows = kBlock * score.entity_width() + padded(candidates) * (score.size() + 2);
  return (rows + 5 * kRows * candidates) * kFloat + kRows * candidates + 4 * entities;
}

KgAdversary::KgAdversary(KgAdversaryState& state)
    : state_(state),
      candidates_(static_cast<size_t>(candidates_of(state))),
      places_(static_cast<size_t>(state.model.entities.rows()), -1),
      columns_(state.model.score->size(), candidates_of(state)),
      candidate_rows_(kBlock * state.model.entities.stride()),
      features_(kRows * padded(2 * state.model.score->size())),
      distances_(columns_.stride()),
      true_distances_(kRows),
      priors_(places_of(state)),
      rewards_(places_of(state)),
      logits_(places_of(state)),
      g_(places_of(state)),
      gradient_(places_of(state)),
      observed_(places_of(state)) {
  if (state.heads) heads_.emplace(*state.heads, kRows, 512);
  if (state.tails) tails_.emplace(*state.tails, kRows, 512);
  if (state.settings.candidates == 0) {
    std::iota(candidates_.begin(), candidates_.end(), 0);
    std::iota(places_.begin(), places_.end(), 0);
  }
}

void KgAdversary::next(int64_t step, const std::vector<Triple>& positives, Random& random,
                       std::vector<Negative>& negatives) {
  choose_candidates(random);
  std::vector<int32_t> sides[2];
  for (size_t i = 0; i < positives.size(); ++i) {
    const Side side = state_.corruption.draw(positives[i].relation, random);
    sides[side == Side::kHead ? 0 : 1].push_back(static_cast<int32_t>(i));
  }
  const bool learn =
      state_.settings.sampler == KgSampler::kLearned && step % state_.settings.every == 0;
  for (const Side side : {Side::kHead, Side::kTail}) {
    const std::vector<int32_t>& places = sides[side == Side::kHead ? 0 : 1];
    for (size_t begin = 0; begin < places.size(); begin += kRows) {
      const size_t end = std::min(begin + kRows, places.size());
      play(side, {places.data() + begin, places.data() + end}, learn, positives, random, negatives);
    }
  }
}

void KgAdversary::choose_candidates(Random& random) {
  const Matrix& entities = state_.model.entities;
  if (state_.settings.candidates != 0) {
    for (const int32_t id : candidates_) places_[static_cast<size_t>(id)] = -1;
    for (size_t k = 0; k < candidates_.size(); ++k) {
      int32_t id = 0;
      do {
        id = static_cast<int32_t>(random.below(static_cast<uint32_t>(entities.rows())));
      } while (places_[static_cast<size_t>(id)] >= 0);
      candidates_[k] = id;
      places_[static_cast<size_t>(id)] = static_cast<int32_t>(k);
    }
  }
  const auto count = static_cast<int64_t>(candidates_.size());
  for (int64_t begin = 0; begin < count; begin += kBlock) {
    const int64_t some = std::min(kBlock, count - begin);
    gather_rows(entities, candidates_.data() + begin, some, candidate_rows_.data());
    for (int64_t k = 0; k < some; ++k) {
      const float* const row = candidate_rows_.data() + k * entities.stride();
      columns_.set(begin + k, row, state_.model.score->shift(row));
    }
  }
}

// Fills features, priors, rewards and marks of some conditions.
void KgAdversary::look(Side side, const std::vector<int32_t>& places,
                       const std::vector<Triple>& positives) {
  const Score& score = *state_.model.score;
  const auto count = static_cast<int64_t>(candidates_.size());
  const int64_t feature_stride = padded(2 * score.size());
  AlignedFloats kept(state_.model.entities.stride());
  AlignedFloats truth(state_.model.entities.stride());
  AlignedFloats relation(state_.model.relations.stride());
  std::fill(observed_.begin(), observed_.end(), uint8_t{0});
  for (size_t i = 0; i < places.size(); ++i) {
    const Triple& triple = positives[static_cast<size_t>(places[i])];
    const int32_t kept_id = entity(triple, other(side));
    const int32_t true_id = entity(triple, side);
    gather_rows(state_.model.entities, &kept_id, 1, kept.data());
    gather_rows(state_.model.entities, &true_id, 1, truth.data());
    gather_rows(state_.model.relations, &triple.relation, 1, relation.data());
    float* const projected = features_.data() + static_cast<int64_t>(i) * feature_stride;
    float* const point = projected + score.size();
    score.ask(side, kept.data(), relation.data(), projected, point);
    score.distances(point, relation.data(), columns_, 0, count, distances_.data());
    const float true_distance = side == Side::kTail
                                    ? score.distance(kept.data(), relation.data(), truth.data())
                                    : score.distance(truth.data(), relation.data(), kept.data());
    true_distances_[i] = true_distance;
    const int64_t row = static_cast<int64_t>(i) * count;
    for (int64_t k = 0; k < count; ++k) {
      const float distance = distances_.data()[k];
      priors_[static_cast<size_t>(row + k)] = -distance;
      // What a non-separable loss pays: the loss itself.
      rewards_[static_cast<size_t>(row + k)] =
          pair_loss(state_.loss, state_.margin, true_distance, distance).value;
    }
    if (!state_.settings.mask) continue;
    for (const int32_t answer : state_.known.at(side).of(triple)) {
      const int32_t k = places_[static_cast<size_t>(answer)];
      if (k >= 0) observed_[static_cast<size_t>(row + k)] = 1;
    }
  }
}

// Candidates for a condition that has been looked at; −1 where all are true.
void KgAdversary::choose(int64_t row, Random& random, std::vector<int32_t>& chosen) {
  const auto count = static_cast<int64_t>(candidates_.size());
  const KgSampler sampler = state_.settings.sampler;
  if (sampler != KgSampler::kHardest && sampler != KgSampler::kSemiHard) {
    return draw_outcomes(g_.data() + row * count, count, std::ssize(chosen), random, chosen.data());
  }
  const float* const nearness = priors_.data() + row * count;
  std::transform(nearness, nearness + count, distances_.data(), std::negate<>());
  mine(sampler == KgSampler::kHardest ? Mining::kHardest : Mining::kSemiHard, distances_.data(),
       true_distances_[static_cast<size_t>(row)], observed_.data() + row * count, count,
       std::ssize(chosen), chosen.data());
}

void KgAdversary::play(Side side, const std::vector<int32_t>& places, bool learn,
                       const std::vector<Triple>& positives, Random& random,
                       std::vector<Negative>& negatives) {
  const KgAdversarySettings& settings = state_.settings;
  const auto rows = static_cast<int64_t>(places.size());
  const auto count = static_cast<int64_t>(candidates_.size());
  look(side, places, positives);
  std::optional<Generator>& generator = side == Side::kHead ? heads_ : tails_;
  if (generator) {
    const float* const h = generator->hidden(features_.data(), rows);
    generator->logits(h, rows, candidates_.data(), count, priors_.data(), settings.prior,
                      logits_.data());
  } else {
    for (int64_t i = 0; i < rows * count; ++i) {
      logits_[static_cast<size_t>(i)] = settings.prior * priors_[static_cast<size_t>(i)];
    }
  }
  softmax_rows(logits_.data(), 1, observed_.data(), rows, count, g_.data(), nullptr);
  std::vector<int32_t> chosen(static_cast<size_t>(settings.negatives));
  const float weight =
      static_cast<float>((1 - settings.noise_weight) / static_cast<double>(settings.negatives));
  for (int64_t i = 0; i < rows; ++i) {
    choose(i, random, chosen);
    for (const int32_t k : chosen) {
      if (k < 0) continue;
      negatives.push_back(
          {places[static_cast<size_t>(i)], side, candidates_[static_cast<size_t>(k)], weight});
    }
  }
  if (!learn) return;
  const PolicyValue value =
      policy_gradient(settings.policy, logits_.data(), rewards_.data(), observed_.data(), rows,
                      count, random, g_.data(), gradient_.data());
  generator->learn(features_.data(), gradient_.data());
  report_.conditions += static_cast<double>(rows);
  report_.entropy += value.entropy;
  report_.reward += value.reward;
}

}  // namespace acevec
