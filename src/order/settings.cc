#include "order/settings.h"

#include <string_view>

#include "ace/ace_options.h"
#include "base/error.h"
#include "cli/run_record.h"
#include "train/run_options.h"
#include "vectors/format.h"

namespace acevec {
namespace {

constexpr std::string_view kFiles = "Files";
constexpr std::string_view kPairs = "Pairs";
constexpr std::string_view kModel = "Training";

constexpr Option kOrderOptions[] = {
    input_file(kFiles, "train",
               "pairs, one per line: a specific concept, a tab, a general one; .gz is unpacked, - "
               "is standard input"),
    output_file(kFiles, "output", "write the vectors here; - is standard output"),
    binary_row(kFiles),

    choice(kPairs, "closure", "auto|0|1", "auto",
           "1: also learn the pairs that those of the file imply, and refuse a file that implies "
           "too many; auto: the same, but only the file's pairs if it implies too many; 0: only "
           "the file's pairs"),
    choice(kPairs, "split", "honest|paper", "honest",
           "honest: split the different pairs into training and test; paper: split the lines of "
           "the file, with repeats, and allow true pairs as negatives"),
    integer(kPairs, "held-out", "4000", 0, 1e9,
            "pairs held out for development, and as many for the test; at most a tenth of all"),
    integer(kPairs, "rank", "1000", 0, 1e9,
            "test concepts whose hypernyms are ranked among all concepts at the end"),

    choice(kModel, "geometry", "order|cone", "order",
           "order: a concept's hypernyms have no larger coordinates; cone: its hyponyms are in its "
           "cone in the Poincare ball"),
    choice(kModel, "start", "auto|random|nested", "auto",
           "nested: concepts start below their hypernyms; random: anywhere; auto: nested for "
           "cones, and if -closure 0 leaves out implied pairs"),
    integer(kModel, "size", "50", 1, 100000, "dimensions"),
    real(kModel, "margin", "1", 1e-9, 1e9, "penalty that a false pair should have; cones: 0.01"),
    integer(kModel, "batch", "1000", 1, 1e7,
            "true pairs in a step; 100 if -closure 0 leaves out implied pairs; cones: 20"),
    integer(kModel, "negative", "1", 0, 1000,
            "false pairs per true pair, with one side replaced by a random concept"),
    real(kModel, "replace-specific", "0.8", 0, 1,
         "share of all false pairs with the specific side replaced, the others with the general "
         "one; cones: 0.5"),
    flag(kModel, "mask-noise", "0",
         "leave out false pairs that happen to be true; with -closure 0 also implied ones, and "
         "the default is then 1 if there are any"),
    real(kModel, "rate", "0.01", 1e-9, 10,
         "Adam's learning rate at the start; it falls to 0; cones: 0.001, for plain steps"),
    real(kModel, "decay", "0", 0, 100, "weight decay of order embeddings"),
    integer(kModel, "iter", "20", 1, 1000000, "epochs"),

    flag(kAce, "ace", "0", "add adversarial negatives"),
    real(kAce, "ace-negative", "1", 0.001, 1000,
         "adversarial negatives per true pair; 0.5: for every other one; 0.1 unless given if "
         "-closure 0 leaves out implied pairs"),
    integer(kAce, "ace-conditions", "64", 2, 1e6, "pairs in a step of the generators"),
    integer(kAce, "ace-draws", "512", 1, 1e6, "negatives drawn for each of them"),
    real(kAce, "ace-beta", "5", 0, 1000,
         "weight of the penalties in the generators' logits, so that they start with hard pairs; "
         "cones: 500"),
    choice(
        kAce, "ace-estimator", "exact|reinforce", "exact",
        "how the generators learn: from the expectation over all concepts, or from what they drew"),
    choice(kAce, "ace-spare", "possible|observed", "possible",
           "possible: no negatives that could be true given the training pairs; observed: no "
           "training pairs; cones: observed"),
    choice(kAce, "ace-baseline", "self-critical|none", "self-critical",
           "what -ace-estimator reinforce subtracts from the reward"),
    real(kAce, "ace-entropy", "100", 0, 1e9,
         "entropy floor of the generators, as a number of choices; 0: none"),
    real(kAce, "ace-decay", "0.1", 0, 100, "the generators' weight decay"),
    real(kAce, "ace-penalty", "1", 0, 1000, "cost of a true pair for the generators"),
    real(kAce, "ace-rate", "0.01", 0, 10, "the generators' learning rate"),

    integer(
        kRun, "report-every", "200", 1, 1e9,
        "batches between evaluations on the development pairs, by which the best vectors are kept; "
        "2000 if -batch is 100 or 20"),
    patience_row("stop after N evaluations without a better one; 0: never"),
};

constexpr auto kTable = joined(kOrderOptions, kRunOptions);

Geometry geometry_of(const Options& options) {
  return chosen<Geometry>(options, "geometry",
                          {{"order", Geometry::kOrder}, {"cone", Geometry::kCone}});
}

// Defaults of cones, where they are others.
void assume_by_geometry(Options& options) {
  if (geometry_of(options) == Geometry::kOrder) return;
  options.assume("start", "nested");
  options.assume("margin", "0.01");
  options.assume("replace-specific", "0.5");
  options.assume("rate", "0.001");
  options.assume("batch", "20");
  options.assume("report-every", "2000");
  // As for order embeddings in units of the margin.
  options.assume("ace-beta", "500");
  // What lies near a cone could nearly always be true for all that was observed.
  options.assume("ace-spare", "observed");
}

OrderAdversarySettings read_adversary(const Options& options) {
  OrderAdversarySettings settings;
  settings.negatives = options.real("ace-negative");
  settings.conditions = options.integer("ace-conditions");
  settings.specific_share = options.real("replace-specific");
  settings.draws = options.integer("ace-draws");
  settings.beta = options.real("ace-beta");
  settings.spare_possible = options.text("ace-spare") == "possible";
  settings.policy = read_policy(options);
  settings.optimizer.rate = static_cast<float>(options.real("ace-rate"));
  settings.optimizer.weight_decay = static_cast<float>(options.real("ace-decay"));
  return settings;
}

}  // namespace

OrderSettings read_order_settings(const Options& options) {
  OrderSettings settings;
  settings.geometry = geometry_of(options);
  settings.nested = options.text("start") == "nested";
  settings.size = options.integer("size");
  settings.margin = static_cast<float>(options.real("margin"));
  settings.batch = options.integer("batch");
  settings.negatives = options.integer("negative");
  settings.specific_share = options.real("replace-specific");
  settings.mask_noise = options.flag("mask-noise");
  settings.decay = static_cast<float>(options.real("decay"));
  settings.seed = static_cast<uint64_t>(options.integer("seed"));
  settings.format = output_format(options, options.text("output"));
  if (options.flag("ace")) settings.adversary = read_adversary(options);
  return settings;
}

namespace {

// The rate falls to 0, so that vectors come to rest.
RunSettings read_run(Options& options) {
  RunSettings settings = read_run_settings(kOrderCommand, options);
  settings.plan.epochs = options.integer("iter");
  settings.plan.rate = {options.real("rate"), 0};
  settings.evaluate_every =
      Interval{.units = options.integer("report-every") * options.integer("batch")};
  settings.keep_best = true;
  settings.patience = options.integer("patience");
  return settings;
}

// Options of what is switched off would be silently ignored.
void refuse_idle_options(const Options& options) {
  for (const Option& option : kTable) {
    if (option.group != kAce || option.name == "ace" || options.flag("ace")) continue;
    refuse_idle(options, option.name, "-ace 1");
  }
  if (geometry_of(options) == Geometry::kCone) {
    refuse_idle(options, "decay", "-geometry order");
    if (options.text("start") == "random") {
      throw UsageError("cones start nested; leave -start random out");
    }
  }
  if (options.integer("negative") == 0 && !options.flag("ace")) {
    throw UsageError(
        "-negative 0 leaves nothing to tell true pairs from; give at least 1, or "
        "-ace 1");
  }
}

std::vector<RunFile> files_beside(const Options& options) {
  std::vector<RunFile> files;
  add_record(options, files);
  const std::string& output = options.text("output");
  add_words_file("-output", output, format_of_ending(output), true, files);
  return files;
}

}  // namespace

const Command kOrderCommand{
    "order",
    "acevec order -train FILE -output FILE [OPTION VALUE ...]",
    "Learns order embeddings of a hierarchy: a concept's hypernyms are no larger than it in "
    "every\ncoordinate. Or entailment cones (-geometry cone). acevec order query lists the "
    "hypernyms or hyponyms of a concept.\n",
    "",
    kTable,
    {},
    files_beside};

bool has_order_effect(const Option& option, const Options& options) {
  if (option.group == kAce && option.name != "ace") return options.flag("ace");
  return has_effect_in_run(option.name, options);
}

void assume_open_pairs(Options& options) {
  options.assume("start", "nested");
  options.assume("mask-noise", "1");
  options.assume("ace-negative", "0.1");
  if (geometry_of(options) == Geometry::kCone) return;
  options.assume("batch", "100");
  options.assume("report-every", "2000");
}

OrderJob read_order_job(Options& options) {
  OrderJob job;
  job.train = options.text("train");
  if (job.train.empty()) throw UsageError("no pairs; give some with -train FILE (see --help)");
  if (options.text("output").empty()) {
    throw UsageError("no output; give -output FILE (see --help)");
  }
  refuse_idle_options(options);
  assume_by_geometry(options);
  job.run = read_run(options);
  job.record = free_record_path(options);
  job.split = chosen<SplitKind>(options, "split",
                                {{"honest", SplitKind::kHonest}, {"paper", SplitKind::kPaper}});
  job.closure =
      chosen<Closure>(options, "closure",
                      {{"auto", Closure::kAuto}, {"0", Closure::kGiven}, {"1", Closure::kClosed}});
  job.held_out = options.integer("held-out");
  job.ranked = options.integer("rank");
  job.training = read_order_settings(options);
  job.command = repeating_command(kOrderCommand, options, [&](const Option& option) {
    return has_order_effect(option, options);
  });
  return job;
}

}  // namespace acevec
