#include "ace/ace_options.h"

#include <string>

namespace acevec {

PolicySettings read_policy(const Options& options) {
  PolicySettings settings;
  settings.estimator = options.text("ace-estimator") == "reinforce"
                           ? PolicySettings::Estimator::kReinforce
                           : PolicySettings::Estimator::kExact;
  settings.baseline = options.text("ace-baseline") == "none"
                          ? PolicySettings::Baseline::kNone
                          : PolicySettings::Baseline::kSelfCritical;
  settings.entropy_floor = options.real("ace-entropy");
  settings.penalty = static_cast<float>(options.real("ace-penalty"));
  return settings;
}

Sampler read_sampler(const Options& options) {
  const std::string& name = options.text("ace-sampler");
  return name == "learned"     ? Sampler::kLearned
         : name == "hardest"   ? Sampler::kHardest
         : name == "semi-hard" ? Sampler::kSemiHard
                               : Sampler::kCritic;
}

}  // namespace acevec
