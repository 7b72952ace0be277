// The objective of a categorical policy over candidates, and its gradient.
//
// The generator gives every condition x a distribution g over N candidates. Its reward is the
// discriminator's loss on its choice (Eq. 6 and 7 of ace-2018), and it must not collapse. So for
// each row it maximises
//
//   J = Σ_k g_k r_k − max(0, log c − H(g)).
//
// The paper prints the second term as min(0, c − H) (Eq. 8), which would be nonzero only above the
// floor. The intended term, used here, penalises an entropy below that of c equally likely choices.
//
// r_k is the discriminator's loss on candidate k as a negative, or −penalty if (x, y_k) was
// observed. In the generator's steps g is the softmax over ALL candidates, so that it learns to
// avoid false negatives. The discriminator is trained with the masked softmax (softmax_rows()).
#pragma once

#include <cstdint>

#include "base/random.h"
#include "kernels/policy_kernels.h"

namespace acevec {

// The ways to choose adversarial negatives among candidates: -ace-sampler.
enum class Sampler : uint8_t {
  kCritic,   // no network: g = softmax(β s), the optimal generator of limited entropy
  kLearned,  // a generator network adds its logits to these
};

struct PolicySettings {
  enum class Estimator {
    kExact,           // the expectation over all candidates: no variance
    kReinforce,       // one candidate drawn from g (Eq. 6); its reward minus that of
                      // the most likely candidate, the self-critical baseline (section 2.6)
    kReinforcePlain,  // without the baseline
    kOffPolicy,       // kReinforce, plus a candidate drawn from the noise (section 2.7)
  };

  Estimator estimator = Estimator::kExact;
  double entropy_floor = 0;  // c above, in choices; 0 and 1 turn the floor off
  float penalty = 5;         // the cost of choosing an observed candidate, ≥ 0
};

// Importance weights g/p_noise of candidates drawn from the noise are clipped at this limit. In a
// pool they can reach N, for a candidate with nearly all of g's probability, and one such draw
// would move θ as far as N others. Since g draws it often itself, clipping loses little.
inline constexpr float kMaxImportanceWeight = 10;

// The entropy of `choices` equally likely choices, in nats, for use as a floor: 0 for 0 and 1.
float entropy_of_choices(double choices);

// Statistics of a generator: sums over conditions, before its step.
struct PolicyReport {
  double conditions = 0;
  double entropy = 0;  // H(g), nats
  double reward = 0;   // Σ_k g_k r_k, penalties included

  PolicyReport& operator+=(const PolicyReport& more) {
    conditions += more.conditions;
    entropy += more.entropy;
    reward += more.reward;
    return *this;
  }
};

struct PolicyStep {
  float* probabilities;  // g
  float* gradient;
};

// Sets `gradient` to dJ/dlogits, or to an unbiased estimate of it, for ascent. All matrices are
// rows × candidates without gaps.
//
// `rewards`: the discriminator's losses, finite; those of observed candidates are overwritten by
// −penalty. The exact estimator does not use `random`.
//
// Off policy: the pool's candidates are draws from the noise, so one of them taken uniformly
// (p = 1/N within the pool) is too. Without clipping, this term has the same mean as the other, so
// both together have twice the gradient.
PolicyReport policy_gradient(const PolicySettings& settings, const Choices& choices,
                             const float* logits, float* rewards, Random& random,
                             const PolicyStep& step);

// Sets rewards[i] to −penalty where observed[i] is not 0, for i < count.
void penalise(const uint8_t* observed, int64_t count, float penalty, float* rewards);

// Draws an index from n probabilities, whose sum is about 1; −1 if all are 0.
int64_t draw_candidate(const float* probabilities, int64_t n, Random& random);

// Draws `count` indices, in increasing order.
void draw_outcomes(const float* probabilities, int64_t n, int64_t count, Random& random,
                   int32_t* drawn);

// The baseline that the estimator subtracts from rewards: 0, or the reward of the most likely of
// n ≥ 1 candidates, the first of ties.
float baseline_of(const PolicySettings& settings, const float* probabilities, const float* rewards,
                  int64_t n);

// Adds weight · ∇ log g_chosen with respect to the logits, weight · (δ − g), to
// gradient[0 .. n − 1]: the REINFORCE step for one draw, where weight = reward − baseline.
void add_score_gradient(const float* probabilities, int64_t n, int64_t chosen, float weight,
                        float* gradient);

}  // namespace acevec
