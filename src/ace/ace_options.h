// The options of adversarial negatives that every command with an adversary has.
#pragma once

#include <string_view>

#include "ace/policy.h"
#include "ace/sampler.h"
#include "cli/options.h"

namespace acevec {

// The heading of these options in a help text.
inline constexpr std::string_view kAce = "Adversarial negatives (ACE)";

// The values of -ace-estimator, -ace-baseline, -ace-entropy and -ace-penalty. Not every command has
// -ace-off-policy; those that do set it themselves.
PolicySettings read_policy(const Options& options);

// The value of -ace-sampler, critic|learned|hardest|semi-hard.
Sampler read_sampler(const Options& options);

}  // namespace acevec
