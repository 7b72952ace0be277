#include "sentence/settings.h"

#include <string_view>

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

    choice(
        kText, "split", "lines|sentences", "lines",
        "lines: a line is a sentence; sentences: a line is a paragraph, split by Unicode's rules"),
    format_row(kText),
    tokens_row(kText),
    integer(kText, "min-count", "5", 1, kMaxCount, "drop words seen less often"),
    integer(kText, "max-vocab", "0", 0, 2e9, "keep only the N most frequent words; 0: all"),
    integer(kText, "bigrams", "0", 0, 1e9,
            "number of rows that bigrams share by their hashes; 0: no bigrams"),

    integer(kModel, "size", "100", 1, 50000,
            "dimensions of one network; a sentence's vector has those of both"),
    flag(kModel, "tied", "0", "the two networks are one"),
    integer(kModel, "context", "1", 0, 1000,
            "how many sentences before and after are targets; 0: only -words"),
    integer(kModel, "passage", "8", 2, 1000, "consecutive sentences of a document in a step"),
    integer(kModel, "batch", "128", 2, 10000, "sentences in a step, each other's candidates"),
    integer(kModel, "block", "0", 0, 1000,
            "compare the mean of so many neighbours with that of as many others (CURL); 0: softmax "
            "over all candidates"),
    real(kModel, "words", "0", 0, 0.9,
         "share of a sentence's words that are left out of it and become targets; 0: none"),
    real(kModel, "sample", "1e-4", 0, 1,
         "words above this frequency are left out less often; 0: no limit"),
    real(kModel, "rate", "0.005", 1e-9, 10, "Adam's learning rate at the start; it falls to 0"),
    integer(kModel, "iter", "5", 1, 1000000, "epochs"),

    real(kRun, "heldout", "0", 0, 0.5,
         "hold out this share of the documents, and compute the loss on them"),
    text(kRun, "heldout-every", "N|10m|1%", "5%", "how often to compute that loss"),
    patience_row("stop after N such losses without a new lowest one, and keep the model of the "
                 "lowest; 0: never"),
};

constexpr auto kTable = joined(kSentenceOptions, kRunOptions);

RunSettings read_run(Options& options) {
  RunSettings settings = read_run_settings(kSentenceCommand, options);
  settings.plan.epochs = options.integer("iter");
  settings.plan.rate = {options.real("rate"), 0};
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
  if (option.name == "sample") return options.real("words") > 0;
  if (option.name == "heldout-every") return options.real("heldout") > 0;
  return has_effect_in_run(option.name, options);
}

SentenceSettings read_training(const Options& options) {
  SentenceSettings settings;
  settings.batch = options.integer("batch");
  settings.passage = options.integer("passage");
  settings.context = options.integer("context");
  settings.block = options.integer("block");
  settings.words = options.real("words");
  settings.sample = options.real("sample");
  settings.heldout = options.real("heldout");
  settings.seed = static_cast<uint64_t>(options.integer("seed"));
  return settings;
}

// Options of what is switched off would be ignored in silence.
void refuse_idle_options(const Options& options) {
  if (options.real("words") == 0) refuse_idle(options, "sample", "-words X");
  for (const char* name : {"heldout-every", "patience"}) {
    if (options.real("heldout") == 0) refuse_idle(options, name, "-heldout X");
  }
}

}  // namespace

const Command kSentenceCommand{
    "sentence",
    "acevec sentence -train FILE -output FILE [OPTION VALUE ...]",
    "Learns vectors of sentences by picking a sentence's neighbours among many. acevec "
    "sentence\nencode, nn and similarity use the model.\n",
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
  refuse_idle_options(options);
  job.run = read_run(options);
  job.record = free_record_path(options);
  job.init = options.text("init");
  job.size = options.integer("size");
  job.buckets = options.integer("bigrams");
  job.tied = options.flag("tied");
  job.text = {text_format(options), token_mode(options), options.text("split") == "sentences",
              options.integer("min-count"), options.integer("max-vocab")};
  job.training = read_training(options);
  if (job.training.context == 0 && job.training.words == 0) {
    throw UsageError("-context 0 leaves nothing to pick; give at least 1, or -words X");
  }
  if (job.training.context == 0 && job.training.heldout > 0) {
    throw UsageError("-heldout asks for neighbours, of which -context 0 has none; leave it out");
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
