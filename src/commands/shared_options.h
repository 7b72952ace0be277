// The rows of options that several commands have.
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

// The rows of -threads and -debug.
OptionRow& declare_threads(std::optional<int>& threads, OptionTable& table);
OptionRow& declare_debug(int& debug, OptionTable& table);

// The value of -threads, or by default the number of processors. Throws Error when the system
// cannot start so many.
int threads_of(const std::optional<int>& threads);

// Throws UsageError when an option that a run needs is not given. `missing`: "no output; give ...".
void require_given(bool given, const char* missing);

// The heading of these options in a help text.
inline constexpr std::string_view kAceGroup = "Adversarial negatives (ACE)";

// -ace-lambda.
OptionRow& declare_lambda(double& lambda, OptionTable& table);

// -ace-sampler, with the values critic and learned.
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

// The rows that choose the noise distribution.
void declare_noise(NoiseSettings& noise, OptionTable& table);

using PrecisionArgument = std::optional<ProductPrecision>;  // none: the processor decides

OptionRow& declare_precision(PrecisionArgument& precision, OptionTable& table);

// Replaces auto by what this machine can do; a run resumed on another machine keeps it. Processes
// that differ in this have different options (require_one_job()).
ProductPrecision resolve_precision(PrecisionArgument& precision, OptionTable& table);

// -format, -field and -tokens, which is set when the command line has been read.
void declare_format(TextFormat& format, std::optional<TokenMode>& tokens, OptionTable& table);

// -min-count, by default 5, and -max-vocab; 0: all words.
void declare_vocabulary(int64_t& min_count, int64_t& max_words, OptionTable& table);

}  // namespace acevec
