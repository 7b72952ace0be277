#include "word/adversary_options.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <string>
#include <system_error>
#include <vector>

#include "base/error.h"
#include "word/corpus_pairs.h"

namespace acevec {
namespace {

// "32,32" as numbers; "0" is none.
std::vector<int64_t> hidden_layers(const std::string& typed) {
  std::vector<int64_t> sizes;
  for (size_t start = 0; start <= typed.size();) {
    const size_t end = std::min(typed.find(',', start), typed.size());
    int64_t units = -1;
    const auto [stop, error] = std::from_chars(typed.data() + start, typed.data() + end, units);
    if (error != std::errc{} || stop != typed.data() + end || units < 0 || units > 4096) units = -1;
    if (units < 0 || (units == 0 && typed != "0") || sizes.size() == 2) {
      throw UsageError(
          format("option -ace-hidden cannot be \"%s\"; give one or two numbers from 1 "
                 "to 4096 with a comma between them, or 0",
                 typed.c_str()));
    }
    if (units > 0) sizes.push_back(units);
    start = end + 1;
  }
  return sizes;
}

AdversarySettings read_adversary(const Options& options) {
  AdversarySettings settings;
  settings.sampler = read_sampler(options);
  settings.lambda = options.real("ace-lambda");
  settings.rare = options.real("ace-rare");
  settings.frequent = options.real("ace-frequent");
  // Where little is left of the noise, observed pairs are not pushed away, and others would have to
  // take all of its push: training diverges.
  settings.force = !options.text("ace-force").empty() ? options.real("ace-force")
                   : settings.lambda < 0.5            ? 0
                                                      : 1;
  settings.beta = options.text("ace-prior") == "none" ? 0 : options.real("ace-beta");
  settings.hidden = hidden_layers(options.text("ace-hidden"));
  settings.policy = read_policy(options);
  settings.policy.off_policy = options.flag("ace-off-policy");
  settings.optimizer.kind = chosen<OptimizerKind>(
      options, "ace-optimizer", {{"sgd", OptimizerKind::kSgd}, {"adam", OptimizerKind::kAdam}});
  settings.optimizer.rate = static_cast<float>(options.real("ace-rate"));
  // Without the option the least, until the text tells what suits it.
  settings.filter_bytes =
      (options.given("ace-filter") ? options.integer("ace-filter") : kLeastFilter) << 20;
  using Softmax = AdversarySettings::Softmax;
  settings.softmax = chosen<Softmax>(
      options, "ace-softmax", {{"candidates", Softmax::kCandidates}, {"full", Softmax::kFull}});
  // A turn over all words costs as much as a thousand blocks.
  settings.every = options.given("ace-every")           ? options.integer("ace-every")
                   : settings.softmax == Softmax::kFull ? 1024
                                                        : 16;
  return settings;
}

// The softmax over all words is drawn from: it has no best candidate.
void refuse_full_softmax_with_mining(const Options& options) {
  if (options.text("ace-softmax") != "full" || !mining_of(read_sampler(options))) return;
  throw UsageError(
      format("-ace-softmax full does not work with -ace-sampler %s; leave one of them out",
             options.text("ace-sampler").c_str()));
}

// Options of what is switched off would be silently ignored.
void refuse_idle_ace_options(const Options& options) {
  for (const Option& option : kAdversaryOptions) {
    const char* missing = missing_for(option.name, options);
    if (missing != nullptr) refuse_idle(options, option.name, missing);
  }
}

// The full softmax scores words by rows of their own.
void refuse_full_softmax_with_subwords(const Options& options) {
  if (options.text("ace-softmax") != "full" || options.integer("maxn") == 0) return;
  throw UsageError("-ace-softmax full does not work with -maxn; leave one of them out");
}

// The full softmax's own negatives and rewards know negative sampling only.
void refuse_full_softmax_with_nce(const Options& options) {
  if (options.text("ace-softmax") != "full" || options.text("loss") == "ns") return;
  throw UsageError(
      format("-ace-softmax full works with -loss ns only, not %s; leave one of them out",
             options.text("loss").c_str()));
}

}  // namespace

const char* missing_for(std::string_view name, const Options& options) {
  if (name == "ace") return nullptr;
  if (!options.flag("ace")) return "-ace 1";
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const bool learned = read_sampler(options) == Sampler::kLearned;
  if (!learned &&
      is_one_of({"ace-prior", "ace-hidden", "ace-estimator", "ace-baseline", "ace-off-policy",
                 "ace-entropy", "ace-penalty", "ace-optimizer", "ace-rate"})) {
    return "-ace-sampler learned";
  }
  if (name == "ace-beta" && mining_of(read_sampler(options))) {
    return "-ace-sampler learned or critic";
  }
  if (name == "ace-beta" && learned && options.text("ace-prior") != "critic") {
    return "-ace-prior critic";
  }
  if (name == "ace-baseline" && options.text("ace-estimator") != "reinforce") {
    return "-ace-estimator reinforce";
  }
  if (name == "ace-force" && options.text("ace-softmax") == "full") {
    return "-ace-softmax candidates";
  }
  const bool filter = !options.given("ace-filter") || options.integer("ace-filter") > 0;
  if (name == "ace-penalty" && !filter) return "-ace-filter";
  return nullptr;
}

std::optional<AdversarySettings> read_adversary_settings(const Options& options) {
  refuse_idle_ace_options(options);
  refuse_full_softmax_with_nce(options);
  refuse_full_softmax_with_subwords(options);
  refuse_full_softmax_with_mining(options);
  if (!options.flag("ace")) return std::nullopt;
  return read_adversary(options);
}

}  // namespace acevec
