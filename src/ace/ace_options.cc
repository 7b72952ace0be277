#include "ace/ace_options.h"

namespace acevec {

PolicySettings read_policy(const Options& options) {
  PolicySettings settings;
  using Estimator = PolicySettings::Estimator;
  using Baseline = PolicySettings::Baseline;
  settings.estimator =
      chosen<Estimator>(options, "ace-estimator",
                        {{"exact", Estimator::kExact}, {"reinforce", Estimator::kReinforce}});
  settings.baseline =
      chosen<Baseline>(options, "ace-baseline",
                       {{"self-critical", Baseline::kSelfCritical}, {"none", Baseline::kNone}});
  settings.entropy_floor = options.real("ace-entropy");
  settings.penalty = static_cast<float>(options.real("ace-penalty"));
  return settings;
}

Sampler read_sampler(const Options& options) {
  return chosen<Sampler>(options, "ace-sampler",
                         {{"critic", Sampler::kCritic},
                          {"learned", Sampler::kLearned},
                          {"hardest", Sampler::kHardest},
                          {"semi-hard", Sampler::kSemiHard}});
}

}  // namespace acevec
