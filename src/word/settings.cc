#include "word/settings.h"

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "base/output_file.h"
#include "cli/file_options.h"
#include "cli/run_record.h"
#include "cluster/cluster_options.h"
#include "math/bfloat16.h"
#include "noise/noise_options.h"
#include "text/read_text.h"
#include "train/run_options.h"
#include "vectors/format.h"
#include "word/adversary_options.h"
#include "word/presets.h"

namespace acevec {
namespace {

constexpr std::string_view kFiles = "Files";
constexpr std::string_view kText = "Text and vocabulary";
constexpr std::string_view kModel = "Training";

constexpr Option kModelOptions[] = {
    input_files(kFiles, "train",
                "the text, one file or several; .gz is unpacked, - is standard input"),
    output_file(kFiles, "output", "write the word vectors here; - is standard output"),
    binary_row(kFiles),
    output_file(kFiles, "output-context", "also write the context vectors"),
    output_file(kFiles, "output-model",
                "also write fastText's binary model, with the vectors of n-grams and contexts; "
                "acevec, fastText and gensim read it"),
    output_file(kFiles, "save-vocab", "write the words and their counts"),
    input_file(kFiles, "read-vocab", "read words and counts from here instead of counting"),
    input_file(kFiles, "init",
               "start from these word vectors, in any format that acevec convert reads; new words "
               "of the text are added, and words that are not trained keep their vectors"),
    input_file(kFiles, "init-context",
               "start from these context vectors too (default: they start at 0)"),

    integer(kText, "min-count", "5", 1, kMaxCount, "drop words seen less often"),
    integer(kText, "max-vocab", "0", 0, 2e9, "keep only the N most frequent words; 0: all"),
    format_row(kText),
    tokens_row(kText),
    real(kText, "sample", "1e-4", 0, 1, "subsample words above this frequency; 0: never"),

    choice(
        kModel, "preset", "paper|fast|best", "",
        "several options under one name; others may be added; paper: -window 10 -max-vocab "
        "150000 -negative 6 -optimizer adam -min-alpha 0.001 -iter 1 -ace 1 -ace-sampler learned "
        "-ace-force 0 -ace-lambda 0.8333 -ace-beta 0.6; fast: -iter 2; best: -iter 8 or "
        "more"),
    integer(kModel, "size", "100", 1, 100000, "dimensions; with -init those of the file"),
    integer(kModel, "window", "5", 1, 1000, "largest distance between a word and its context"),
    integer(kModel, "minn", "3", 1, kLongestNgram,
            "shortest n-gram of a word, in characters, with -maxn"),
    integer(kModel, "maxn", "0", 0, kLongestNgram,
            "longest n-gram; a word's vector is then the mean of its own and its n-grams', so "
            "unseen words have vectors too; 6 is usual, 0: no n-grams"),
    integer(kModel, "bucket", "2000000", 1, 2e9,
            "number of vectors that n-grams share by their hashes"),
    integer(kModel, "negative", "5", 1, 1000, "negatives per positive pair"),
    choice(kModel, "loss", "ns|nce|ranking", "ns",
           "ns: negative sampling; nce: binary NCE, scores become log p(context | word); ranking: "
           "ranking NCE, each positive against all negatives of a block"),
    choice(kModel, "precision", "auto|float|bf16", "auto",
           "of products; bf16: rows are rounded to bfloat16, sums are float; auto: bf16 where the "
           "processor has AVX-512 BF16, else float"),
    integer(
        kModel, "iter", "", 1, 1000000,
        "epochs (default: 5; for less than 10 M tokens 50 M / tokens, at most 50; with -init 5)"),
    choice(kModel, "optimizer", "sgd|adam", "sgd",
           "sgd: plain gradient steps; adam: steps of nearly equal size"),
    real(kModel, "alpha", "", 1e-9, 10,
         "learning rate at the start (default: 0.025, with -cbow 1 0.1, with adam 0.001)"),
    real(kModel, "min-alpha", "", 0, 10, "learning rate at the end (default: alpha / 10000)"),
    flag(kModel, "cbow", "0",
         "1: CBOW, which is faster; 0: skip-gram, whose vectors are somewhat better"),
    flag(kModel, "hs", "0", "must be 0: acevec has no hierarchical softmax"),
};

constexpr Option kHeldoutOptions[] = {
    real(kRun, "heldout", "0", 0, 0.5,
         "hold out this share of the lines, and compute the loss on them"),
    text(kRun, "heldout-every", "N|10m|1%", "5%", "how often to compute that loss"),
    patience_row("stop after N such losses without a new lowest one, and write the vectors of the "
                 "lowest; 0: never"),
};

constexpr auto kTable = joined(kModelOptions, kNoiseOptions, kAdversaryOptions, kHeldoutOptions,
                               kClusterOptions, kRunOptions);

void refuse_other_models(const Options& options) {
  if (options.flag("hs")) {
    throw UsageError(
        "acevec trains with negative sampling only, not hierarchical softmax; leave out "
        "-hs 1");
  }
}

// The record of the run, and files of words.
std::vector<RunFile> files_beside(const Options& options) {
  std::vector<RunFile> files;
  add_record(options, files);
  for (const Option& option : kTable) {
    const std::string name(option.name);
    const bool written = name == "output" || name == "output-context";
    if (!written && name != "init" && name != "init-context") continue;
    const std::string& path = options.text(name);
    add_words_file("-" + name, path, format_of_ending(path), written, files);
  }
  return files;
}

void read_run_options(Options& options, TrainSettings& settings) {
  settings.run = read_run_settings(kTrainCommand, options);
  settings.init = options.text("init");
  settings.init_context = options.text("init-context");
  const auto needs = [&](const char* name, const char* needed) {
    if (!options.given(needed)) refuse_idle(options, name, std::string("-") + needed);
  };
  for (const char* name : {"output-context", "output-model", "init", "heldout"})
    needs(name, "output");
  needs("init-context", "init");
  needs("heldout-every", "heldout");
  needs("patience", "heldout");
  if (peers().count() == 1) {
    for (const Option& option : kClusterOptions) {
      refuse_idle(options, option.name, "several processes (mpirun)");
    }
  }
  settings.exchange = read_exchange_settings(options, peers().count());
  settings.heldout = options.real("heldout");
  const Interval every = parse_interval("heldout-every", options.text("heldout-every"));
  if (settings.heldout > 0) settings.run.evaluate_every = every;
  settings.run.patience = options.integer("patience");
  settings.run.keep_best = settings.run.patience > 0;
}

// What auto stands for, once and for all, whatever machine the run is resumed on. Processes for
// which it is not the same have other options (require_one_job()).
void choose_precision(Options& options) {
  if (options.text("precision") != "auto") return;
  options.decide("precision", has_bfloat16_products() ? "bf16" : "float");
}

// -minn, -maxn, -bucket.
SubwordShape read_subwords(const Options& options) {
  const SubwordShape shape{options.integer("minn"), options.integer("maxn"),
                           options.integer("bucket")};
  if (shape.longest == 0) {
    for (const char* name : {"minn", "bucket"}) refuse_idle(options, name, "-maxn");
    return {};
  }
  if (shape.shortest > shape.longest) {
    throw UsageError(format("-minn %ld is above -maxn %ld; words would have no n-grams",
                            static_cast<long>(shape.shortest), static_cast<long>(shape.longest)));
  }
  return shape;
}

}  // namespace

SkipGramSettings read_skip_gram(const Options& options) {
  SkipGramSettings settings;
  settings.cbow = options.flag("cbow");
  settings.size = options.integer("size");
  settings.window = options.integer("window");
  settings.negatives = options.integer("negative");
  settings.subwords = read_subwords(options);
  settings.loss = chosen<LossKind>(options, "loss",
                                   {{"ns", LossKind::kNegativeSampling},
                                    {"nce", LossKind::kNce},
                                    {"ranking", LossKind::kRanking}});
  settings.precision = chosen<ProductPrecision>(
      options, "precision",
      {{"float", ProductPrecision::kFloat}, {"bf16", ProductPrecision::kBfloat16}});
  settings.sample = options.real("sample");
  settings.optimizer = chosen<OptimizerKind>(
      options, "optimizer", {{"sgd", OptimizerKind::kSgd}, {"adam", OptimizerKind::kAdam}});
  settings.threads = threads_of(options);
  settings.seed = static_cast<uint64_t>(options.integer("seed"));
  settings.adversary = read_adversary_settings(options);
  return settings;
}

namespace {

Rate read_rate(const Options& options) {
  const auto has = [&](const char* name) { return !options.text(name).empty(); };
  Rate rate;
  rate.start = has("alpha")                          ? options.real("alpha")
               : options.text("optimizer") == "adam" ? 0.001
               : options.flag("cbow")                ? 0.1
                                                     : 0.025;
  rate.end = has("min-alpha") ? options.real("min-alpha") : rate.start / 10000;
  if (rate.end > rate.start) {
    throw UsageError(
        format("-min-alpha %g is above -alpha %g; the rate only falls", rate.end, rate.start));
  }
  return rate;
}

// Values that follow from others, where none was given, so that they can be shown.
void assume_derived(const TrainSettings& settings, Options& options) {
  const auto assume = [&](const char* name, double value) {
    options.assume(name, format("%g", value));
  };
  options.assume("tokens", settings.tokens == TokenMode::kWords ? "words" : "space");
  assume("alpha", settings.run.plan.rate.start);
  assume("min-alpha", settings.run.plan.rate.end);
  if (is_word2vec(settings.output_format)) {
    assume("binary", settings.output_format == VectorFormat::kBinary ? 1 : 0);
  }
  if (settings.skip_gram.adversary) {
    const AdversarySettings& adversary = *settings.skip_gram.adversary;
    assume("ace-every", static_cast<double>(adversary.every));
    if (adversary.softmax == AdversarySettings::Softmax::kCandidates) {
      assume("ace-force", adversary.force);
    }
  }
  if (settings.noise.kind == NoiseKind::kQcem) {
    assume("qcem-budget", settings.noise.qcem.budget.fraction);
  }
  if (settings.noise.kind == NoiseKind::kEntropy) {
    assume("entropy-budget", settings.noise.entropy.fraction);
  }
}

}  // namespace

int64_t default_epochs(int64_t tokens) {
  constexpr int64_t kMost = 50;
  constexpr int64_t kTokens = 50'000'000;
  return std::clamp((kTokens + tokens / 2) / tokens, kUsualEpochs, kMost);
}

const Command kTrainCommand{
    "",
    "acevec -train FILE -output FILE [OPTION VALUE ...]",
    "Learns word vectors from text: skip-gram or CBOW with negative sampling.\n"
    "Options are word2vec's, with one dash or two.\n",
    "",
    kTable,
    {},
    files_beside};

bool has_effect(const Option& option, const Options& options) {
  if (option.group == kAce) return missing_for(option.name, options) == nullptr;
  if (option.group == kCluster) return peers().count() > 1;
  if (option.group == kNoiseGroup) return belongs_to_noise(option.name, options.text("noise"));
  if (option.name == "hs") return false;
  if (option.name == "preset") {  // otherwise its options are shown
    return least_epochs(options.text("preset")) > 1;
  }
  for (const std::string_view name : {"minn", "bucket"}) {
    if (option.name == name) return options.integer("maxn") > 0;
  }
  for (const auto& [name, needed] :
       {std::pair{"heldout", "heldout"}, {"heldout-every", "heldout"}, {"patience", "heldout"}}) {
    if (option.name == name) return options.given(needed);
  }
  return has_effect_in_run(option.name, options);
}

TrainSettings read_train_settings(Options& options) {
  apply_preset(options);
  refuse_other_models(options);
  choose_precision(options);
  TrainSettings settings;
  settings.train = options.text("train");
  settings.output_context = options.text("output-context");
  settings.output_model = options.text("output-model");
  settings.save_vocab = options.text("save-vocab");
  settings.read_vocab = options.text("read-vocab");
  if (settings.train.empty()) throw UsageError("no text; give one with -train FILE (see --help)");
  read_run_options(options, settings);
  if (settings.run.output.empty() && settings.save_vocab.empty()) {
    throw UsageError("no output; give -output FILE (see --help)");
  }
  settings.record = free_record_path(options);
  settings.output_format = output_format(options, settings.run.output);
  settings.context_format = output_format(options, settings.output_context);
  settings.format = text_format(options);
  settings.tokens = token_mode(options);
  settings.min_count = options.integer("min-count");
  settings.max_vocab = options.integer("max-vocab");
  settings.noise = read_noise_settings(options);
  settings.skip_gram = read_skip_gram(options);
  settings.run.plan.epochs = options.integer("iter");  // 0 when not given
  settings.run.plan.rate = read_rate(options);
  settings.size_given = options.given("size");
  settings.command = repeating_command(
      kTrainCommand, options, [&](const Option& option) { return has_effect(option, options); });
  assume_derived(settings, options);
  return settings;
}

}  // namespace acevec
