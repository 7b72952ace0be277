#include "tasks/kg/adversary.h"

#include <algorithm>
#include <numeric>

#include "base/parallel.h"
#include "kernels/hogwild.h"
#include "kernels/policy_kernels.h"

namespace acevec {
namespace {

constexpr int64_t kRows = 256;       // conditions of a turn
constexpr int64_t kConditions = 16;  // conditions that a thread takes at once
constexpr int64_t kBlock = 512;      // candidates that a thread fetches at once
constexpr int64_t kAhead = 6;        // conditions whose rows are prefetched

// Conditions of a turn.
int64_t rows_of(const KgSettings& training) {
  return std::min(kRows, training.batch);
}

// Like draw_candidate(), for few probabilities: outcomes k, k + kLanes, .. are summed together.
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
  int64_t last = -1;  // takes the remainder left by rounding
  for (k = lane; k < count; k += kLanes) {
    if (!(g[k] > 0)) continue;
    last = k;
    if (place < g[k]) break;
    place -= g[k];
  }
  return static_cast<int32_t>(last);
}

}  // namespace

KgAdversary::KgAdversary(const KgSettings& training, const KgModel& model,
                         const KnownTriples& known)
    : training_(training),
      settings_(*training.adversary),
      model_(model),
      score_(dynamic_cast<const PairScore&>(*model.score)),
      known_(known),
      candidates_(static_cast<size_t>(settings_.most_candidates(model.entities.rows()))),
      places_(static_cast<size_t>(model.entities.rows()), -1),
      columns_(score_.size(), candidates()),
      features_(rows_of(training) * padded(2 * score_.size())),
      distances_(static_cast<size_t>(rows_of(training) * candidates())),
      g_(distances_.size()),
      observed_(distances_.size()) {
  if (settings_.candidates == 0) {
    std::iota(candidates_.begin(), candidates_.end(), 0);
    std::iota(places_.begin(), places_.end(), 0);
  }
  if (!learned()) return;
  for (std::vector<float>* table : {&logits_, &rewards_, &gradient_}) table->resize(g_.size());
  for (const auto& [player, stream] :
       {std::pair(&heads_, Stream::kKgHeads), std::pair(&tails_, Stream::kKgTails)}) {
    player->emplace(GeneratorSettings{.inputs = 2 * score_.size(),
                                      .outcomes = model.entities.rows(),
                                      .optimizer = settings_.optimizer,
                                      .seed = training.seed,
                                      .stream = stream},
                    rows_of(training), candidates(), training.threads);
  }
}

void KgAdversary::next(std::span<const Triple> positives, Random& random,
                       std::span<Negative> negatives) {
  if (settings_.candidates != 0) draw_candidates(positives, random);
  fetch_candidates();
  std::vector<int32_t> sides[2];
  for (size_t i = 0; i < positives.size(); ++i) {
    const Side side = random_side(random);
    sides[static_cast<size_t>(side)].push_back(static_cast<int32_t>(i));
  }
  const auto most = static_cast<size_t>(rows_of(training_));
  for (const Side side : {Side::kHead, Side::kTail}) {
    const std::span<const int32_t> all = sides[static_cast<size_t>(side)];
    for (size_t i = 0; i < all.size(); i += most) {
      choose_for_side(side, all.subspan(i, std::min(most, all.size() - i)), positives, random,
                      negatives);
    }
  }
}

// Candidates from the step's own triples occur as often as in the graph, and are of the types that
// its relations require; a repeated one is replaced by a random entity.
void KgAdversary::draw_candidates(std::span<const Triple> positives, Random& random) {
  const auto entities = static_cast<uint32_t>(model_.entities.rows());
  const auto triples = static_cast<uint32_t>(positives.size());
  const double in_batch = settings_.in_batch * static_cast<double>(candidates_.size());
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

void KgAdversary::fetch_candidates() {
  in_blocks(training_.threads, candidates(), kBlock, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) {
      const float* const row = model_.entities.row(candidates_[static_cast<size_t>(k)]);
      columns_.set(k, row, score_.shift(row));
    }
  });
}

void KgAdversary::compute_distances(Side side, int64_t begin, int64_t end) {
  AlignedFloats buffer(padded(candidates()));
  int64_t next = begin;
  for (int64_t i = begin; i < end; ++i) {
    for (; next < std::min(i + kAhead, end); ++next) {
      const int32_t kept = entity(conditions_[static_cast<size_t>(next)], other(side));
      prefetch_rows(model_.entities, &kept, 1);
    }
    const Triple& condition = conditions_[static_cast<size_t>(i)];
    const float* const kept = model_.entities.row(entity(condition, other(side)));
    const float* const relation = model_.relations.row(condition.relation);
    float* const projected = features_.data() + i * padded(2 * score_.size());
    float* const point = projected + score_.size();
    if (learned()) score_.project(kept, relation, projected);
    score_.query_point(side, kept, relation, point);
    // A row is written with padding, which the next row overwrites. Rows behind these conditions
    // belong to another thread.
    float* const row = distances_.data() + i * candidates();
    const bool fits = (end - i) * candidates() >= padded(candidates());
    score_.distances(point, relation, columns_, 0, candidates(), fits ? row : buffer.data());
    if (!fits) std::copy_n(buffer.data(), candidates(), row);
  }
}

