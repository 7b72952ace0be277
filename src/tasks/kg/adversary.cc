#include "tasks/kg/adversary.h"

#include <algorithm>
#include <numeric>

#include "kernels/hogwild.h"
#include "kernels/policy_kernels.h"

namespace acevec {
namespace {

constexpr int64_t kRows = 64;      // conditions looked at together
constexpr int64_t kBlock = 1024;   // candidates whose rows are fetched together
constexpr int64_t kOutputs = 512;  // of the generator, worked on together

GeneratorSettings generator_settings(const KgAdversarySettings& settings, int64_t size,
                                     int64_t entities, uint64_t seed, Stream stream) {
  return {.inputs = 2 * size,
          .outcomes = entities,
          .optimizer = settings.optimizer,
          .seed = seed,
          .stream = stream};
}

// No more than a tenth of the entities: the nearest of a small graph's would be what is true but
// unknown, again and again.
int64_t candidates_of(const KgAdversarySettings& settings, int64_t entities) {
  if (settings.candidates == 0) return entities;
  return std::min(settings.candidates, std::max<int64_t>(entities / 10, 1));
}

int64_t candidates_of(const KgAdversaryState& state) {
  return candidates_of(state.settings, state.model.entities.rows());
}

size_t places_of(const KgAdversaryState& state) {
  return static_cast<size_t>(kRows * candidates_of(state));
}

// As draw_candidate(), for few probabilities: outcomes k, k + kLanes, .. are passed together.
int32_t draw_by_lanes(const float* g, int64_t count, Random& random) {
  constexpr int64_t kLanes = 16;
  float sums[kLanes] = {};
  int64_t k = 0;
  for (; k + kLanes <= count; k += kLanes) {
    for (int64_t i = 0; i < kLanes; ++i) sums[i] += g[k + i];
  }
  for (int64_t i = 0; k + i < count; ++i) sums[i] += g[k + i];
  float place = random.uniform() * std::accumulate(sums, sums + kLanes, 0.0F);
  int64_t lane = 0;
  while (lane < kLanes - 1 && place >= sums[lane]) place -= sums[lane++];
  int64_t last = -1;  // for what rounding leaves over
  for (k = lane; k < count; k += kLanes) {
    if (!(g[k] > 0)) continue;
    last = k;
    if (place < g[k]) break;
    place -= g[k];
  }
  return static_cast<int32_t>(last);
}

}  // namespace

KgAdversaryState::KgAdversaryState(const KgSettings& wanted, const KgModel& opponent,
                                   const KnownTriples& learned_from)
    : training(wanted), settings(*wanted.adversary), model(opponent), known(learned_from) {
  if (!settings.learned()) return;
  const int64_t size = model.score->size();
  const int64_t entities = model.entities.rows();
  heads.emplace(generator_settings(settings, size, entities, training.seed, Stream::kKgHeads));
  tails.emplace(generator_settings(settings, size, entities, training.seed, Stream::kKgTails));
}

int64_t KgAdversaryState::bytes(int64_t entities, int64_t size,
                                const KgAdversarySettings& settings) {
  if (!settings.learned()) return 0;
  return 2 * GeneratorParameters::bytes(
                 generator_settings(settings, size, entities, 1, Stream::kKgHeads));
}

int64_t KgAdversary::bytes(int64_t entities, const Score& score,
                           const KgAdversarySettings& settings) {
  const int64_t candidates = candidates_of(settings, entities);
  const int64_t rows = (kBlock + 2 * kRows) * score.entity_width() +
                       kRows * score.relation_width() + padded(candidates) * (score.size() + 2);
  const int64_t features = kRows * padded(2 * score.size());
  const GeneratorSettings generator =
      generator_settings(settings, score.size(), entities, 1, Stream::kKgHeads);
  return (rows + features + (settings.learned() ? 5 : 2) * kRows * candidates) * kFloatSize +
         kRows * candidates + 4 * (entities + candidates) +
         (settings.learned() ? 2 * Generator::bytes(generator, kRows, kOutputs) : 0);
}

KgAdversary::KgAdversary(KgAdversaryState& state)
    : state_(state),
      candidates_(static_cast<size_t>(candidates_of(state))),
      places_(static_cast<size_t>(state.model.entities.rows()), -1),
      columns_(state.model.score->size(), candidates_of(state)),
      candidate_rows_(kBlock * state.model.entities.stride()),
      kept_(kRows * state.model.entities.stride()),
      relations_(kRows * state.model.relations.stride()),
      true_(kRows * state.model.entities.stride()),
      features_(kRows * padded(2 * state.model.score->size())),
      true_distances_(kRows),
      distances_(places_of(state) + kRowPadding),  // the last row's padding
      g_(places_of(state)),
      observed_(places_of(state)) {
  if (learned()) {
    for (std::vector<float>* table : {&logits_, &rewards_, &gradient_}) {
      table->resize(places_of(state));
    }
  }
  if (state.heads) heads_.emplace(*state.heads, kRows, kOutputs);
  if (state.tails) tails_.emplace(*state.tails, kRows, kOutputs);
  if (state.settings.candidates == 0) {
    std::iota(candidates_.begin(), candidates_.end(), 0);
    std::iota(places_.begin(), places_.end(), 0);
  }
}

void KgAdversary::next(const std::vector<Triple>& positives, Random& random,
                       std::vector<Negative>& negatives) {
  choose_candidates(positives, random);
  std::vector<int32_t> sides[2];
  for (size_t i = 0; i < positives.size(); ++i) {
    const Side side = state_.model.replaced_side(random);
    sides[static_cast<size_t>(side)].push_back(static_cast<int32_t>(i));
  }
  for (const Side side : {Side::kHead, Side::kTail}) {
    std::span<const int32_t> places = sides[static_cast<size_t>(side)];
    while (!places.empty()) {
      const auto some = places.first(std::min<size_t>(kRows, places.size()));
      play(side, some, positives, random, negatives);
      places = places.subspan(some.size());
    }
  }
}

// Candidates of the step's own triples are met as often as in the graph, and are of the kinds that
// its relations ask for; one that is a candidate already gives way to any entity.
void KgAdversary::draw_candidates(const std::vector<Triple>& positives, Random& random) {
  const auto entities = static_cast<uint32_t>(state_.model.entities.rows());
  const auto triples = static_cast<uint32_t>(positives.size());
  const double in_batch = state_.settings.in_batch * static_cast<double>(candidates_.size());
  for (const int32_t id : candidates_) places_[static_cast<size_t>(id)] = -1;
  for (size_t k = 0; k < candidates_.size(); ++k) {
    const bool own = static_cast<double>(k) < in_batch;
    const Side side = own && random.below(2) == 0 ? Side::kHead : Side::kTail;
    int32_t id = own ? entity(positives[random.below(triples)], side)
                     : static_cast<int32_t>(random.below(entities));
    while (places_[static_cast<size_t>(id)] >= 0) {
      id = static_cast<int32_t>(random.below(entities));
    }
    candidates_[k] = id;
    places_[static_cast<size_t>(id)] = static_cast<int32_t>(k);
  }
}

void KgAdversary::choose_candidates(const std::vector<Triple>& positives, Random& random) {
  const Matrix& entities = state_.model.entities;
  if (state_.settings.candidates != 0) draw_candidates(positives, random);
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

// Fills features and distances of the conditions, and the distances of what is true where somebody
// asks for them.
void KgAdversary::look(Side side) {
  const Score& score = *state_.model.score;
  const auto rows = static_cast<int64_t>(conditions_.size());
  const auto count = static_cast<int64_t>(candidates_.size());
  const int64_t width = state_.model.entities.stride();
  const int64_t relation_width = state_.model.relations.stride();
  int32_t kept[kRows] = {}, truth[kRows] = {}, relations[kRows] = {};
  for (size_t i = 0; i < conditions_.size(); ++i) {
    kept[i] = entity(conditions_[i], other(side));
    truth[i] = entity(conditions_[i], side);
    relations[i] = conditions_[i].relation;
  }
  gather_rows(state_.model.entities, kept, rows, kept_.data());
  gather_rows(state_.model.relations, relations, rows, relations_.data());
  for (int64_t i = 0; i < rows; ++i) {
    float* const projected = features_.data() + i * padded(2 * score.size());
    float* const point = projected + score.size();
    const float* const relation = relations_.data() + i * relation_width;
    if (learned()) score.project(kept_.data() + i * width, relation, projected);
    score.ask(side, kept_.data() + i * width, relation, point);
    score.distances(point, relation, columns_, 0, count, distances_.data() + i * count);
  }
  if (!learned()) return;
  gather_rows(state_.model.entities, truth, rows, true_.data());
  for (int64_t i = 0; i < rows; ++i) {
    const float* const one = kept_.data() + i * width;
    const float* const relation = relations_.data() + i * relation_width;
    const float* const answer = true_.data() + i * width;
    true_distances_[static_cast<size_t>(i)] = side == Side::kTail
                                                  ? score.distance(one, relation, answer)
                                                  : score.distance(answer, relation, one);
  }
}

// Fills observed_ of a condition.
void KgAdversary::mark(Side side, int64_t row) {
  const auto count = static_cast<int64_t>(candidates_.size());
  uint8_t* const observed = observed_.data() + row * count;
  std::fill_n(observed, count, uint8_t{0});
  for (const int32_t answer : state_.known.at(side).of(conditions_[static_cast<size_t>(row)])) {
    const int32_t k = places_[static_cast<size_t>(answer)];
    if (k >= 0) observed[k] = 1;
  }
}

// Fills g_ of the conditions that were looked at.
void KgAdversary::generate(Side side) {
  const auto rows = static_cast<int64_t>(conditions_.size());
  const auto count = static_cast<int64_t>(candidates_.size());
  if (!learned()) {
    return softmax_rows(distances_.data(), -state_.settings.prior, {nullptr, rows, count},
                        g_.data(), nullptr);
  }
  for (int64_t i = 0; i < rows; ++i) mark(side, i);
  const float* const h = generator(side).hidden(features_.data(), rows);
  generator(side).logits(h, rows, {candidates_.data(), count}, distances_.data(),
                         -state_.settings.prior, logits_.data());
  softmax_rows(logits_.data(), 1, {observed_.data(), rows, count}, g_.data(), nullptr);
}

// A candidate for a condition by g_; −1 where all are true. In the critic's g_ true triples still
// are: who draws one draws again, which is the same as leaving them out, and cheaper where they are
// few.
int32_t KgAdversary::draw(Side side, int64_t row, Random& random) {
  constexpr int kTurns = 4;  // then true triples are not few
  const auto count = static_cast<int64_t>(candidates_.size());
  const Triple& condition = conditions_[static_cast<size_t>(row)];
  float* const g = g_.data() + row * count;
  if (learned()) return static_cast<int32_t>(draw_candidate(g, count, random));
  const auto is_true = [&](int32_t k) {
    const int32_t by = candidates_[static_cast<size_t>(k)];
    return state_.known.contains(replaced(condition, side, by));
  };
  int32_t k = draw_by_lanes(g, count, random);
  for (int turn = 1; k >= 0 && is_true(k); ++turn) {
    if (turn == kTurns) {
      mark(side, row);
      leave_out_observed(observed_.data() + row * count, 1, count, g);
    }
    k = draw_by_lanes(g, count, random);
  }
  return k;
}

void KgAdversary::play(Side side, std::span<const int32_t> places,
                       const std::vector<Triple>& positives, Random& random,
                       std::vector<Negative>& negatives) {
  conditions_.clear();
  for (const int32_t place : places) conditions_.push_back(positives[static_cast<size_t>(place)]);
  look(side);
  generate(side);
  const auto weight = static_cast<float>(1 - state_.settings.noise_weight);
  for (size_t i = 0; i < places.size(); ++i) {
    const int32_t k = draw(side, static_cast<int64_t>(i), random);
    if (k < 0) continue;
    negatives.push_back({places[i], side, candidates_[static_cast<size_t>(k)], weight});
  }
  if (learned()) learn_from(side, random);
}

// The generator's turn, on the conditions at hand.
void KgAdversary::learn_from(Side side, Random& random) {
  const auto rows = static_cast<int64_t>(conditions_.size());
  const auto count = static_cast<int64_t>(candidates_.size());
  for (int64_t i = 0; i < rows * count; ++i) {
    // What a non-separable loss pays: the loss itself.
    rewards_[static_cast<size_t>(i)] = pair_loss(state_.training.loss, state_.training.margin,
                                                 true_distances_[static_cast<size_t>(i / count)],
                                                 distances_[static_cast<size_t>(i)])
                                           .value;
  }
  const PolicyValue value =
      policy_gradient(state_.settings.policy, {observed_.data(), rows, count}, logits_.data(),
                      rewards_.data(), random, {g_.data(), gradient_.data()});
  generator(side).learn(features_.data(), gradient_.data());
  report_.entropy += Mean{value.entropy, static_cast<double>(rows)};
  report_.reward += Mean{value.reward, static_cast<double>(rows)};
}

}  // namespace acevec
