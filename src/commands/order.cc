// acevec order: learns concepts from pairs "specific -> general" and evaluates the vectors.

#include "base/error.h"
#include "cli/command_line.h"
#include "cli/run_record.h"
#include "commands/commands.h"
#include "commands/shared_options.h"
#include "commands/training_command.h"
#include "tasks/order/job.h"
#include "vectors/format.h"

namespace acevec {
namespace {

struct OrderArguments : OrderJobSettings {
  int64_t report_every = 200;  // batches between evaluations
  bool open_pairs = false;     // whether pairs implied by others are left out
  bool few_pairs = false;      // whether there are fewer than kFewToLearn, none left out
  bool ace = false;
  OrderAdversarySettings adversary;

  bool cones() const { return training.geometry == Geometry::kCone; }
};

void declare_files(OrderArguments& a, RunArguments& run, OptionTable& table) {
  table.group("File");
  table
      .input_file("train", a.train,
                  "pairs, one per line: a specific concept, a tab, a general one; packed files are "
                  "unpacked, - is standard input")
      .common("pairs: a specific concept, a tab, a general one");
  table
      .output_file("output", run.settings.output,
                   "write the vectors here; the ending decides the format: .bin word2vec's binary, "
                   ".npy, .tsv and .glove as in acevec convert, .txt, .vec or none word2vec's "
                   "text; - is standard output")
      .vectors()
      .common("the vectors");
}

void declare_pairs(OrderArguments& a, OptionTable& table) {
  table.group("Pairs");
  table.choice<Closure>("closure", a.closure,
                        {{"auto", Closure::kAuto}, {"0", Closure::kGiven}, {"1", Closure::kClosed}},
                        "1: also learn the pairs that the file's pairs imply, and refuse a file "
                        "that implies too many; auto: the same, but only the file's pairs if it "
                        "implies too many; 0: only the file's pairs");
  table.choice<SplitKind>("split", a.split,
                          {{"honest", SplitKind::kHonest}, {"paper", SplitKind::kPaper}},
                          "honest: split the different pairs into training and test; paper: split "
                          "the lines of the file, with repeats, and allow true pairs as negatives");
  table.integer("held-out", a.held_out, {0, 1e9},
                "pairs held out for development, and as many for the test; at most a tenth of all "
                "pairs; none if there are fewer than 1000");
}

void declare_training(OrderArguments& a, RunArguments& run, OptionTable& table) {
  OrderSettings& training = a.training;
  const auto open = [&a] { return a.open_pairs; };
  const auto few = [&a] { return a.few_pairs && !a.cones(); };
  constexpr const char* kFew = "fewer than 100,000 pairs";
  table.group("Training");
  table
      .choice<Geometry>("geometry", training.geometry,
                        {{"order", Geometry::kOrder}, {"cone", Geometry::kCone}},
                        "order: a concept's hypernyms have no larger coordinates; cone: its "
                        "hyponyms are in its cone in the Poincare ball")
      .common("order embeddings or entailment cones");
  table.choice<bool>("start", training.nested, {{"nested", true}, {"random", false}},
                     "nested: concepts start below their hypernyms; random: anywhere, which "
                     "classifies single pairs better but ranks answers worse");
  table.integer("size", training.size, {1, 100000}, "dimensions")
      .common("dimensions (default: 50)");
  table.integer("batch", training.batch, {1, 1e7}, "true pairs in a step")
      .default_when("-geometry cone", "20")
      .default_when("-closure 0, where it leaves out implied pairs", open, "100")
      .default_when(kFew, few, "100");
  table
      .integer("negative", training.negatives, {0, 1000},
               "false pairs per true pair, with one side replaced by a random concept")
      .common("random false pairs per pair (default: 1)");
  table
      .real("rate", run.settings.plan.rate.start, {1e-9, 10},
            "learning rate at the start, of Adam or, for cones, of plain steps; it falls to 0")
      .default_when("-geometry cone", "0.001")
      .changeable();
  table.integer("iter", run.settings.plan.epochs, {1, 1000000}, "epochs")
      .default_when(kFew, few, "40")
      .changeable()
      .common("epochs (default: 20, 40 for few pairs)");
}

void declare_adversary(OrderArguments& a, OptionTable& table) {
  OrderAdversarySettings& adversary = a.adversary;
  table.group(kAceGroup);
  table.flag("ace", a.ace, "add adversarial negatives").common("1: adversarial negatives");
  const auto on = table.all_need("-ace 1");
  declare_sampler(adversary.sampler, table);
  // In units of the margin, cones have the same default.
  declare_beta(adversary.beta, table).default_when("-geometry cone", "500");
}

void refuse_contradictions(const OrderArguments& a) {
  if (a.cones() && !a.training.nested) {
    throw UsageError("cones start nested; leave -start random out");
  }
  if (a.training.negatives == 0 && !a.ace) {
    throw UsageError("-negative 0 leaves no false pairs to learn from; give at least 1, or -ace 1");
  }
}

// Sets what follows from other settings.
void complete(OrderArguments& a, RunArguments& run) {
  if (a.cones()) {
    a.training.margin = 0.01F;
    a.training.specific_share = 0.5;
    // The observed pairs allow nearly every concept near a cone to be true.
    a.adversary.spare_possible = false;
  }
  run.settings.evaluate_every = Interval{.units = a.report_every * a.training.batch};
  if (a.ace) a.training.adversary = a.adversary;
}

constexpr CommandText kOrder{
    "order", "acevec order -train FILE -output FILE [OPTION VALUE ...]",
    "Learns order embeddings of a hierarchy: no coordinate of a hypernym is larger than its "
    "hyponym's.\nWith -geometry cone it learns entailment cones. acevec order query lists the "
    "hypernyms or\nhyponyms of a concept.\n",
    "other embeddings"};

class OrderCommand final : public TrainingCommand {
 public:
  OrderCommand() : TrainingCommand(kOrder) {
    run_arguments_.settings.plan.rate = {0.01, 0};  // falls to 0, so that vectors converge
    run_arguments_.settings.plan.epochs = 20;
    declare_files(arguments_, run_arguments_, table());
    declare_pairs(arguments_, table());
    declare_training(arguments_, run_arguments_, table());
    declare_adversary(arguments_, table());
    table().group(kRun);
    table()
        .integer(
            "report-every", arguments_.report_every, {1, 1e9},
            "batches between evaluations on the development pairs, which select the best vectors")
        .default_when(
            "-geometry cone, or where -closure 0 leaves out implied pairs",
            [this] { return arguments_.cones() || arguments_.open_pairs; }, "2000");
    declare_patience(run_arguments_, table(),
                     "stop after N evaluations without improvement; 0: never");
    declare_run(run_arguments_, table(), Parallel::kStep);
  }

