#include "sentence/settings.h"

#include <string_view>

#include "ace/ace_options.h"
#include "base/error.h"
#include "cli/run_record.h"
#include "text/read_text.h"
#include "train/run_options.h"

namespace acevec {
namespace {

constexpr std::string_view kFiles = "Files";
constexpr std::string_view kText = "Text and vocabulary";
constexpr std::string_view kModel = "Training";

constexpr Option kSentenceOptions[] = {
    input_file(kFiles, "train",
               "sentences, one per line, an empty line between documents; .gz is unpacked, - is "
               "standard input"),
    output_file(kFiles, "output", "write the model here"),
    input_file(kFiles, "init", "word vectors of this -size that both networks start from"),
    input_file(kFiles, "init-g",
               "word vectors that the candidates' network starts from instead, such as the context "
               "vectors of -init"),

    choice(
        kText, "split", "lines|sentences", "lines",
        "lines: a line is a sentence; sentences: a line is a paragraph, split by Unicode's rules"),
    format_row(kText),
    tokens_row(kText),
    integer(kText, "min-count", "5", 1, kMaxCount, "drop words seen less often"),
    integer(kText, "max-vocab", "0", 0, 2e9, "keep only the N most frequent words; 0: all"),
    integer(kText, "bigrams", "0", 0, 1e9,
            "number of rows that bigrams share by their hashes; 0: no bigrams"),

    choice(
        kModel, "encoder", "bag|gru", "bag",
        "bag: a weighted mean of rows, fast; gru: the last state of a gated recurrent unit, which "
        "depends on the order of words"),
    integer(kModel, "size", "100", 1, 50000,
            "dimensions of one network; a sentence's vector has those of both"),
    flag(kModel, "tied", "0", "the two networks are one"),
    integer(kModel, "context", "1", 0, 1000,
            "number of sentences before and after that are targets; 0: only -words"),
    integer(kModel, "passage", "8", 2, 1000, "consecutive sentences of a document in a step"),
    integer(kModel, "batch", "128", 2, 10000, "sentences in a step, each other's candidates"),
    integer(kModel, "block", "0", 0, 1000,
            "compare the mean of N neighbours with that of N other candidates (CURL); 0: softmax "
            "over all candidates"),
    choice(kModel, "loss", "softmax|ranking|ns|nce", "softmax",
           "softmax: over all candidates; ranking: each target against all others; ns: each "
           "candidate separately; nce: the same, with scores that become log p(neighbour | "
           "sentence)"),
    integer(kModel, "negative", "5", 1, 10000,
            "with ns and nce: weight of all other candidates together; a target has weight 1"),
    integer(kModel, "memory", "", 0, 1000000,
            "previous sentences that are candidates too, with the vectors they had then (default: "
            "0, with -ace 1 256)"),
    real(kModel, "words", "0", 0, 0.9,
         "share of a sentence's words that are left out of it and become targets; 0: none"),
    real(kModel, "sample", "1e-4", 0, 1,
         "words above this frequency are left out less often; 0: no limit"),
    real(kModel, "rate", "", 1e-9, 10,
         "Adam's learning rate at the start; it falls to 0 (default: 0.005, with gru 0.001)"),
    integer(kModel, "iter", "5", 1, 1000000, "epochs"),

    flag(kAce, "ace", "0", "add an adversary that gives hard candidates more weight"),
    real(kAce, "ace-lambda", "0.7", 0, 1, "share of the candidates' weight that is equal for all"),
    real(kAce, "ace-beta", "1", 0, 100,
         "weight of the scores in the generator's logits, so that it starts with hard candidates"),
    integer(kAce, "ace-units", "32", 1, 4096,
            "the generator's hidden units for sentences and for candidates"),
    integer(kAce, "ace-every", "4", 1, 1000000, "steps between two steps of the generator"),
    choice(kAce, "ace-estimator", "exact|reinforce", "exact",
           "the generator learns from the expectation over the candidates, or from one it drew"),
    choice(kAce, "ace-baseline", "self-critical|none", "self-critical",
           "what -ace-estimator reinforce subtracts from the reward"),
    real(kAce, "ace-entropy", "0", 0, 1e6,
         "entropy floor of the generator, as a number of choices; 0: none"),
    real(kAce, "ace-penalty", "5", 0, 1000, "cost of a true neighbour for the generator"),
    real(kAce, "ace-rate", "0.001", 0, 10, "the generator's learning rate"),

    real(kRun, "heldout", "0", 0, 0.99,
         "hold out this share of the documents, and compute the loss on them"),
    text(kRun, "heldout-every", "N|10m|1%", "5%", "how often to compute that loss"),
    patience_row("stop after N such losses without a new lowest one, and keep the model of the "
                 "lowest; 0: never"),
};

constexpr auto kTable = joined(kSentenceOptions, kRunOptions);

RunSettings read_run(Options& options) {
  RunSettings settings = read_run_settings(kSentenceCommand, options);
  settings.plan.epochs = options.integer("iter");
  const double rate = options.text("encoder") == "gru" ? 0.001 : 0.005;
  settings.plan.rate = {options.given("rate") ? options.real("rate") : rate, 0};
  const Interval every = parse_interval("heldout-every", options.text("heldout-every"));
  if (options.real("heldout") > 0) settings.evaluate_every = every;
  settings.patience = options.integer("patience");
  settings.keep_best = settings.patience > 0;
  return settings;
}

std::vector<RunFile> files_beside(const Options& options) {
  std::vector<RunFile> files;
  add_record(options, files);
  return files;
}

bool has_sentence_effect(const Option& option, const Options& options) {
  if (option.group == kAce && option.name != "ace") return options.flag("ace");
  if (option.name == "sample") return options.real("words") > 0;
  if (option.name == "heldout-every") return options.real("heldout") > 0;
  return has_effect_in_run(option.name, options);
}

ContrastSettings::Loss contrast_loss(const Options& options) {
  using Loss = ContrastSettings::Loss;
  return chosen<Loss>(options, "loss",
                      {{"softmax", Loss::kSoftmax},
                       {"ranking", Loss::kRanking},
                       {"ns", Loss::kNegativeSampling},
                       {"nce", Loss::kNce}});
}

SentenceAdversarySettings read_adversary(const Options& options) {
  SentenceAdversarySettings settings;
  settings.lambda = options.real("ace-lambda");
  settings.beta = static_cast<float>(options.real("ace-beta"));
  settings.units = options.integer("ace-units");
  settings.every = options.integer("ace-every");
  settings.policy = read_policy(options);
  settings.optimizer.rate = static_cast<float>(options.real("ace-rate"));
  return settings;
}

SentenceSettings read_training(const Options& options) {
  SentenceSettings settings;
  settings.batch = options.integer("batch");
  settings.passage = options.integer("passage");
  settings.context = options.integer("context");
  settings.contrast.loss = contrast_loss(options);
  settings.contrast.block = options.integer("block");
  settings.contrast.negatives = static_cast<double>(options.integer("negative"));
  settings.memory = options.given("memory") ? options.integer("memory")
                    : options.flag("ace")   ? 256
                                            : 0;
  if (options.flag("ace")) settings.adversary = read_adversary(options);
  settings.words = options.real("words");
  settings.sample = options.real("sample");
  settings.heldout = options.real("heldout");
  settings.seed = static_cast<uint64_t>(options.integer("seed"));
  return settings;
}

// Options of what is switched off would be silently ignored.
void refuse_idle_options(const Options& options) {
  if (options.real("words") == 0) refuse_idle(options, "sample", "-words X");
  if (options.integer("context") == 0) {
    for (const char* name : {"loss", "block", "memory", "ace"})
      refuse_idle(options, name, "-context N");
  }
  if (options.integer("block") > 0) refuse_idle(options, "loss", "-block 0");
  if (options.text("loss") != "ns" && options.text("loss") != "nce") {
    refuse_idle(options, "negative", "-loss ns or nce");
  }
  for (const Option& option : kTable) {
    if (option.group != kAce || option.name == "ace" || options.flag("ace")) continue;
    refuse_idle(options, option.name, "-ace 1");
  }
  if (options.text("ace-estimator") != "reinforce") {
    refuse_idle(options, "ace-baseline", "-ace-estimator reinforce");
  }
  for (const char* name : {"heldout-every", "patience"}) {
    if (options.real("heldout") == 0) refuse_idle(options, name, "-heldout X");
  }
}

}  // namespace

const Command kSentenceCommand{
    "sentence",
    "acevec sentence -train FILE -output FILE [OPTION VALUE ...]",
    "Learns vectors of sentences by finding their neighbours among candidates. acevec sentence "
    "encode,\nnn and similarity use the model.\n",
    "",
    kTable,
    {},
    files_beside};

SentenceJob read_sentence_job(Options& options) {
  SentenceJob job;
  job.train = options.text("train");
  if (job.train.empty()) throw UsageError("no text; give some with -train FILE (see --help)");
  if (options.text("output").empty()) {
    throw UsageError("no output; give -output FILE (see --help)");
  }
  if (options.flag("tied")) refuse_idle(options, "init-g", "-tied 0");
  refuse_idle_options(options);
  job.run = read_run(options);
  job.record = free_record_path(options);
  job.init = options.text("init");
  job.init_g = options.text("init-g");
  job.shape = {token_mode(options), options.integer("size"), options.integer("bigrams"),
               options.flag("tied"),
               chosen<EncoderKind>(options, "encoder",
                                   {{"bag", EncoderKind::kBag}, {"gru", EncoderKind::kGru}})};
  job.text = {text_format(options), token_mode(options), options.text("split") == "sentences",
              options.integer("min-count"), options.integer("max-vocab")};
  job.training = read_training(options);
  if (job.shape.encoder == EncoderKind::kGru && job.shape.buckets > 0) {
    throw UsageError("-bigrams works with -encoder bag only; leave one of them out");
  }
  if (job.training.context == 0 && job.training.words == 0) {
    throw UsageError("-context 0 leaves no targets; give at least 1, or -words X");
  }
  if (job.training.context == 0 && job.training.heldout > 0) {
    throw UsageError("-heldout needs neighbours as targets, and -context 0 has none; leave it out");
  }
  if (job.training.batch < job.training.passage) {
    throw UsageError("-batch is smaller than -passage; a step holds whole passages");
  }
  job.command = repeating_command(kSentenceCommand, options, [&](const Option& option) {
    return has_sentence_effect(option, options);
  });
  return job;
}

}  // namespace acevec
