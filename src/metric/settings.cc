#include "metric/settings.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "ace/ace_options.h"
#include "base/error.h"
#include "cli/run_record.h"
#include "train/run_options.h"
#include "vectors/numbers.h"

namespace acevec {
namespace {

constexpr std::string_view kFiles = "Files";
constexpr std::string_view kEncoder = "Encoder";
constexpr std::string_view kModel = "Training";

constexpr Option kMetricOptions[] = {
    input_file(kFiles, "train",
               "points: an IDX file, an .npy array of which the first dimension counts points, or "
               "any file of vectors; .gz is unpacked, - is standard input"),
    input_file(kFiles, "labels",
               "their classes: an IDX file or .npy array of whole numbers, or a text with a label "
               "per line; for vectors of words a word, a blank and a label per line"),
    input_file(kFiles, "valid", "points for evaluation during training"),
    input_file(kFiles, "valid-labels", "their classes (default: by name, those of -labels)"),
    input_file(kFiles, "test", "points for evaluation at the end"),
    input_file(kFiles, "test-labels", "their classes (default: by name, those of -labels)"),
    output_file(kFiles, "output", "write the model here"),
    output_file(kFiles, "triplets",
                "write the triplets of each epoch's last batches, as tab-separated rows; a file "
                "with content is never overwritten"),

    text(kEncoder, "hidden", "N,...", "512,256", "units of each hidden layer; 0: none"),
    integer(kEncoder, "size", "32", 1, 100000, "dimensions of a vector"),
    choice(kEncoder, "activation", "relu|tanh", "relu", "of the hidden layers"),
    flag(kEncoder, "unit", "1", "scale vectors to length 1"),

    choice(kModel, "loss", "triplet|ranking", "triplet",
           "of squared distances d. triplet: max(0, margin + d+ - d-); ranking: softmax of the "
           "positive among the negatives"),
    real(kModel, "margin", "0.5", 0, 1e9, "how much farther a negative should be, with triplet"),
    real(kModel, "scale", "5", 1e-9, 1e9, "of the distances in the softmax, with ranking"),
    choice(
        kModel, "negatives", "uniform|hardest|semi-hard|uncertain|critic|ace", "ace",
        "how an anchor's negatives are chosen among the points of its batch that are of other "
        "classes. uniform: at random; hardest: the nearest (VSE++); semi-hard: the nearest "
        "beyond the positive (FaceNet); uncertain: as far as the positive, so that the posterior "
        "is 1/2 (Bose 2018); critic: drawn by the softmax of -distance; ace: uniform or drawn "
        "by a generator that learns which points are hard for an anchor"),
    integer(kModel, "negative", "10", 1, 1000, "negatives of an anchor"),
    integer(kModel, "batch", "256", 4, 16384, "points in a step; each is an anchor; even"),
    real(kModel, "dropout", "0", 0, 0.9, "share of the hidden units that a step leaves out"),
    real(kModel, "input-dropout", "0", 0, 0.9, "share of a point's numbers that a step leaves out"),
    integer(kModel, "shift", "0", 0, 1000,
            "move images at random by up to N pixels down or up and right or left; height and "
            "width are the last two dimensions of the points"),
    real(kModel, "rate", "0.002", 1e-9, 10, "Adam's learning rate at the start; it falls to 0"),
    real(kModel, "decay", "0", 0, 100, "weight decay of the layers"),
    integer(kModel, "iter", "15", 1, 1000000, "epochs"),

    real(kAce, "ace-lambda", "0.5", 0, 1, "share of the negatives that is drawn at random"),
    real(kAce, "ace-beta", "5", 0, 1e6,
         "weight of -distance in the logits of critic and of the generator, so that it starts "
         "with hard points"),
    text(kAce, "ace-hidden", "N,...", "32", "units of the generator's hidden layers; 0: none"),
    choice(kAce, "ace-estimator", "exact|reinforce", "exact",
           "the generator learns from the expectation over the batch, or from a point it drew"),
    choice(kAce, "ace-baseline", "self-critical|none", "self-critical",
           "what -ace-estimator reinforce subtracts from the reward"),
    real(kAce, "ace-entropy", "0", 0, 1e6,
         "entropy floor of the generator, as a number of choices; 0: none"),
    real(kAce, "ace-penalty", "1", 0, 1000,
         "cost of a point of the anchor's class for the generator"),
    real(kAce, "ace-rate", "0.001", 0, 10, "the generator's learning rate"),

    integer(kRun, "neighbours", "5", 1, 1000, "training points that vote on a point's class"),
    real(kRun, "heldout", "0", 0, 0.5,
         "share of the training points that is held out and evaluated on in place of -valid"),
    integer(kRun, "report-every", "1", 1, 1000000, "epochs between evaluations"),
    patience_row("stop after N evaluations without a better one, and keep the model of the best; "
                 "0: never"),
};

constexpr auto kTable = joined(kMetricOptions, kRunOptions);

constexpr std::pair<std::string_view, NegativeKind> kKinds[] = {
    {"uniform", NegativeKind::kUniform},    {"hardest", NegativeKind::kHardest},
    {"semi-hard", NegativeKind::kSemiHard}, {"uncertain", NegativeKind::kUncertain},
    {"critic", NegativeKind::kCritic},      {"ace", NegativeKind::kAce},
};

// "256,128"; "0": none.
std::vector<int64_t> read_layers(const Options& options, const std::string& name) {
  constexpr int64_t kWidest = 1 << 20;
  const std::string& typed = options.text(name);
  if (typed == "0") return {};
  std::vector<int64_t> units;
  std::string_view rest = typed;
  for (bool more = true; more;) {
    const size_t comma = rest.find(',');
    const auto number = parse<int64_t>(rest.substr(0, comma));
    if (!number || *number < 1 || *number > kWidest || units.size() == 64) {
      throw UsageError(
          format("option -%s cannot be \"%s\"; give numbers of units with commas "
                 "between, or 0",
                 name.c_str(), excerpt(typed).c_str()));
    }
    units.push_back(*number);
    more = comma != std::string_view::npos;
    if (more) rest.remove_prefix(comma + 1);
  }
  return units;
}

bool evaluates(const Options& options) {
  return !options.text("valid").empty() || options.real("heldout") > 0;
}

// What the option needs in order to mean anything; null when it has that.
const char* missing(std::string_view name, const Options& options) {
  const bool ace = options.text("negatives") == "ace";
  if (name == "margin" && options.text("loss") != "triplet") return "-loss triplet";
  if (name == "scale" && options.text("loss") != "ranking") return "-loss ranking";
  if (name == "ace-beta" && options.text("negatives") == "critic") return nullptr;
  if (name.starts_with("ace-") && !ace) return "-negatives ace";
  if (name == "ace-baseline" && options.text("ace-estimator") != "reinforce") {
    return "-ace-estimator reinforce";
  }
  if (name == "neighbours" && options.text("test").empty() && !evaluates(options)) {
    return "-valid, -heldout or -test";
  }
  if ((name == "report-every" || name == "patience") && !evaluates(options)) {
    return "-valid or -heldout";
  }
  return nullptr;
}

MetricAdversarySettings read_adversary(const Options& options) {
  MetricAdversarySettings settings;
  settings.lambda = options.real("ace-lambda");
  settings.beta = static_cast<float>(options.real("ace-beta"));
  settings.hidden = read_layers(options, "ace-hidden");
  settings.policy = read_policy(options);
  settings.optimizer.rate = static_cast<float>(options.real("ace-rate"));
  return settings;
}

RunSettings read_run(Options& options) {
  RunSettings settings = read_run_settings(kMetricCommand, options);
  settings.plan.epochs = options.integer("iter");
  settings.plan.rate = {options.real("rate"), 0};
  settings.patience = options.integer("patience");
  settings.keep_best = settings.patience > 0;
  return settings;
}

std::vector<RunFile> files_beside(const Options& options) {
  std::vector<RunFile> files;
  add_record(options, files);
  return files;
}

// Labels of points that are not there would be silently ignored.
void refuse_idle_labels(const Options& options) {
  for (const char* name : {"valid", "test"}) {
    if (!options.text(name).empty()) continue;
    refuse_idle(options, std::string(name) + "-labels", format("-%s FILE", name));
  }
}

}  // namespace

const Command kMetricCommand{
    "metric",
    "acevec metric -train FILE -labels FILE -output FILE [OPTION VALUE ...]",
    "Learns an encoder of labelled points that brings classes together. acevec metric encode and "
    "eval\nuse it.\n",
    "",
    kTable,
    {},
    files_beside};

MetricSettings read_metric_settings(const Options& options) {
  MetricSettings settings;
  settings.kind = chosen(options, "negatives", kKinds);
  settings.negatives = options.integer("negative");
  settings.beta = static_cast<float>(options.real("ace-beta"));
  using Loss = MetricLoss::Kind;
  settings.loss = {
      chosen<Loss>(options, "loss", {{"triplet", Loss::kTriplet}, {"ranking", Loss::kRanking}}),
      static_cast<float>(options.real("margin")), static_cast<float>(options.real("scale"))};
  settings.batch = options.integer("batch");
  settings.dropout = {static_cast<float>(options.real("input-dropout")),
                      static_cast<float>(options.real("dropout"))};
  settings.shift = options.integer("shift");
  settings.decay = static_cast<float>(options.real("decay"));
  settings.neighbours = options.integer("neighbours");
  settings.seed = static_cast<uint64_t>(options.integer("seed"));
  if (settings.kind == NegativeKind::kAce) settings.adversary = read_adversary(options);
  return settings;
}

MetricJob read_metric_job(Options& options) {
  MetricJob job;
  job.train = options.text("train");
  if (job.train.empty()) throw UsageError("no points; give some with -train FILE (see --help)");
  if (options.text("labels").empty()) {
    throw UsageError("no labels; give those of -train with -labels FILE (see --help)");
  }
  if (options.text("output").empty()) {
    throw UsageError("no output; give -output FILE (see --help)");
  }
  refuse_idle_labels(options);
  if (!options.text("valid").empty() && options.real("heldout") > 0) {
    throw UsageError("-valid and -heldout name two sets to evaluate on; leave one out");
  }
  if (options.integer("batch") % 2 != 0) {
    throw UsageError("-batch is odd, and points come in pairs; give an even number");
  }
  for (const Option& option : kTable) {
    if (const char* const needed = missing(option.name, options)) {
      refuse_idle(options, option.name, needed);
    }
  }
  job.run = read_run(options);
  job.record = free_record_path(options);
  job.labels = options.text("labels");
  job.valid = options.text("valid");
  job.valid_labels = options.text("valid-labels");
  job.test = options.text("test");
  job.test_labels = options.text("test-labels");
  job.heldout = options.real("heldout");
  job.report_every = options.integer("report-every");
  job.triplets = options.text("triplets");
  job.shape = {0, read_layers(options, "hidden"), options.integer("size"),
               chosen<Activation>(options, "activation",
                                  {{"relu", Activation::kRelu}, {"tanh", Activation::kTanh}}),
               options.flag("unit")};
  job.training = read_metric_settings(options);
  job.training.threads = job.run.plan.threads;
  job.command = repeating_command(kMetricCommand, options, [&](const Option& option) {
    return missing(option.name, options) == nullptr && has_effect_in_run(option.name, options);
  });
  return job;
}

}  // namespace acevec