  void resolve() override {
    RunSettings& run = run_arguments_.settings;
    require_given(!arguments_.train.empty(), "no pairs; give some with -train FILE");
    require_given(!run.output.empty(), "no output; give -output FILE");
    table().refuse_idle();
    refuse_contradictions(arguments_);
    resolve_run(run_arguments_, *this);
    run.keep_best = true;
    arguments_.training.threads = run.plan.threads;
    arguments_.training.seed = run.plan.seed;
    arguments_.training.format = output_format(run.output);
    complete(arguments_, run_arguments_);
  }

 protected:
  void train(std::optional<CheckpointReader>& checkpoint) override {
    const auto choose = [this](int64_t pairs, bool is_open, Progress& progress) {
      choose_steps(pairs, is_open, progress);
    };
    train_job(*make_order_job(arguments_, run_arguments_.settings, choose), checkpoint);
  }

 private:
  // Sets the defaults that depend on the pairs.
  void choose_steps(int64_t pairs, bool is_open, Progress& progress) {
    OrderArguments& a = arguments_;
    a.few_pairs = !is_open && pairs < kFewToLearn;
    a.open_pairs = is_open;
    if (is_open) {
      a.training.mask_noise = true;
      a.adversary.negatives = 0.1;
    }
    int64_t &batch = a.training.batch, &epochs = run_arguments_.settings.plan.epochs;
    const int64_t usual_batch = batch, usual_epochs = epochs;
    table().fill_defaults();
    complete(a, run_arguments_);
    std::string chosen;
    if (batch != usual_batch) chosen += decide(&batch);
    if (epochs != usual_epochs) chosen += decide(&epochs);
    if (!chosen.empty()) {
      progress.note(chosen + " (default for " +
                    (is_open ? "pairs without implied ones" : counted(pairs, "pair")) + ")");
    }
    run_arguments_.command = repeating_command(*this);
  }

  OrderArguments arguments_;
};

}  // namespace

const Maker make_order = make_command<OrderCommand>;

}  // namespace acevec
