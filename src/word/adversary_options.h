// The options of skip-gram's adversary.
#pragma once

#include <optional>
#include <string_view>

#include "ace/ace_options.h"
#include "word/adversary.h"

namespace acevec {

// Rows for the main job's table.
inline constexpr Option kAdversaryOptions[] = {
    flag(kAce, "ace", "0",
         "add adversarial negatives: better rare words after five epochs and more, up to 1.3 "
         "times the training time"),
    real(kAce, "ace-lambda", "0.7", 0, 1,
         "share of the random negatives; 0: adversarial negatives only"),
    real(kAce, "ace-rare", "20", 0, 1e9,
         "words seen N times have half of the adversary's weight, rarer ones less; 0: all have "
         "full weight"),
    real(kAce, "ace-frequent", "0", 0, 1e9,
         "words seen more than X times get no adversarial negatives; 0: no limit"),
    real(kAce, "ace-force", "", 0, 100,
         "scale of adversarial gradients; 1: that of random negatives; 0: uncorrected and larger "
         "(default: 1, with -ace-lambda below 0.5 0)"),
    choice(kAce, "ace-sampler", "critic|learned|hardest|semi-hard", "critic",
           "critic: a softmax of the scores; learned: a generator network adds logits; "
           "hardest: the highest score; semi-hard: the highest below the positives' mean"),
    choice(kAce, "ace-softmax", "candidates|full", "candidates",
           "choose from the negatives of the block, or from all words"),
    choice(kAce, "ace-prior", "critic|none", "critic",
           "prior of the generator's logits; critic: the scores; none: no prior"),
    real(kAce, "ace-beta", "0.8", 0, 100, "weight of the scores in the sampler's logits"),
    text(kAce, "ace-hidden", "N,N", "32,32", "units of the generator's hidden layers; 0: none"),
    choice(kAce, "ace-estimator", "exact|reinforce", "exact",
           "how the generator learns: from the expectation over all candidates, or from one draw"),
    choice(kAce, "ace-baseline", "self-critical|none", "self-critical",
           "what -ace-estimator reinforce subtracts from the reward"),
    flag(kAce, "ace-off-policy", "0",
         "the generator also learns from random negatives, by importance weights"),
    real(kAce, "ace-entropy", "0", 0, 1e6,
         "entropy floor of the generator, as a number of choices; 0: none"),
    real(kAce, "ace-penalty", "5", 0, 1000, "cost of an observed pair for the generator"),
    integer(kAce, "ace-filter", "", 0, 1 << 20,
            "MiB for the filter of observed pairs; 0: no filter (default: 8 to 1024, depending on "
            "the text, at most a quarter of the memory)"),
    integer(kAce, "ace-every", "", 1, 1000000,
            "the generator learns in one of N blocks with adversarial negatives (default: 16, with "
            "-ace-softmax full 1024)"),
    choice(kAce, "ace-optimizer", "adam|sgd", "adam", "the generator's optimizer"),
    real(kAce, "ace-rate", "0.001", 0, 10, "the generator's learning rate"),
};

// What the option `name` needs to mean anything and does not have, null when it has all.
const char* missing_for(std::string_view name, const Options& options);

// Their values, none without -ace 1. Throws UsageError when one would do nothing or contradicts
// -loss.
std::optional<AdversarySettings> read_adversary_settings(const Options& options);

}  // namespace acevec
