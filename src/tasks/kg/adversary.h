// Hard negatives for a knowledge graph: for either side of a triple a generator that, given the
// other side and the relation, chooses a replacement (ace-2018, section 4.3).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "ace/generator.h"
#include "ace/policy.h"
#include "ace/sampler.h"
#include "base/random.h"
#include "tasks/kg/known_triples.h"
#include "tasks/kg/model.h"
#include "tasks/kg/pair_loss.h"

namespace acevec {

struct KgAdversarySettings {
  double noise_weight = 0;  // λ: what the noise counts where the adversary counts 1 − λ
  Sampler sampler = Sampler::kCritic;
  float prior = 1;          // β: the generator begins as softmax(−β s)
  int64_t candidates = 64;  // that it chooses from, drawn anew in every step, at most a tenth of
                            // the entities; 0: all
  double in_batch = 0.5;    // share of them that are entities of the step's own triples
  int64_t every = 1;        // steps from one turn of the generator to the next
  std::vector<int64_t> hidden{32, 32};
  PolicySettings policy{.penalty = 1};
  OptimizerSettings optimizer;
};

// Sums over conditions, which are triples without one side.
struct KgAdversaryReport {
  double conditions = 0;  // of the generator's turns
  double entropy = 0;     // of g, nats
  double reward = 0;      // expected, with penalties
};

// A false triple: a true one of the batch with one side replaced.
struct Negative {
  int32_t positive;  // its place in the batch
  Side side;
  int32_t entity;
  float weight;  // of its loss
};

// What the threads of a run share.
struct KgAdversaryState {
  // Whom it plays against.
  struct Game {
    const KgModel& model;
    const KnownTriples& known;  // the triples learned from
    KgLossKind loss;
    float margin;
    uint64_t seed;
  };

  KgAdversaryState(const KgAdversarySettings& settings, const Game& game);

  // What it needs, in bytes. `size`: of a vector.
  static int64_t bytes(int64_t entities, int64_t size, const KgAdversarySettings& settings);

  KgAdversarySettings settings;
  const KgModel& model;
  const KnownTriples& known;  // the triples learned from
  KgLossKind loss;
  float margin;
  // g(h⁻|r, t) and g(t⁻|h, r); none when only the critic plays.
  std::optional<GeneratorParameters> heads, tails;
};

// One object per thread.
class KgAdversary {
 public:
  explicit KgAdversary(KgAdversaryState& state);

  // What one object needs, in bytes.
  static int64_t bytes(int64_t entities, const Score& score, const KgAdversarySettings& settings);

  // Adds a choice for each triple to `negatives`, of the weight 1 − λ; none for a triple of which
  // all candidates are true. `step` decides whether the generator takes its turn: it is then paid
  // what the discriminator loses on its choices as the vectors are now.
  void next(int64_t step, const std::vector<Triple>& positives, Random& random,
            std::vector<Negative>& negatives);

  // What was counted since the last call.
  KgAdversaryReport take_report() { return std::exchange(report_, {}); }

 private:
  void draw_candidates(const std::vector<Triple>& positives, Random& random);
  void choose_candidates(const std::vector<Triple>& positives, Random& random);
  void play(Side side, std::span<const int32_t> places, bool learn,
            const std::vector<Triple>& positives, Random& random, std::vector<Negative>& negatives);
  void look(Side side, const std::vector<Triple>& conditions);
  void generate(Side side, const std::vector<Triple>& conditions);
  int32_t draw(Side side, int64_t row, Random& random);
  void learn_from(Side side, Random& random);
  void mark(Side side, int64_t row);

  bool learned() const { return state_.settings.sampler == Sampler::kLearned; }
  Generator& generator(Side side) { return side == Side::kHead ? *heads_ : *tails_; }

  KgAdversaryState& state_;
  std::optional<Generator> heads_, tails_;
  std::vector<int32_t> candidates_;
  std::vector<int32_t> places_;  // entity -> its place among the candidates, or −1
  Columns columns_;              // of the candidates
  AlignedFloats candidate_rows_;
  std::vector<Triple> conditions_;     // at hand, with what stands at the side asked for
  AlignedFloats kept_, relations_;     // their rows
  AlignedFloats true_;                 // and those of what stands there
  AlignedFloats features_;             // of the conditions
  std::vector<float> true_distances_;  // of each condition
  // Conditions × candidates; the last three for a generator.
  std::vector<float> distances_, g_, logits_, rewards_, gradient_;
  std::vector<uint8_t> observed_;
  KgAdversaryReport report_;
};

}  // namespace acevec
