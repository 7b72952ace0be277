#include "word/settings.h"

#include <algorithm>
#include <string_view>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/output_file.h"

namespace acevec {
namespace {

constexpr std::string_view kFiles = "Files";
constexpr std::string_view kText = "Text and vocabulary";
constexpr std::string_view kModel = "Training";
constexpr std::string_view kNoise = "Noise";
constexpr std::string_view kRun = "Run";

constexpr double kMaxCount = 9e15;  // whole numbers stay exact in a double up to here

const Option kTable[] = {
    text(kFiles, "train", "FILE", "", "text to train on; .gz is unpacked, - is standard input"),
    text(kFiles, "output", "FILE", "", "where the word vectors go; - is standard output"),
    flag(kFiles, "binary", "",
         "write word2vec binary (1) or text (0); by default the ending decides: .bin is binary, "
         "all else text"),
    text(kFiles, "output-context", "FILE", "", "also write the context vectors"),
    text(kFiles, "save-vocab", "FILE", "", "write the words and their counts"),
    text(kFiles, "read-vocab", "FILE", "", "take words and counts from here, not from the text"),

    integer(kText, "min-count", "5", 1, kMaxCount, "leave out words seen less often"),
    integer(kText, "max-vocab", "0", 0, 2e9,
            "keep at most so many words, the most frequent; 0: all"),
    choice(kText, "tokens", "space|words", "space",
           "space: tokens are what white space separates; words: lower-case the text and split "
           "punctuation off"),
    real(kText, "sample", "1e-4", 0, 1,
         "frequency above which words are left out at random; 0: never"),

    integer(kModel, "size", "100", 1, 100000, "numbers in a vector"),
    integer(kModel, "window", "5", 1, 1000, "largest distance between a word and its context"),
    integer(kModel, "negative", "5", 1, 1000, "negatives per positive pair"),
    integer(kModel, "iter", "5", 1, 1000000, "epochs, passes over the text"),
    real(kModel, "alpha", "0.025", 1e-9, 10, "learning rate at the start"),
    real(kModel, "min-alpha", "", 0, 10, "learning rate at the end (default: alpha / 10000)"),
    flag(kModel, "cbow", "0", "only 0: acevec trains skip-gram"),
    flag(kModel, "hs", "0", "only 0: acevec trains with negative sampling"),

    choice(kNoise, "noise", "unigram|power|uniform", "power",
           "distribution that negatives are drawn from"),
    real(kNoise, "noise-power", "0.75", 0, 10, "exponent of the counts for -noise power"),

    integer(kRun, "threads", "", 1, 4096, "threads (default: as many as the machine has)"),
    integer(kRun, "seed", "1", 0, kMaxCount,
            "start of the random numbers; with one thread equal seeds give equal bytes"),
    integer(kRun, "debug", "1", 0, 2,
            "0: only errors, 1: progress, 2: also where time and memory go"),
    flag(kRun, "quiet", "0", "same as -debug 0"),
};

TokenMode token_mode(const Options& options) {
  return options.text("tokens") == "words" ? TokenMode::kWords : TokenMode::kSpace;
}

NoiseKind noise_kind(const Options& options) {
  const std::string& name = options.text("noise");
  if (name == "unigram") return NoiseKind::kUnigram;
  return name == "uniform" ? NoiseKind::kUniform : NoiseKind::kPower;
}

// Binary or text: -binary if given, else the file's ending.
bool is_binary(const Options& options, const std::string& path) {
  return options.given("binary") ? options.flag("binary") : path.ends_with(".bin");
}

void refuse_packed_outputs(const Options& options) {
  for (const char* name : {"output", "output-context", "save-vocab"}) {
    if (!options.text(name).ends_with(".gz")) continue;
    throw UsageError(format("acevec writes no gzip files (%s); write to - and pipe into gzip",
                            options.text(name).c_str()));
  }
}

void refuse_other_models(const Options& options) {
  if (options.flag("cbow")) {
    throw UsageError(
        "acevec trains skip-gram only, which is better on rare words; leave out -cbow 1");
  }
  if (options.flag("hs")) {
    throw UsageError(
        "acevec trains with negative sampling only, not hierarchical softmax; leave out "
        "-hs 1");
  }
}

// Two names of one file would overwrite each other.
void refuse_shared_files(const Options& options) {
  std::vector<std::string> names;
  for (const char* name : {"train", "read-vocab", "output", "output-context", "save-vocab"}) {
    if (options.given(name)) names.emplace_back(name);
  }
  for (size_t i = 0; i < names.size(); ++i) {
    for (size_t j = i + 1; j < names.size(); ++j) {
      const std::string& a = options.text(names[i]);
      const std::string& b = options.text(names[j]);
      const bool reads = names[i] == "train" || names[i] == "read-vocab";
      const bool writes = names[j] != "read-vocab";
      const bool streams = a == "-" && b == "-" && reads && writes;  // standard input and output
      if (streams || a.starts_with("/dev/")) continue;
      if (same_file(a, b)) {
        throw UsageError(format("-%s and -%s are the same file, %s; give two names",
                                names[i].c_str(), names[j].c_str(), a.c_str()));
      }
    }
  }
}

SkipGramSettings read_skip_gram(const Options& options) {
  SkipGramSettings settings;
  settings.size = options.integer("size");
  settings.window = options.integer("window");
  settings.negatives = options.integer("negative");
  settings.sample = options.real("sample");
  settings.alpha = options.real("alpha");
  settings.min_alpha =
      options.given("min-alpha") ? options.real("min-alpha") : settings.alpha / 10000;
  if (settings.min_alpha > settings.alpha) {
    throw UsageError(format("-min-alpha %g is above -alpha %g; the rate only falls",
                            settings.min_alpha, settings.alpha));
  }
  settings.epochs = options.integer("iter");
  settings.threads = options.given("threads")
                         ? static_cast<int>(options.integer("threads"))
                         : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  settings.seed = static_cast<uint64_t>(options.integer("seed"));
  return settings;
}

}  // namespace

const Command kTrainCommand{"", "acevec -train FILE -output FILE [OPTION VALUE ...]",
                            "Learns word vectors from text: skip-gram with negative sampling.\n"
                            "Options are word2vec's, with one dash or two.\n",
                            "", kTable};

TrainSettings read_train_settings(const Options& options) {
  refuse_other_models(options);
  TrainSettings settings;
  settings.train = options.text("train");
  settings.output = options.text("output");
  settings.output_context = options.text("output-context");
  settings.save_vocab = options.text("save-vocab");
  settings.read_vocab = options.text("read-vocab");
  if (settings.train.empty()) throw UsageError("no text; give one with -train FILE (see --help)");
  if (settings.output.empty() && !settings.output_context.empty()) {
    throw UsageError("-output-context needs -output; give a file for the word vectors too");
  }
  if (settings.output.empty() && settings.save_vocab.empty()) {
    throw UsageError("nowhere to write to; give -output FILE (see --help)");
  }
  refuse_shared_files(options);
  refuse_packed_outputs(options);
  settings.binary = is_binary(options, settings.output);
  settings.binary_context = is_binary(options, settings.output_context);
  settings.tokens = token_mode(options);
  settings.min_count = options.integer("min-count");
  settings.max_vocab = options.integer("max-vocab");
  settings.noise = noise_kind(options);
  settings.noise_power = options.real("noise-power");
  if (options.given("noise-power") && settings.noise != NoiseKind::kPower) {
    throw UsageError(format("-noise-power belongs to -noise power, not to -noise %s; leave one out",
                            options.text("noise").c_str()));
  }
  settings.debug = options.flag("quiet") ? 0 : static_cast<int>(options.integer("debug"));
  settings.skip_gram = read_skip_gram(options);
  return settings;
}

}  // namespace acevec
