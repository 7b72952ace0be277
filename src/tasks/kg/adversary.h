// Hard negatives for a knowledge graph: for each side of a triple a generator that chooses a
// replacement given the other side and the relation (ace-2018, section 4.3).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ace/generator.h"
#include "base/random.h"
#include "tasks/kg/model.h"
#include "tasks/kg/settings.h"
#include "tasks/kg/triples.h"

namespace acevec {

class KgAdversary {
 public:
  // `training` has an adversary; `model` is trained on the `known` triples. All must outlive it.
  KgAdversary(const KgSettings& training, const KgModel& model, const KnownTriples& known);

  // Chooses a negative of weight 1 − λ for each triple, or none if all candidates make true
  // triples. A learned generator, rewarded with the discriminator's loss on them, takes a step.
  void next(std::span<const Triple> positives, Random& random, std::span<Negative> negatives);

  PolicyReport take_report() { return std::exchange(report_, {}); }  // since the last call

  // Adds the matrices of g(h⁻|r, t) and g(t⁻|h, r); the critic has none.
  void list(std::vector<Parameter>& parameters) {
    if (!learned()) return;
    heads_->parameters.list("heads", parameters);
    tails_->parameters.list("tails", parameters);
  }

 private:
  void draw_candidates(std::span<const Triple> positives, Random& random);
  void fetch_candidates();
  void choose_for_side(Side side, std::span<const int32_t> places,
                       std::span<const Triple> positives, Random& random,
                       std::span<Negative> negatives);
  void compute_distances(Side side, int64_t begin, int64_t end);
  void choose(Side side, int64_t begin, int64_t end, Random& random);
  int32_t draw(Side side, int64_t row, Random& random);
  PolicyReport learn_from(int64_t begin, int64_t end, Random& random);
  void mark(Side side, int64_t row);

  struct Player {
    Player(const GeneratorSettings& settings, int64_t most_rows, int64_t candidates, int threads)
        : parameters(settings), generator(parameters, most_rows, candidates, threads) {}

    GeneratorParameters parameters;
    Generator generator;
  };

  bool learned() const { return settings_.learned(); }
  Generator& generator(Side side) { return (side == Side::kHead ? heads_ : tails_)->generator; }
  int64_t candidates() const { return std::ssize(candidates_); }

  const KgSettings& training_;
  const KgAdversarySettings& settings_;  // training_.adversary
  const KgModel& model_;
  const PairScore& score_;
  const KnownTriples& known_;
  std::optional<Player> heads_, tails_;  // none for the critic
  std::vector<int32_t> candidates_;
  std::vector<int32_t> places_;     // entity → its index among the candidates, or −1
  Columns columns_;                 // columns of the candidates
  std::vector<Triple> conditions_;  // positive triples of the current turn
  AlignedFloats features_;          // features of the conditions
  std::vector<int32_t> choices_;    // the chosen candidate's index for each condition, or −1
  // Conditions × candidates; the last three only for a learned generator.
  std::vector<float> distances_, g_, logits_, rewards_, gradient_;
  std::vector<uint8_t> observed_;
  PolicyReport report_;
};

}  // namespace acevec
