// acevec metric: trains an encoder on labelled points.

#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/numbers.h"
#include "cli/command_line.h"
#include "commands/commands.h"
#include "commands/shared_options.h"
#include "commands/training_command.h"
#include "tasks/metric/job.h"

namespace acevec {
namespace {

// Parses the number of units of each layer, "256,128"; "0" means no layer.
std::vector<int64_t> layers_of(const std::string& typed) {
  constexpr size_t kMostLayers = 64;
  constexpr int64_t kMostUnits = 1 << 20;
  if (typed == "0") return {};
  std::vector<int64_t> layers;
  for (const std::string_view part : split(typed, ",")) {
    const int64_t units = number_of<int64_t>(part).value_or(0);
    if (units < 1 || units > kMostUnits || layers.size() == kMostLayers) {
      throw Error("give numbers of units with commas between, or 0");
    }
    layers.push_back(units);
  }
  return layers;
}

void declare_files(MetricJobSettings& a, RunArguments& run, OptionTable& table) {
  table.group("File");
  table
      .input_file("train", a.train,
                  "points: an IDX file, an .npy array whose first dimension counts points, a table "
                  "of numbers (.csv, .tsv), or any file of vectors; packed files are unpacked, - "
                  "is standard input")
      .common("points: IDX, .npy, .csv or a file of vectors");
  table
      .input_file("labels", a.labels,
                  "their classes: an IDX file or .npy array of whole numbers, or a text with a "
                  "label per line; for vectors of words: a word, a blank and a label per line")
      .common("their classes");
  table.input_file("valid", a.valid, "points for evaluation during training")
      .common("points for evaluation during training");
  table.input_file("valid-labels", a.valid_labels, "their classes")
      .default_later("those of -labels, matched by name")
      .need("-valid FILE");
  table.output_file("output", run.settings.output, "write the model here").common("the model");
  table.output_file("triplets", a.triplets,
                    "write the triplets of each epoch's last batches, as tab-separated rows; a "
                    "file with content is never overwritten");
}

void declare_encoder(EncoderShape& shape, OptionTable& table) {
  table.group("Encoder");
  table
      .parsed("hidden", "N,...", "512,256", shape.hidden, layers_of,
              "units of each hidden layer; 0: none")
      .common("units of the hidden layers (default: 512,256)");
  table.integer("size", shape.size, {1, 100000}, "dimensions of a vector")
      .common("dimensions of a vector (default: 32)");
}

void declare_training(MetricSettings& training, RunArguments& run, OptionTable& table) {
  table.group("Training");
  table.real("margin", training.margin, {0, 1e9},
             "how much farther than the positive a negative should be, in squared distance");
  table.integer("negative", training.negatives, {1, 1000}, "negatives per anchor");
  table.integer("batch", training.batch, {4, 16384},
                "points in a step, an even number; each is an anchor");
  table.integer("shift", training.shift, {0, 1000},
                "move images at random by up to N pixels down or up and right or left; height and "
                "width are the last two dimensions of the points");
  table
      .real("rate", run.settings.plan.rate.start, {1e-9, 10},
            "Adam's learning rate at the start; it falls to 0")
      .changeable();
  table.integer("iter", run.settings.plan.epochs, {1, 1000000}, "epochs")
      .changeable()
      .common("epochs (default: 15)");
}

void declare_adversary(MetricJobSettings& a, OptionTable& table) {
  table.group(kAceGroup);
  table.choice<NegativeKind>(
      "ace-sampler", a.training.kind,
      {{"uniform", NegativeKind::kUniform},
       {"hardest", NegativeKind::kHardest},
       {"semi-hard", NegativeKind::kSemiHard},
       {"uncertain", NegativeKind::kUncertain},
       {"critic", NegativeKind::kCritic},
       {"learned", NegativeKind::kLearned}},
      "how an anchor's negatives are chosen among the points of its batch that are of other "
      "classes. uniform: at random; hardest: the nearest (VSE++); semi-hard: the nearest beyond "
      "the positive (FaceNet); uncertain: as far as the positive, so that the posterior is 1/2 "
      "(Bose 2018); critic: drawn by the softmax of -distance; learned: uniform or drawn by a "
      "generator that learns which points are hard for an anchor");
  declare_beta(a.training.beta, table).need("-ace-sampler learned or critic");
  const auto learned = table.all_need("-ace-sampler learned");
  declare_lambda(a.training.lambda, table);
}

void declare_evaluation(MetricJobSettings& a, RunArguments& run, OptionTable& table) {
  table.group(kRun);
  table.real("heldout", a.heldout, {0, 0.5},
             "share of the training points that is held out and evaluated on in place of -valid");
  declare_patience(
      run, table, "stop after N evaluations without improvement, and keep the best model; 0: never")
      .need("-valid or -heldout");
}

void refuse_contradictions(const MetricJobSettings& a) {
  if (!a.valid.empty() && a.heldout > 0) {
    throw UsageError("-valid and -heldout name two sets to evaluate on; leave one out");
  }
  if (a.training.batch % 2 != 0) {
    throw UsageError("-batch is odd, and points come in pairs; give an even number");
  }
}

constexpr CommandText kMetric{
    "metric", "acevec metric -train FILE -labels FILE -output FILE [OPTION VALUE ...]",
    "Learns an encoder of labelled points that brings classes together. acevec metric encode and "
    "eval\nuse it.\n",
    "other embeddings"};

class MetricCommand final : public TrainingCommand {
 public:
  MetricCommand() : TrainingCommand(kMetric) {
    run_arguments_.settings.plan.rate = {0.002, 0};
    run_arguments_.settings.plan.epochs = 15;
    declare_files(arguments_, run_arguments_, table());
    declare_encoder(arguments_.shape, table());
    declare_training(arguments_.training, run_arguments_, table());
    declare_adversary(arguments_, table());
    declare_evaluation(arguments_, run_arguments_, table());
    declare_run(run_arguments_, table(), Parallel::kStep);
  }

  // Sets values that follow from others, and refuses contradictions.
  void resolve() override {
    RunSettings& run = run_arguments_.settings;
    require_given(!arguments_.train.empty(), "no points; give some with -train FILE");
    require_given(!arguments_.labels.empty(), "no labels; give those of -train with -labels FILE");
    require_given(!run.output.empty(), "no output; give -output FILE");
    table().refuse_idle();
    refuse_contradictions(arguments_);
    resolve_run(run_arguments_, *this);
    run.keep_best = run.patience > 0;
    MetricSettings& training = arguments_.training;
    training.threads = run.plan.threads;
    training.seed = run.plan.seed;
  }

 protected:
  void train(std::optional<CheckpointReader>& checkpoint) override {
    train_job(*make_metric_job(arguments_, run_arguments_.settings), checkpoint);
  }

 private:
  MetricJobSettings arguments_;
};

}  // namespace

const Maker make_metric = make_command<MetricCommand>;

}  // namespace acevec
