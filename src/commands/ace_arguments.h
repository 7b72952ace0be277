// The options of adversarial negatives that commands share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ace/policy.h"
#include "ace/sampler.h"
#include "cli/option_table.h"
#include "optim/optimizer.h"

namespace acevec {

// The heading of these options in a help text.
inline constexpr std::string_view kAceGroup = "Adversarial negatives (ACE)";

// -ace-sampler.
OptionRow& declare_sampler(Sampler& sampler, OptionTable& table);

// -ace-estimator, -ace-baseline, -ace-entropy and -ace-penalty: what a generator learns. They need
// what the rows around them do.
void declare_policy(PolicySettings& policy, OptionTable& table);

// These, -ace-rate and -ace-decay.
void declare_generator(PolicySettings& policy, OptimizerSettings& optimizer, OptionTable& table);

// Parses the units of a generator's hidden layers: "32,32", "0" for none. Throws Error.
std::vector<int64_t> generator_layers(const std::string& typed);

}  // namespace acevec
