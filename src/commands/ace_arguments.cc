#include "commands/ace_arguments.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "base/error.h"

namespace acevec {

OptionRow& declare_sampler(Sampler& sampler, OptionTable& table) {
  return table.choice<Sampler>(
      "ace-sampler", sampler,
      {{"critic", Sampler::kCritic},
       {"learned", Sampler::kLearned},
       {"hardest", Sampler::kHardest},
       {"semi-hard", Sampler::kSemiHard}},
      "critic: softmax of the scores; learned: a generator network; hardest: the hardest candidate; "
      "semi-hard: the hardest that is easier than the positive");
}

void declare_generator(PolicySettings& policy, OptimizerSettings& optimizer, OptionTable& table) {
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
      .need("-ace-estimator reinforce", [&policy] {
        return policy.estimator == Estimator::kReinforce || policy.off_policy;
      });
  table.real("ace-entropy", policy.entropy_floor, {0, 1e9},
             "entropy floor of the generator, as a number of choices; 0: none");
  table.real("ace-penalty", policy.penalty, {0, 1000}, "cost of a true candidate for the generator");
  table.real("ace-rate", optimizer.rate, {0, 10}, "the generator's learning rate");
  table.real("ace-decay", optimizer.weight_decay, {0, 100}, "the generator's weight decay");
}

std::vector<int64_t> generator_layers(const std::string& typed) {
  std::vector<int64_t> sizes;
  for (size_t start = 0; start <= typed.size();) {
    const size_t end = std::min(typed.find(',', start), typed.size());
    int64_t units = -1;
    const auto [stop, error] = std::from_chars(typed.data() + start, typed.data() + end, units);
    if (error != std::errc{} || stop != typed.data() + end || units < 0 || units > 4096) units = -1;
    if (units < 0 || (units == 0 && typed != "0") || sizes.size() == 2) {
      throw Error("give one or two numbers from 1 to 4096 with a comma between them, or 0");
    }
    if (units > 0) sizes.push_back(units);
    start = end + 1;
  }
  return sizes;
}

}  // namespace acevec
