#include "commands/kg_arguments.h"

#include <optional>

#include "base/error.h"
#include "commands/ace_arguments.h"
#include "vectors/format.h"

namespace acevec {
namespace {

void declare_files(KgArguments& a, RunArguments& run, OptionTable& table) {
  table.group("Files");
  table
      .input_file("train", a.train,
                  "triples, one per line: head, tab, relation, tab, tail; or ids, as in "
                  "train2id.txt: a count, then lines head tail relation; .gz is unpacked, - is "
                  "standard input")
      .changeable()
      .common("triples: head, tab, relation, tab, tail");
  table
      .input_file("valid", a.valid,
                  "validation triples; the model with the best filtered MRR is kept")
      .changeable()
      .common("validation triples, by which the best model is kept");
  table.input_file("test", a.test, "test triples, scored at the end")
      .changeable()
      .common("test triples, scored at the end");
  table.output_file("output", run.settings.output, "write the model here, for acevec kg predict")
      .changeable()
      .common("the model, for acevec kg predict");
  table
      .output_file(
          "output-entities", a.output_entities,
          "write the entities' vectors; the ending decides the format: .bin word2vec's "
          "binary, .npy, .tsv and .glove as in acevec convert, .txt, .vec or none word2vec's "
          "text")
      .changeable();
  table
      .output_file("output-relations", a.output_relations,
                   "the same for the relations; with -reciprocal 1 their inverses follow")
      .changeable();
}

void declare_model(KgArguments& a, OptionTable& table) {
  KgSettings& training = a.training;
  const auto pairs = [&a] { return !a.softmax(); };
  table.group("Model");
  table
      .choice<ScoreKind>("score", a.score,
                         {{"transd", ScoreKind::kTransD},
                          {"transe", ScoreKind::kTransE},
                          {"rotate", ScoreKind::kRotatE},
                          {"distmult", ScoreKind::kDistMult},
                          {"complex", ScoreKind::kComplEx}},
                         "how a triple is scored")
      .common("default: transd");
  table
      .integer("size", a.size, {1, 100000},
               "numbers in a vector, two for each complex one; with softmax 1000")
      .common("numbers in a vector (default: 50, with complex 1000)");
  table
      .choice<Norm>("norm", a.norm, {{"l1", Norm::kL1}, {"l2", Norm::kL2}},
                    "norm of the distances of transd, transe and rotate")
      .need("-score transd, transe or rotate", [&a] { return has_norm(a.score); });
  table.flag(
      "reciprocal", a.reciprocal,
      "add inverse relations: a relation's heads are the tails of its inverse; with softmax 1");
  table
      .real("longest", training.longest, {0, 1e9},
            "maximum norm of the vectors of entities and relations; 0: no limit; not with softmax")
      .need("-loss margin or ns", pairs);
}

void declare_training(KgArguments& a, RunArguments& run, OptionTable& table) {
  KgSettings& training = a.training;
  const auto softmax = [&a] { return a.softmax(); };
  const auto pairs = [&a] { return !a.softmax(); };
  const auto noise = [&a] { return !a.has_adversary() || a.adversary.noise_weight > 0; };
  table.group("Training");
  table
      .choice<KgLossKind>(
          "loss", training.loss,
          {{"margin", KgLossKind::kMargin},
           {"ns", KgLossKind::kNs},
           {"softmax", KgLossKind::kSoftmax}},
          "margin: true triples are nearer than false ones; ns: true and false are classified; "
          "softmax: the true entity among all; with -score complex softmax")
      .common("default: margin, with complex softmax");
  table
      .real("margin", training.margin, {0, 1e9},
            "margin: how much larger the distance of a false triple should be; ns: the distance "
            "between true and false, with distmult and complex 0")
      .need("-loss margin or ns", pairs);
  table
      .real("cubes", training.cubes, {0, 1e9},
            "softmax with distmult and complex: weight of the N3 penalty, the sum of cubes; 0.07 "
            "unless given")
      .need("-loss softmax", softmax)
      .need("-score distmult or complex", [&a] { return !has_norm(a.score); });
  table.integer("batch", training.batch, {1, 1e7},
                "true triples in a step; with softmax 500 questions, of up to 16 triples");
  table
      .integer(
          "negative", training.negatives, {0, 1e9},
          "false triples per true one, with one side replaced by a random entity; with softmax "
          "2048: entities to compare with, drawn for each step; 0: all")
      .need("-ace-lambda above 0", noise);
  table
      .choice<CorruptionKind>(
          "corrupt", training.corruption,
          {{"uniform", CorruptionKind::kUniform}, {"bern", CorruptionKind::kBernoulli}},
          "side that is replaced; uniform: either; bern: more often the one with fewer true "
          "entities")
      .need("-loss margin or ns", pairs)
      .need("-reciprocal 0", [&a] { return !a.reciprocal; });
  table.flag("mask-noise", training.mask_noise, "leave out negatives that are training triples")
      .need("-loss margin or ns", pairs)
      .need("-ace-lambda above 0", noise);
  table.choice<OptimizerKind>("optimizer", training.optimizer.kind,
                              {{"adam", OptimizerKind::kAdam},
                               {"adagrad", OptimizerKind::kAdagrad},
                               {"sgd", OptimizerKind::kSgd}},
                              "how steps are computed from gradients; with softmax adagrad");
  table.real("rate", run.settings.plan.rate.start, {1e-9, 1000}, "learning rate; with softmax 0.4")
      .changeable();
  table.real("final-rate", a.final_rate, {0, 1}, "learning rate at the end, as a share of -rate");
  table
      .integer("iter", run.settings.plan.epochs, {1, 1000000},
               "epochs, passes over the triples; with softmax 16")
      .changeable()
      .common("epochs (default: 150, with softmax 16)");
}

void declare_adversary(KgArguments& a, OptionTable& table) {
  KgAdversarySettings& adversary = a.adversary;
  table.group(kAceGroup);
  table
      .flag("ace", a.ace,
            "add adversarial negatives; with softmax: also compare with the answers of the step's "
            "other questions")
      .common("1: adversarial negatives");
  const auto on = table.all_need("-ace 1", [&a] { return a.ace; });
  const auto pairs = table.all_need("-loss margin or ns", [&a] { return !a.softmax(); });
  declare_sampler(adversary.sampler, table);
  declare_lambda(adversary.noise_weight, table);
  table.integer("ace-candidates", adversary.candidates, {0, 1e9},
                "entities to choose from, drawn for each step, at most a tenth of all; 0: all");
  table
      .real("ace-in-batch", adversary.in_batch, {0, 1},
            "share of these from the step's own triples; the others are any entities")
      .need("-ace-candidates above 0", [&a] { return a.adversary.candidates > 0; });
  declare_beta(adversary.prior, table);
  const auto learned = table.all_need(
      "-ace-sampler learned", [&adversary] { return adversary.sampler == Sampler::kLearned; });
  declare_estimator(adversary.policy, table);
  declare_entropy(adversary.policy, table);
}

// Defaults that follow from the score and the loss.
void assume_by_score(KgArguments& a, RunArguments& run, OptionTable& table) {
  KgSettings& training = a.training;
  const bool norm = has_norm(a.score);
  if (a.score == ScoreKind::kComplEx) table.assume(training.loss, KgLossKind::kSoftmax);
  if (training.loss == KgLossKind::kNs && !norm) table.assume(training.margin, 0);
  if (!a.softmax()) return;
  table.assume(a.size, 1000);
  table.assume(a.reciprocal, true);
  table.assume(training.cubes, norm ? 0 : 0.07F);
  table.assume(training.batch, 500);
  table.assume(training.negatives, 2048);
  table.assume(training.optimizer.kind, OptimizerKind::kAdagrad);
  table.assume(run.settings.plan.rate.start, 0.4);
  table.assume(run.settings.plan.epochs, 16);
  table.assume(a.report_every, 4);
}

// What each option allows alone, and not together.
void refuse_contradictions(const KgArguments& a) {
  const KgSettings& training = a.training;
  if (a.ace && a.softmax() && training.negatives == 0) {
    throw UsageError(
        "-negative 0 weighs all entities by how hard they are, and an adversary has nothing to "
        "add; give 1 or more with -ace 1, or -ace 0");
  }
  if (training.negatives == 0 && !a.softmax()) {
    throw UsageError("-negative 0 leaves nothing to learn from; give 1 or more, or -loss softmax");
  }
  if (training.negatives > 1000 && !a.softmax()) {
    throw UsageError("option -negative is too large; give 1000 or less, or -loss softmax");
  }
  if (training.margin == 0 && training.loss == KgLossKind::kMargin) {
    throw UsageError(
        "-margin 0 does not separate true triples from false ones; give one above 0, or -loss ns");
  }
  if (is_complex(a.score) && a.size % 2 != 0) {
    throw UsageError(
        format("-size %ld is odd; -score %s has two numbers for each complex one, so give an even "
               "one",
               static_cast<long>(a.size), std::string(name_of(a.score)).c_str()));
  }
}

// The model has a format of its own.
void refuse_ending_of_vectors(const std::string& output) {
  const std::optional<VectorFormat> format = format_of_ending(output);
  if (!format || is_word2vec(*format)) return;
  throw UsageError(
      acevec::format("-output %s: the model has a format of its own; give it another ending, and "
                     "-output-entities this one",
                     output.c_str()));
}

}  // namespace

void declare_kg(KgArguments& arguments, RunArguments& run, OptionTable& table) {
  run.settings.plan.rate.start = 0.01;
  run.settings.plan.epochs = 150;
  declare_files(arguments, run, table);
  declare_model(arguments, table);
  declare_training(arguments, run, table);
  declare_adversary(arguments, table);
  table.group(kRun);
  const auto evaluates = [&arguments] { return !arguments.valid.empty(); };
  table.integer("report-every", arguments.report_every, {1, 1e9},
                "epochs between evaluations on -valid; with softmax 4");
  declare_patience(run, table, "stop after N evaluations without a better one; 0: never")
      .need("-valid", evaluates);
  declare_run(run, table);
}

void resolve_kg(KgArguments& arguments, RunArguments& run, CommandLine& command) {
  if (arguments.train.empty())
    throw UsageError("no triples; give some with -train FILE (see --help)");
  if (run.settings.output.empty()) throw UsageError("no output; give -output FILE (see --help)");
  refuse_ending_of_vectors(run.settings.output);
  assume_by_score(arguments, run, command.table());
  command.table().refuse_idle();
  refuse_contradictions(arguments);
  resolve_run(run, command);
  TaskRunner::Plan& plan = run.settings.plan;
  plan.rate.end = plan.rate.start * arguments.final_rate;
  run.settings.keep_best = !arguments.valid.empty();
  KgSettings& training = arguments.training;
  training.threads = plan.threads;
  training.seed = plan.seed;
  if (arguments.reciprocal) training.corruption = CorruptionKind::kTail;
  training.in_batch = arguments.ace && arguments.softmax();
  if (!arguments.has_adversary()) return;
  training.adversary = arguments.adversary;
}

}  // namespace acevec
