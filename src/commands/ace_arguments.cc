#include "commands/ace_arguments.h"

namespace acevec {

OptionRow& declare_lambda(double& lambda, OptionTable& table) {
  return table.real("ace-lambda", lambda, {0, 1},
                    "weight of the random negatives; the adversary's have the rest");
}

OptionRow& declare_sampler(Sampler& sampler, OptionTable& table) {
  return table.choice<Sampler>(
      "ace-sampler", sampler, {{"critic", Sampler::kCritic}, {"learned", Sampler::kLearned}},
      "critic: negatives are drawn by the softmax of the model's own scores; learned: by a "
      "generator network, whose logits are added to them");
}

OptionRow& declare_estimator(PolicySettings& policy, OptionTable& table) {
  using Estimator = PolicySettings::Estimator;
  return table.choice<Estimator>(
      "ace-estimator", policy.estimator,
      {{"exact", Estimator::kExact},
       {"reinforce", Estimator::kReinforce},
       {"reinforce-plain", Estimator::kReinforcePlain},
       {"off-policy", Estimator::kOffPolicy}},
      "the generator learns from exact: the expectation over all candidates; reinforce: one that "
      "it drew, with the self-critical baseline; reinforce-plain: without a baseline; off-policy: "
      "reinforce, and a random negative by its importance weight");
}

OptionRow& declare_entropy(PolicySettings& policy, OptionTable& table) {
  return table.real("ace-entropy", policy.entropy_floor, {0, 1e9},
                    "entropy floor of the generator, as a number of choices; 0: none");
}

}  // namespace acevec
