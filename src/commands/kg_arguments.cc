#include "commands/kg_arguments.h"

#include <optional>

#include "base/error.h"
#include "commands/ace_arguments.h"
#include "tasks/kg/defaults.h"
#include "vectors/format.h"

namespace acevec {
namespace {

// Those of the default score, ComplEx with the softmax.
void set_defaults(KgArguments& a, RunArguments& run) {
  a.shape.score = ScoreKind::kComplEx;
  a.shape.size = 1000;
  a.training.loss = KgLossKind::kSoftmax;
  a.training.batch = 500;
  a.training.negatives = 2048;
  a.ace = true;
  run.settings.plan.rate.start = 0.4;
  run.settings.patience = 3;
}

void declare_files(KgArguments& a, RunArguments& run, OptionTable& table) {
  table.group("Files");
  table
      .input_file(
          "train", a.train,
          "triples, one per line: head, tab, relation, tab, tail; or ids, as in "
          "train2id.txt: a count, then lines head tail relation; packed files are unpacked, - is "
          "standard input")
      .common("triples: head, tab, relation, tab, tail");
  table
      .input_file("valid", a.valid,
                  "validation triples; the model with the best filtered MRR is kept")
      .common("validation triples, by which the best model is kept");
  table.input_file("test", a.test, "test triples, scored at the end")
      .common("test triples, scored at the end");
  table.output_file("output", run.settings.output, "write the model here, for acevec kg predict")
      .common("the model, for acevec kg predict");
  table
      .input_file("init", a.init,
                  "start from this model: entities and relations with the same names have its "
                  "vectors, others are new; it must have the same -score, -size and -loss")
      .changeable(false);
  table.output_file(
      "output-entities", a.output_entities,
      "write the entities' vectors; the ending decides the format: .bin word2vec's "
      "binary, .npy, .tsv and .glove as in acevec convert, .txt, .vec or none word2vec's "
      "text");
  table.output_file("output-relations", a.output_relations,
                    "the same for the relations; with softmax their inverses follow");
}

void declare_model(KgArguments& a, OptionTable& table) {
  table.group("Model");
  table
      .choice<KgPreset>(
          "preset", a.preset, {{"paper", KgPreset::kPaper}},
          "several options under one name; others may be added; paper: -score transd -ace 1 "
          "-ace-sampler learned -ace-lambda 0.5 -ace-candidates 256 -ace-in-batch 0 "
          "-ace-estimator reinforce -ace-entropy 32")
      .common("paper: TransD with ACE, as published");
  table
      .choice<ScoreKind>("score", a.shape.score,
                         {{"transd", ScoreKind::kTransD},
                          {"transe", ScoreKind::kTransE},
                          {"rotate", ScoreKind::kRotatE},
                          {"distmult", ScoreKind::kDistMult},
                          {"complex", ScoreKind::kComplEx}},
                         "how a triple is scored")
      .common("default: complex");
  table
      .integer("size", a.shape.size, {1, 100000},
               "numbers in a vector, two for each complex one; with margin and ns 50")
      .common("numbers in a vector (default: 1000)");
}

// What only the softmax has.
void declare_softmax(KgArguments& a, OptionTable& table) {
  const auto softmax = table.all_need("-loss softmax", [&a] { return a.softmax(); });
  table.real(
      "n3", a.n3, {0, 1e9},
      "softmax: weight of the N3 penalty, the sum of cubes (default: chosen by short runs on "
      "-valid; without it 0.07)");
  table.real("relation-weight", a.training.relation_weight, {0, 1e9},
             "softmax: weight of the loss of predicting the relation of each head and tail (Chen "
             "et al. 2021)");
  declare_precision(a.precision, table);
}

void declare_training(KgArguments& a, RunArguments& run, OptionTable& table) {
  KgSettings& training = a.training;
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
          "softmax (distmult and complex): the true entity among all; with transd, transe and "
          "rotate "
          "margin")
      .common("default: softmax; transd, transe, rotate: margin");
  table
      .real("margin", training.margin, {0, 1e9},
            "margin: how much larger the distance of a false triple should be; ns: the distance "
            "between true and false, with distmult and complex 0")
      .need("-loss margin or ns", pairs);
  declare_softmax(a, table);
  table.integer("batch", training.batch, {1, 1e7},
                "questions in a step, of up to 16 triples; with margin and ns 1000 triples");
  table
      .integer("negative", training.negatives, {0, 1e9},
               "entities to compare with, drawn for each step; 0: all; with margin and ns 1: false "
               "triples per true one, with one side replaced by a random entity")
      .need("-ace-lambda above 0", noise);
  table
      .real("rate", run.settings.plan.rate.start, {1e-9, 1000},
            "learning rate, which falls to a hundredth; with more than 256 numbers less, with 1000 "
            "0.25; with margin and ns 0.01")
      .changeable();
  table
      .integer("iter", a.iter, {1, 1000000},
               "epochs, passes over the triples (default: 24; for less than 125,000 training "
               "triples 3 M / triples, at most 48); with margin and ns 150")
      .changeable()
      .common("epochs (default: 24, more for a small graph)");
}

void declare_adversary(KgArguments& a, OptionTable& table) {
  KgAdversarySettings& adversary = a.adversary;
  table.group(kAceGroup);
  table
      .flag(
          "ace", a.ace,
          "add adversarial negatives, with softmax one answer of each other question of the step; "
          "with margin and ns, and with -negative 0, 0")
      .common("0: no adversarial negatives");
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

void apply_preset(KgArguments& a, OptionTable& table) {
  if (!a.preset) return;
  switch (*a.preset) {
    case KgPreset::kPaper:  // Bose, Ling and Cao 2018, section 5.3: ACE with Ent and SC
      table.assume(a.shape.score, ScoreKind::kTransD);
      table.assume(a.ace, true);
      if (!a.ace) return;
      table.assume(a.adversary.sampler, Sampler::kLearned);
      table.assume(a.adversary.noise_weight, 0.5);
      table.assume(a.adversary.candidates, 256);
      table.assume(a.adversary.in_batch, 0);
      if (a.adversary.sampler != Sampler::kLearned) return;
      table.assume(a.adversary.policy.estimator, PolicySettings::Estimator::kReinforce);
      table.assume(a.adversary.policy.entropy_floor, 32);
      return;
  }
}

// Defaults that follow from the score and the loss.
void assume_by_score(KgArguments& a, RunArguments& run, OptionTable& table) {
  KgSettings& training = a.training;
  const bool distance = is_distance(a.shape.score);
  if (distance) table.assume(training.loss, KgLossKind::kMargin);
  if (a.softmax()) {
    training.optimizer.kind = OptimizerKind::kAdagrad;
    a.shape.reciprocal = true;
    if (training.negatives == 0) table.assume(a.ace, false);
    table.assume(run.settings.plan.rate.start, default_graph_rate(a.shape.size));
    return;
  }
  if (training.loss == KgLossKind::kNs && !distance) table.assume(training.margin, 0);
  if (!a.preset) table.assume(a.ace, false);  // a preset has said so itself
  table.assume(a.shape.size, 50);
  table.assume(training.batch, 1000);
  table.assume(training.negatives, 1);
  table.assume(run.settings.plan.rate.start, 0.01);
  table.assume(a.iter, 150);
  table.assume(a.report_every, 20);
  table.assume(run.settings.patience, 0);  // ranks rise until the learning rate has fallen
}

// What each option allows alone, and not together.
void refuse_contradictions(const KgArguments& a) {
  const KgSettings& training = a.training;
  if (a.softmax() && is_distance(a.shape.score)) {
    throw UsageError(
        format("-loss softmax needs a score that is a product, and %s is a distance; give -score "
               "complex or distmult, or -loss margin or ns",
               name_of(a.shape.score)));
  }
  if (a.ace && a.softmax() && training.negatives == 0) {
    throw UsageError(
        "-negative 0 weighs all entities by how hard they are, and an adversary has nothing to "
        "add; give 1 or more with -ace 1, or -ace 0");
  }
  if (training.negatives == 0 && !a.softmax()) {
    throw UsageError("-negative 0 leaves nothing to learn from; give 1 or more");
  }
  if (training.negatives > 1000 && !a.softmax()) {
    throw UsageError("option -negative is too large; give 1000 or less");
  }
  if (training.margin == 0 && training.loss == KgLossKind::kMargin) {
    throw UsageError(
        "-margin 0 does not separate true triples from false ones; give one above 0, or -loss ns");
  }
  if (is_complex(a.shape.score) && a.shape.size % 2 != 0) {
    throw UsageError(
        format("-size %ld is odd; -score %s has two numbers for each complex one, so give an even "
               "one",
               static_cast<long>(a.shape.size), name_of(a.shape.score)));
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
  set_defaults(arguments, run);
  declare_files(arguments, run, table);
  declare_model(arguments, table);
  declare_training(arguments, run, table);
  declare_adversary(arguments, table);
  table.group(kRun);
  const auto evaluates = [&arguments] { return !arguments.valid.empty(); };
  table.integer(
      "report-every", arguments.report_every, {1, 1e9},
      "epochs between evaluations on -valid (default: a quarter of all); with margin and ns 20");
  declare_patience(run, table,
                   "stop after N evaluations without a better one; 0: never, as with margin and ns")
      .need("-valid", evaluates);
  declare_run(run, table, Parallel::kStep);
}

void resolve_kg(KgArguments& arguments, RunArguments& run, CommandLine& command) {
  if (arguments.train.empty())
    throw UsageError("no triples; give some with -train FILE (see --help)");
  if (run.settings.output.empty()) throw UsageError("no output; give -output FILE (see --help)");
  refuse_ending_of_vectors(run.settings.output);
  apply_preset(arguments, command.table());
  assume_by_score(arguments, run, command.table());
  command.table().refuse_idle();
  refuse_contradictions(arguments);
  if (arguments.softmax()) {
    arguments.training.precision = resolve_precision(arguments.precision, command.table());
  }
  resolve_run(run, command);
  TaskRunner::Plan& plan = run.settings.plan;
  plan.rate.end = plan.rate.start / 100;
  run.settings.keep_best = !arguments.valid.empty();
  KgSettings& training = arguments.training;
  training.threads = plan.threads;
  training.seed = plan.seed;
  training.in_batch = arguments.ace && arguments.softmax();
  if (!arguments.softmax()) {
    arguments.n3 = 0;
  } else if (arguments.valid.empty()) {
    command.table().assume(arguments.n3, kUsualN3);
  }
  training.n3 = arguments.n3.value_or(kUsualN3);
  if (!arguments.has_adversary()) return;
  training.adversary = arguments.adversary;
}

}  // namespace acevec
