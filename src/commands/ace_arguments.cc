#include "commands/ace_arguments.h"

#include "commands/layers.h"

namespace acevec {

OptionRow& declare_sampler(Sampler& sampler, OptionTable& table) {
  return table.choice<Sampler>("ace-sampler", sampler,
                               {{"critic", Sampler::kCritic},
                                {"learned", Sampler::kLearned},
                                {"hardest", Sampler::kHardest},
                                {"semi-hard", Sampler::kSemiHard}},
                               "critic: softmax of the scores; learned: a generator network; "
                               "hardest: the hardest candidate; "
                               "semi-hard: the hardest that is easier than the positive");
}

void declare_policy(PolicySettings& policy, OptionTable& table) {
  using Estimator = PolicySettings::Estimator;
  using Baseline = PolicySettings::Baseline;
  table.choice<Estimator>(
      "ace-estimator", policy.estimator,
      {{"exact", Estimator::kExact}, {"reinforce", Estimator::kReinforce}},
      "the generator learns from the expectation over all candidates, or from one that it drew");
  table
      .choice<Baseline>("ace-baseline", policy.baseline,
                        {{"self-critical", Baseline::kSelfCritical}, {"none", Baseline::kNone}},
                        "what is subtracted from the reward of a candidate that was drawn")
      .need("-ace-estimator reinforce",
            [&policy] { return policy.estimator == Estimator::kReinforce || policy.off_policy; });
  table.real("ace-entropy", policy.entropy_floor, {0, 1e9},
             "entropy floor of the generator, as a number of choices; 0: none");
  table.real("ace-penalty", policy.penalty, {0, 1000},
             "cost of a true candidate for the generator");
}

void declare_generator(PolicySettings& policy, OptimizerSettings& optimizer, OptionTable& table) {
  declare_policy(policy, table);
  table.real("ace-rate", optimizer.rate, {0, 10}, "the generator's learning rate");
  table.real("ace-decay", optimizer.weight_decay, {0, 100}, "the generator's weight decay");
}

std::vector<int64_t> generator_layers(const std::string& typed) {
  return layers_of(typed, 2, 4096,
                   "give one or two numbers from 1 to 4096 with a comma between them, or 0");
}

}  // namespace acevec
