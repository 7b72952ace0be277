#include "commands/order_arguments.h"

#include "base/error.h"
#include "cli/run_record.h"
#include "commands/ace_arguments.h"
#include "commands/vector_files.h"

namespace acevec {
namespace {

void declare_files(OrderArguments& a, RunArguments& run, OptionTable& table) {
  table.group("Files");
  table
      .input_file("train", a.train,
                  "pairs, one per line: a specific concept, a tab, a general one; packed files are "
                  "unpacked, "
                  "- is standard input")
      .common("pairs: a specific concept, a tab, a general one");
  table
      .output_file("output", run.settings.output,
                   "write the vectors here; the ending decides the format: .bin word2vec's binary, "
                   ".npy, .tsv and .glove as in acevec convert, .txt, .vec or none word2vec's "
                   "text; - is standard output")
      .common("the vectors");
}

void declare_pairs(OrderArguments& a, OptionTable& table) {
  table.group("Pairs");
  table.choice<Closure>(
      "closure", a.closure,
      {{"auto", Closure::kAuto}, {"0", Closure::kGiven}, {"1", Closure::kClosed}},
      "1: also learn the pairs that those of the file imply, and refuse a file that implies too "
      "many; auto: the same, but only the file's pairs if it implies too many; 0: only the file's "
      "pairs");
  table.choice<SplitKind>(
      "split", a.split, {{"honest", SplitKind::kHonest}, {"paper", SplitKind::kPaper}},
      "honest: split the different pairs into training and test; paper: split the lines of the "
      "file, with repeats, and allow true pairs as negatives");
  table.integer("held-out", a.held_out, {0, 1e9},
                "pairs held out for development, and as many for the test; at most a tenth of all");
}

void declare_training(OrderArguments& a, RunArguments& run, OptionTable& table) {
  OrderSettings& training = a.training;
  table.group("Training");
  table
      .choice<Geometry>("geometry", training.geometry,
                        {{"order", Geometry::kOrder}, {"cone", Geometry::kCone}},
                        "order: a concept's hypernyms have no larger coordinates; cone: its "
                        "hyponyms are in its cone "
                        "in the Poincare ball")
      .common("order embeddings or entailment cones");
  table.choice<bool>("start", training.nested, {{"nested", true}, {"random", false}},
                     "nested: concepts start below their hypernyms; random: anywhere, which tells "
                     "single pairs better and ranks answers worse");
  table.integer("size", training.size, {1, 100000}, "dimensions")
      .common("dimensions (default: 50)");
  table.integer("batch", training.batch, {1, 1e7},
                "true pairs in a step; 100 if -closure 0 leaves out implied pairs; cones: 20");
  table
      .integer("negative", training.negatives, {0, 1000},
               "false pairs per true pair, with one side replaced by a random concept")
      .common("random false pairs per pair (default: 1)");
  table
      .real("rate", run.settings.plan.rate.start, {1e-9, 10},
            "Adam's learning rate at the start; it falls to 0; cones: 0.001, for plain steps")
      .changeable();
  table.integer("iter", run.settings.plan.epochs, {1, 1000000}, "epochs")
      .changeable()
      .common("epochs (default: 20)");
}

void declare_adversary(OrderArguments& a, OptionTable& table) {
  OrderAdversarySettings& adversary = a.adversary;
  table.group(kAceGroup);
  table.flag("ace", a.ace, "add adversarial negatives").common("1: adversarial negatives");
  const auto on = table.all_need("-ace 1", [&a] { return a.ace; });
  declare_sampler(adversary.sampler, table);
  declare_beta(adversary.beta, table).help += "; cones: 500";
}

// Defaults of cones, where they are others.
void assume_by_geometry(OrderArguments& a, RunArguments& run, OptionTable& table) {
  if (!a.cones()) return;
  a.training.margin = 0.01F;
  a.training.specific_share = 0.5;
  table.assume(run.settings.plan.rate.start, 0.001);
  table.assume(a.training.batch, 20);
  table.assume(a.report_every, 2000);
  // As for order embeddings in units of the margin.
  table.assume(a.adversary.beta, 500);
  // What lies near a cone could nearly always be true for all that was observed.
  a.adversary.spare_possible = false;
}

void refuse_contradictions(const OrderArguments& a) {
  if (a.cones() && !a.training.nested) {
    throw UsageError("cones start nested; leave -start random out");
  }
  if (a.training.negatives == 0 && !a.ace) {
    throw UsageError(
        "-negative 0 leaves nothing to tell true pairs from; give at least 1, or -ace 1");
  }
}

// What follows from the values of the rows.
void complete(OrderArguments& a, RunArguments& run) {
  run.settings.evaluate_every = Interval{.units = a.report_every * a.training.batch};
  if (a.ace) a.training.adversary = a.adversary;
}

}  // namespace

void declare_order(OrderArguments& arguments, RunArguments& run, OptionTable& table) {
  run.settings.plan.rate = {0.01, 0};  // it falls to 0, so that vectors come to rest
  run.settings.plan.epochs = 20;
  declare_files(arguments, run, table);
  declare_pairs(arguments, table);
  declare_training(arguments, run, table);
  declare_adversary(arguments, table);
  table.group(kRun);
  table.integer("report-every", arguments.report_every, {1, 1e9},
                "batches between evaluations on the development pairs, by which the best vectors "
                "are kept; 2000 if -batch is 100 or 20");
  declare_patience(run, table, "stop after N evaluations without a better one; 0: never");
  declare_run(run, table, Parallel::kStep);
}

void resolve_order(OrderArguments& arguments, RunArguments& run, CommandLine& command) {
  if (arguments.train.empty())
    throw UsageError("no pairs; give some with -train FILE (see --help)");
  if (run.settings.output.empty()) throw UsageError("no output; give -output FILE (see --help)");
  command.table().refuse_idle();
  refuse_contradictions(arguments);
  assume_by_geometry(arguments, run, command.table());
  resolve_run(run, command);
  run.settings.keep_best = true;
  arguments.training.threads = run.settings.plan.threads;
  arguments.training.seed = run.settings.plan.seed;
  arguments.training.format = output_format(run.settings.output);
  complete(arguments, run);
}

void resolve_open_pairs(OrderArguments& arguments, RunArguments& run, CommandLine& command) {
  OptionTable& table = command.table();
  arguments.training.mask_noise = true;
  arguments.adversary.negatives = 0.1;
  if (!arguments.cones()) {
    table.assume(arguments.training.batch, 100);
    table.assume(arguments.report_every, 2000);
  }
  complete(arguments, run);
  run.command = repeating_command(command);
}

}  // namespace acevec