// Sets observed_ for a condition.
void KgAdversary::mark(Side side, int64_t row) {
  uint8_t* const observed = observed_.data() + row * candidates();
  std::fill_n(observed, candidates(), uint8_t{0});
  for (const int32_t answer : known_.at(side).of(conditions_[static_cast<size_t>(row)])) {
    const int32_t k = places_[static_cast<size_t>(answer)];
    if (k >= 0) observed[k] = 1;
  }
}

// Computes g_ and choices_ of some conditions.
void KgAdversary::choose(Side side, int64_t begin, int64_t end, Random& random) {
  const int64_t count = candidates(), at = begin * count, rows = end - begin;
  if (learned()) {
    for (int64_t i = begin; i < end; ++i) mark(side, i);
    softmax_rows(logits_.data() + at, 1, {observed_.data() + at, rows, count}, g_.data() + at,
                 nullptr);
  } else {
    softmax_rows(distances_.data() + at, -settings_.prior, {nullptr, rows, count}, g_.data() + at,
                 nullptr);
  }
  for (int64_t i = begin; i < end; ++i) choices_[static_cast<size_t>(i)] = draw(side, i, random);
}

// Draws a candidate for a condition from g_; −1 if all are true. The critic's g_ includes true
// triples: they are redrawn, which is equivalent to leaving them out, and cheaper if they are few.
int32_t KgAdversary::draw(Side side, int64_t row, Random& random) {
  constexpr int kDraws = 4;  // after which true triples are masked
  const int64_t count = candidates();
  const Triple& condition = conditions_[static_cast<size_t>(row)];
  float* const g = g_.data() + row * count;
  if (learned()) return static_cast<int32_t>(draw_candidate(g, count, random));
  const auto is_true = [&](int32_t k) {
    const int32_t by = candidates_[static_cast<size_t>(k)];
    return known_.contains(replaced(condition, side, by));
  };
  int32_t k = draw_by_lanes(g, count, random);
  for (int draws = 1; k >= 0 && is_true(k); ++draws) {
    if (draws == kDraws) {
      mark(side, row);
      leave_out_observed(observed_.data() + row * count, 1, count, g);
    }
    k = draw_by_lanes(g, count, random);
  }
  return k;
}

void KgAdversary::choose_for_side(Side side, std::span<const int32_t> places,
                                  std::span<const Triple> positives, Random& random,
                                  std::span<Negative> negatives) {
  const auto rows = std::ssize(places);
  conditions_.clear();
  for (const int32_t place : places) conditions_.push_back(positives[static_cast<size_t>(place)]);
  choices_.resize(places.size());
  if (learned()) {
    in_blocks(training_.threads, rows, kConditions,
              [&](int64_t begin, int64_t end) { compute_distances(side, begin, end); });
    const float* const h = generator(side).hidden(features_.data(), rows);
    generator(side).logits(h, rows, {candidates_.data(), candidates()}, distances_.data(),
                           -settings_.prior, logits_.data());
  }
  report_ += sum_in_random_blocks(training_.threads, rows, kConditions, random,
                                  [&](int64_t begin, int64_t end, Random& own) {
                                    if (!learned()) compute_distances(side, begin, end);
                                    choose(side, begin, end, own);
                                    return learned() ? learn_from(begin, end, own) : PolicyReport{};
                                  });
  if (learned()) generator(side).learn(features_.data(), gradient_.data());
  const auto weight = static_cast<float>(1 - settings_.noise_weight);
  for (size_t i = 0; i < places.size(); ++i) {
    const int32_t k = choices_[i];
    negatives[static_cast<size_t>(places[i])] =
        k < 0 ? Negative{} : Negative{side, candidates_[static_cast<size_t>(k)], weight};
  }
}

// Computes the gradient of the generator's objective with respect to the logits of some conditions.
PolicyReport KgAdversary::learn_from(int64_t begin, int64_t end, Random& random) {
  const int64_t count = candidates(), at = begin * count;
  for (int64_t i = begin; i < end; ++i) {
    const float true_distance = model_.distance(conditions_[static_cast<size_t>(i)]);
    for (int64_t k = i * count; k < (i + 1) * count; ++k) {
      // The reward of a non-separable loss is the loss itself.
      rewards_[static_cast<size_t>(k)] = pair_loss(training_.loss, training_.margin, true_distance,
                                                   distances_[static_cast<size_t>(k)])
                                             .value;
    }
  }
  return policy_gradient(settings_.policy, {observed_.data() + at, end - begin, count},
                         logits_.data() + at, rewards_.data() + at, random,
                         {g_.data() + at, gradient_.data() + at});
}

}  // namespace acevec
