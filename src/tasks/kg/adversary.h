// Hard negatives for a knowledge graph: for either side of a triple a generator that, given the
// other side and the relation, chooses a replacement (ace-2018, section 4.3).
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
#include "train/sums.h"

namespace acevec {

// Over the conditions of the generator's turns, which are triples without one side.
struct KgAdversaryReport {
  Mean entropy;  // of g, nats
  Mean reward;   // expected, with penalties
};

// What a run keeps of it.
struct KgAdversaryState {
  // `training` has an adversary; it plays against `model`, which learns from the `known` triples.
  // All must live as long.
  KgAdversaryState(const KgSettings& training, const KgModel& model, const KnownTriples& known);

  const KgSettings& training;
  const KgAdversarySettings& settings;  // its
  const KgModel& model;
  const KnownTriples& known;
  // g(h⁻|r, t) and g(t⁻|h, r); none when only the critic plays.
  std::optional<GeneratorParameters> heads, tails;
};

class KgAdversary {
 public:
  explicit KgAdversary(KgAdversaryState& state);

  // Chooses a negative for each triple, of the weight 1 − λ; none for a triple of which all
  // candidates are true. A generator is paid what the discriminator loses on its choices as the
  // vectors are now, and learns.
  void next(std::span<const Triple> positives, Random& random, std::span<Negative> negatives);

  // What was counted since the last call.
  KgAdversaryReport take_report() { return std::exchange(report_, {}); }

 private:
  void draw_candidates(std::span<const Triple> positives, Random& random);
  void fetch_candidates();
  void play(Side side, std::span<const int32_t> places, std::span<const Triple> positives,
            Random& random, std::span<Negative> negatives);
  void look(Side side, int64_t begin, int64_t end);
  void generate(Side side);
  void choose(Side side, int64_t begin, int64_t end, Random& random);
  int32_t draw(Side side, int64_t row, Random& random);
  void learn_from(int64_t begin, int64_t end, Random& random);
  void mark(Side side, int64_t row);
  float true_distance(int64_t row) const;

  bool learned() const { return state_.settings.learned(); }
  Generator& generator(Side side) { return side == Side::kHead ? *heads_ : *tails_; }
  int64_t candidates() const { return std::ssize(candidates_); }

  KgAdversaryState& state_;
  int threads_;
  std::optional<Generator> heads_, tails_;
  std::vector<int32_t> candidates_;
  std::vector<int32_t> places_;     // entity -> its place among the candidates, or −1
  Columns columns_;                 // of the candidates
  std::vector<Triple> conditions_;  // at hand, with what stands at the side asked for
  AlignedFloats features_;          // of the conditions
  std::vector<int32_t> choices_;    // for each condition a candidate's place, or −1
  // Conditions × candidates; the last three for a generator.
  std::vector<float> distances_, g_, logits_, rewards_, gradient_;
  std::vector<uint8_t> observed_;
  std::vector<PolicyValue> values_;  // of some conditions each
  KgAdversaryReport report_;
};

}  // namespace acevec
