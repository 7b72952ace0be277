#include "commands/shared_options.h"

#include "base/error.h"
#include "base/numbers.h"
#include "base/parallel.h"

namespace acevec {

OptionRow& declare_threads(std::optional<int>& threads, OptionTable& table) {
  return table.integer("threads", threads, {1, 4096}, "threads")
      .default_later("as many as the machine has");
}

OptionRow& declare_debug(int& debug, OptionTable& table) {
  return table
      .integer("debug", debug, {0, 2},
               "0: errors only, 1: progress, 2: also details of time and memory")
      .unrecorded();
}

int threads_of(const std::optional<int>& threads) {
  const int count = threads.value_or(machine_threads());
  require_threads(count);
  return count;
}

void require_given(bool given, const char* missing) {
  if (!given) throw UsageError(format("%s (see --help)", missing));
}

OptionRow& declare_lambda(double& lambda, OptionTable& table) {
  return table.real("ace-lambda", lambda, {0, 1},
                    "weight of the random negatives; the adversary's have the rest");
}

OptionRow& declare_sampler(Sampler& sampler, OptionTable& table) {
  return table.choice<Sampler>(
      "ace-sampler", sampler, {{"critic", Sampler::kCritic}, {"learned", Sampler::kLearned}},
      "critic: negatives are drawn by the softmax of the model's own scores; learned: by a "
      "generator network, whose logits are added to them");
}

OptionRow& declare_estimator(PolicySettings& policy, OptionTable& table) {
  using Estimator = PolicySettings::Estimator;
  return table.choice<Estimator>(
      "ace-estimator", policy.estimator,
      {{"exact", Estimator::kExact},
       {"reinforce", Estimator::kReinforce},
       {"reinforce-plain", Estimator::kReinforcePlain},
       {"off-policy", Estimator::kOffPolicy}},
      "what the generator learns from; exact: the expectation over all candidates; reinforce: one "
      "that it drew, with the self-critical baseline; reinforce-plain: without a baseline; "
      "off-policy: reinforce, and a random negative by its importance weight");
}

OptionRow& declare_entropy(PolicySettings& policy, OptionTable& table) {
  return table.real("ace-entropy", policy.entropy_floor, {0, 1e9},
                    "entropy floor of the generator, as a number of choices; 0: none");
}

void declare_noise(NoiseSettings& noise, OptionTable& table) {
  table.group("Noise");
  static constexpr std::initializer_list<Named<NoiseKind>> kNoises = {
      {"unigram", NoiseKind::kUnigram},
      {"power", NoiseKind::kPower},
      {"uniform", NoiseKind::kUniform},
      {"qcem", NoiseKind::kQcem},
      {"qcem-relative", NoiseKind::kQcemRelative},
      {"entropy", NoiseKind::kEntropy},
      {"entropy-isotropic", NoiseKind::kEntropyIsotropic}};
  table.choice<NoiseKind>(
      "noise", noise.kind, kNoises,
      "distribution of the negatives; qcem-relative and entropy-isotropic: qcem "
      "and entropy with each other's distance measure");
  table.real("noise-power", noise.power, {0, 10}, "exponent of the counts, for -noise power")
      .need("-noise power");
  OptionRow& budget = table
                          .real("noise-budget", noise.budget, {0, 1},
                                "squared distance of qcem and entropy from unigram, relative to "
                                "that of uniform: 0 is unigram, 1 uniform")
                          .need("-noise qcem or entropy",
                                [&noise] { return usual_budget(noise.kind).has_value(); });
  for (const auto& [word, kind] : kNoises) {
    const std::optional<Budget> usual = usual_budget(kind);
    if (!usual) continue;
    budget.default_when("-noise " + std::string(word), shortest(usual->fraction));
  }
}

OptionRow& declare_precision(PrecisionArgument& precision, OptionTable& table) {
  return table.choice<PrecisionArgument>(
      "precision", precision,
      {{"auto", std::nullopt},
       {"float", ProductPrecision::kFloat},
       {"bf16", ProductPrecision::kBfloat16}},
      "precision of matrix products; bf16: rows are rounded to bfloat16, sums are float; auto: "
      "bf16 where it is faster (Intel with AMX, AMD with AVX-512 BF16), else float");
}

ProductPrecision resolve_precision(PrecisionArgument& precision, OptionTable& table) {
  if (!precision) {
    precision = bfloat16_is_faster() ? ProductPrecision::kBfloat16 : ProductPrecision::kFloat;
    table.row_of(&precision).given = true;
  }
  return *precision;
}

void declare_format(TextFormat& format, std::optional<TokenMode>& tokens, OptionTable& table) {
  table.choice<TextFormat::Kind>(
      "format", format.kind,
      {{"text", TextFormat::kText}, {"wiki", TextFormat::kWiki}, {"jsonl", TextFormat::kJsonl}},
      "text: plain text; wiki: articles of a MediaWiki dump (XML), without markup; jsonl: a JSON "
      "object on each line, of which -field is a document");
  table.text("field", "NAME", format.field, "the member of the objects that is the document")
      .need("-format jsonl");
  table
      .choice<TokenMode>("tokens", tokens,
                         {{"space", TokenMode::kSpace}, {"words", TokenMode::kWords}},
                         "space: split at white space; words: lower-case and split punctuation off")
      // Articles are raw text, whose punctuation is still attached to words.
      .default_when("-format wiki", "words")
      .otherwise("space");
}

void declare_vocabulary(int64_t& min_count, int64_t& max_words, OptionTable& table) {
  min_count = 5;
  table.integer("min-count", min_count, {1, kMaxCount}, "drop words seen less often")
      .common("drop words seen less often (default: 5)");
  table.integer("max-vocab", max_words, {0, 2e9}, "keep only the N most frequent words; 0: all");
}

}  // namespace acevec
