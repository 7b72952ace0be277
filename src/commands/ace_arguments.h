// The options of adversarial negatives that commands share.
#pragma once

#include <string_view>

#include "ace/policy.h"
#include "cli/option_table.h"

namespace acevec {

// The heading of these options in a help text.
inline constexpr std::string_view kAceGroup = "Adversarial negatives (ACE)";

// -ace-lambda.
OptionRow& declare_lambda(double& lambda, OptionTable& table);

// -ace-sampler, where it is critic or learned.
OptionRow& declare_sampler(Sampler& sampler, OptionTable& table);

// -ace-beta.
template <class Number>
OptionRow& declare_beta(Number& beta, OptionTable& table) {
  return table.real("ace-beta", beta, {0, 1e6},
                    "weight of the model's own scores in the sampler's logits; larger: harder "
                    "negatives; 0: none");
}

// -ace-estimator.
OptionRow& declare_estimator(PolicySettings& policy, OptionTable& table);

// -ace-entropy.
OptionRow& declare_entropy(PolicySettings& policy, OptionTable& table);

}  // namespace acevec
