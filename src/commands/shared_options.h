// Options that several commands share.
#pragma once

#include <optional>
#include <string_view>

#include "ace/policy.h"
#include "cli/option_table.h"
#include "kernels/bfloat16.h"
#include "noise/noise.h"
#include "text/source.h"
#include "text/tokenizer.h"

namespace acevec {

// Declare -threads and -debug.
OptionRow& declare_threads(std::optional<int>& threads, OptionTable& table);
OptionRow& declare_debug(int& debug, OptionTable& table);

// Returns the value of -threads, by default the number of processors. Throws Error when the system
// cannot start this many.
int threads_of(const std::optional<int>& threads);

// Throws UsageError unless a required option was given. `missing`: "no output; give ...".
void require_given(bool given, const char* missing);

// The heading of the following options in the help.
inline constexpr std::string_view kAceGroup = "Adversarial negatives (ACE)";

// Declares -ace-lambda.
OptionRow& declare_lambda(double& lambda, OptionTable& table);

// Declares -ace-sampler, with the values critic and learned.
OptionRow& declare_sampler(Sampler& sampler, OptionTable& table);

// Declares -ace-beta.
template <class Number>
OptionRow& declare_beta(Number& beta, OptionTable& table) {
  return table.real("ace-beta", beta, {0, 1e6},
                    "weight of the model's own scores in the sampler's logits; larger: harder "
                    "negatives; 0: none");
}

// Declares -ace-estimator.
OptionRow& declare_estimator(PolicySettings& policy, OptionTable& table);

// Declares -ace-entropy.
OptionRow& declare_entropy(PolicySettings& policy, OptionTable& table);

// Declares the options that choose the noise distribution.
void declare_noise(NoiseSettings& noise, OptionTable& table);

using PrecisionArgument = std::optional<ProductPrecision>;  // unset: the processor decides

OptionRow& declare_precision(PrecisionArgument& precision, OptionTable& table);

// Replaces auto by the best choice for this machine; a run resumed elsewhere keeps it. Processes
// that choose differently fail require_one_job().
ProductPrecision resolve_precision(PrecisionArgument& precision, OptionTable& table);

// Declares -format, -field and -tokens; `tokens` is set once the command line has been parsed.
void declare_format(TextFormat& format, std::optional<TokenMode>& tokens, OptionTable& table);

// Declares -min-count, by default 5, and -max-vocab; 0: all words.
void declare_vocabulary(int64_t& min_count, int64_t& max_words, OptionTable& table);

}  // namespace acevec
