// acevec kg: trains embeddings of a knowledge graph and scores link prediction.

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/command_line.h"
#include "cli/run_record.h"
#include "commands/commands.h"
#include "commands/graph_options.h"
#include "commands/shared_options.h"
#include "commands/training_command.h"
#include "tasks/kg/defaults.h"
#include "tasks/kg/job.h"
#include "vectors/format.h"

namespace acevec {
namespace {

// Conditions that many options share.
constexpr const char* kPairLosses = "-loss margin or ns";
constexpr const char* kProducts = "-score complex or distmult";
constexpr const char* kDistances = "-score transe or rotate";

struct KgArguments : KgJobSettings {
  std::string preset;           // one of the option's words
  std::optional<int64_t> iter;  // unset: the graph decides
  std::optional<float> n3;      // unset: the graph or trials decide, where N3 has an effect
  PrecisionArgument precision;
  bool ace = false;  // with softmax: KgSettings::in_batch
  KgAdversarySettings adversary;

  bool softmax() const { return training.loss == KgLossKind::kSoftmax; }
  bool has_adversary() const { return ace && !softmax(); }
};

// Sets the defaults of the default score, ComplEx with the softmax.
void set_defaults(KgArguments& a, RunArguments& run) {
  a.shape.score = ScoreKind::kComplEx;
  a.shape.size = 1000;
  a.training.loss = KgLossKind::kSoftmax;
  a.training.batch = 500;
  a.training.negatives = 2048;
  a.training.distance_weight = 0.15F;
  a.ace = true;
  run.settings.plan.rate.start = default_graph_rate(a.shape.size);
  run.settings.patience = 3;
}

void declare_files(KgArguments& a, RunArguments& run, OptionTable& table) {
  table.group("File");
  table
      .input_file("train", a.train,
                  "triples, one per line: head, tab, relation, tab, tail; or ids, as in "
                  "train2id.txt: a count, then lines head tail relation; or N-Triples; packed "
                  "files are unpacked, - is standard input")
      .common("triples: head, tab, relation, tab, tail");
  table
      .input_file("valid", a.valid,
                  "validation triples; the model with the best filtered MRR is kept")
      .common("validation triples, which select the best model");
  table.real("heldout", a.heldout, {0, 0.5},
             "share of the training triples that is held out, in place of -valid");
  table.input_file("test", a.test, "test triples, scored at the end")
      .common("test triples, scored at the end");
  table.output_file("output", run.settings.output, "write the model here, for acevec kg predict")
      .common("the model, for acevec kg predict");
  table
      .input_file("init", a.init,
                  "start from this model: entities and relations with the same names have its "
                  "vectors, others are new; it must have the same -score, -size and -loss")
      .changeable(false);
  declare_graph_vectors(a.vectors, table);
  declare_triple_format(a.format, table);
}

void declare_model(KgArguments& a, OptionTable& table) {
  table.group("Model");
  table
      .choice<std::string>("preset", a.preset, {{"fast", "fast"}, {"paper", "paper"}},
                           "several options under one name; others may be added")
      .preset("fast", "-size 200 -iter 10 -n3 0.05")
      .preset("paper",  // Bose, Ling and Cao 2018, section 5.3: ACE with Ent and SC
              "-score transd -ace 1 -ace-sampler learned -ace-lambda 0.5 -ace-candidates 256 "
              "-ace-in-batch 0 -ace-estimator reinforce -ace-entropy 32")
      .common("fast: a sixth of the time; paper: TransD with ACE");
  table
      .choice<ScoreKind>("score", a.shape.score,
                         {{"transd", ScoreKind::kTransD},
                          {"transe", ScoreKind::kTransE},
                          {"rotate", ScoreKind::kRotatE},
                          {"distmult", ScoreKind::kDistMult},
                          {"complex", ScoreKind::kComplEx}},
                         "how a triple is scored")
      .common("default: complex");
  table.integer("size", a.shape.size, {1, 100000}, "numbers in a vector, two for each complex one")
      .default_when(kPairLosses, "50")
      .common("numbers in a vector (default: 1000)");
}

// Declares options of the softmax alone.
void declare_softmax(KgArguments& a, OptionTable& table) {
  const auto softmax = table.all_need("-loss softmax");
  table.real("n3", a.n3, {0, 1e9}, "softmax: weight of the N3 penalty, the sum of cubes")
      .default_later(
          "chosen by short runs on -valid; without it the smaller of 0.07 and "
          "0.16 / sqrt(triples per entity)")
      .need(kProducts);
  table
      .real("relation-weight", a.training.relation_weight, {0, 1e9},
            "softmax: weight of the loss of predicting the relation of each head and tail (Chen et "
            "al. 2021)")
      .need(kProducts);
  table
      .real("distance-weight", a.training.distance_weight, {0, 1e9},
            "softmax: weight of the distance of true triples, a penalty")
      .need(kDistances);
  declare_precision(a.precision, table);
}

void declare_training(KgArguments& a, RunArguments& run, OptionTable& table) {
  KgSettings& training = a.training;
  const auto noise = [&a] { return !a.has_adversary() || a.adversary.noise_weight > 0; };
  table.group("Training");
  table
      .choice<KgLossKind>(
          "loss", training.loss,
          {{"margin", KgLossKind::kMargin},
           {"ns", KgLossKind::kNs},
           {"softmax", KgLossKind::kSoftmax}},
          "margin: true triples come nearer than false ones; ns: classify true and false triples; "
          "softmax (not with transd): find the true entity among all")
      .default_when("-score transd", "margin")
      .common("default: softmax; transd: margin");
  table
      .real("margin", training.margin, {0, 1e9},
            "margin: how much larger the distance of a false triple should be; ns: the distance "
            "that separates true from false triples")
      .need(kPairLosses);
  declare_softmax(a, table);
  table
      .integer("batch", training.batch, {1, 1e7},
               "questions in a step, each of up to 16 triples; with margin and ns: triples")
      .default_when(kPairLosses, "1000");
  table
      .integer("negative", training.negatives, {0, 1e9},
               "entities to compare with, drawn for each step; 0: all; with margin and ns: false "
               "triples per true one, with one side replaced by a random entity")
      .default_when(kPairLosses, "1")
      .default_when(kDistances, "1024")
      .need("-ace-lambda above 0", noise);
  table
      .real("rate", run.settings.plan.rate.start, {1e-9, 1000},
            "learning rate, which falls to a hundredth")
      .default_when(kPairLosses, "0.01")
      .default_when(kDistances, "0.3")
      .default_when(
          "another -size than 1000", [&a] { return a.shape.size != 1000; },
          "0.4 (256 / size)^(1/3) or 0.4, the smaller,",
          [&a] { return default_graph_rate(a.shape.size); })
      .changeable();
  table.integer("iter", a.iter, {1, 1000000}, "epochs, passes over the triples")
      .default_later("24; 3 M / triples for fewer than 125,000 training triples, at most 48")
      .default_when(kPairLosses, "150")
      .changeable()
      .common("epochs (default: 24, more for a small graph)");
}

void declare_adversary(KgArguments& a, OptionTable& table) {
  KgAdversarySettings& adversary = a.adversary;
  table.group(kAceGroup);
  table
      .flag(
          "ace", a.ace,
          "add adversarial negatives; with softmax: one answer to each other question of the step")
      .default_when(kPairLosses, "0")
      .default_when("-negative 0", "0")
      .common("0: no adversarial negatives");
  const auto on = table.all_need("-ace 1");
  const auto pairs = table.all_need(kPairLosses);
  declare_sampler(adversary.sampler, table);
  declare_lambda(adversary.noise_weight, table);
  table.integer("ace-candidates", adversary.candidates, {0, 1e9},
                "entities to choose from, drawn for each step, at most a tenth of all; 0: all");
  table
      .real("ace-in-batch", adversary.in_batch, {0, 1},
            "share of these that comes from the step's own triples; the others come from all "
            "entities")
      .need("-ace-candidates above 0", [&a] { return a.adversary.candidates > 0; });
  declare_beta(adversary.prior, table);
  const auto learned = table.all_need("-ace-sampler learned");
  declare_estimator(adversary.policy, table);
  declare_entropy(adversary.policy, table);
}

// Refuses values that are valid alone, but not together.
void refuse_contradictions(const KgArguments& a) {
  const KgSettings& training = a.training;
  if (!a.valid.empty() && a.heldout > 0) {
    throw UsageError("-valid and -heldout name two sets to evaluate on; leave one out");
  }
  if (a.softmax() && !traits_of(a.shape.score).for_softmax) {
    throw UsageError(
        "-loss softmax scores all entities by one product, and transd projects each of them for "
        "each relation; give -score transe, or -loss margin or ns");
  }
  if (!a.softmax() && !traits_of(a.shape.score).learns_pairs) {
    throw UsageError(
        format("-score %s is learned by the softmax over entities; give -loss softmax, or -score "
               "transd, transe or rotate",
               traits_of(a.shape.score).name));
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
  if (traits_of(a.shape.score).is_complex && a.shape.size % 2 != 0) {
    throw UsageError(format(
        "-size %ld is odd; -score %s has two numbers for each complex one, so give an even one",
        static_cast<long>(a.shape.size), traits_of(a.shape.score).name));
  }
}

// Refuses endings of vector formats: the model has a format of its own.
void refuse_ending_of_vectors(const std::string& output) {
  const std::optional<VectorFormat> format = format_of_ending(output);
  if (!format || is_word2vec(*format)) return;
  throw UsageError(
      acevec::format("-output %s: the model has a format of its own; give it another ending, and "
                     "-output-entities this one",
                     output.c_str()));
}

constexpr CommandText kKg{"kg", "acevec kg -train FILE -output FILE [OPTION VALUE ...]",
                          "Learns embeddings of a knowledge graph's entities and relations, and "
                          "evaluates\nlink prediction. acevec kg predict completes triples.\n",
                          "other embeddings"};

class KgCommand final : public TrainingCommand {
 public:
  KgCommand() : TrainingCommand(kKg) {
    set_defaults(arguments_, run_arguments_);
    declare_files(arguments_, run_arguments_, table());
    declare_model(arguments_, table());
    declare_training(arguments_, run_arguments_, table());
    declare_adversary(arguments_, table());
    table().group(kRun);
    table()
        .integer("report-every", arguments_.report_every, {1, 1e9},
                 "epochs between evaluations on -valid")
        .default_later("a quarter of all")
        .default_when(kPairLosses, "20");
    // With these losses ranks improve until the learning rate has fallen.
    declare_patience(run_arguments_, table(),
                     "stop after N evaluations without improvement; 0: never")
        .default_when(kPairLosses, "0")
        .need("-valid or -heldout");
    declare_run(run_arguments_, table(), Parallel::kStep);
  }

  void resolve() override {
    RunSettings& run = run_arguments_.settings;
    require_given(!arguments_.train.empty(), "no triples; give some with -train FILE");
    require_given(!run.output.empty(), "no output; give -output FILE");
    refuse_ending_of_vectors(run.output);
    table().refuse_idle();
    refuse_contradictions(arguments_);
    if (arguments_.softmax()) {
      arguments_.training.precision = resolve_precision(arguments_.precision, table());
    }
    resolve_run(run_arguments_, *this);
    TaskRunner::Plan& plan = run.plan;
    plan.rate.end = plan.rate.start / 100;
    run.keep_best = arguments_.evaluates();
    KgSettings& training = arguments_.training;
    training.threads = plan.threads;
    training.seed = plan.seed;
    training.in_batch = arguments_.ace && arguments_.softmax();
    if (arguments_.softmax()) training.optimizer.kind = OptimizerKind::kAdagrad;
    if (!table().find("n3")->has_effect()) arguments_.n3 = 0;
    training.n3 = arguments_.n3.value_or(0);
    if (arguments_.has_adversary()) training.adversary = arguments_.adversary;
  }

  std::vector<RunFile> more_files() const override {
    std::vector<RunFile> files = TrainingCommand::more_files();
    for (const std::optional<std::string>& path : name_lists(arguments_.train)) {
      if (path) files.push_back({"the names of -train", *path, false, true});
    }
    return files;
  }

 protected:
  void train(std::optional<CheckpointReader>& checkpoint) override {
    const auto choose = [this](const Graph& graph, const KnownTriples& known, Progress& progress) {
      choose_epochs(graph, progress);
      choose_n3(graph, known, progress);
      run_arguments_.command = repeating_command(*this);
    };
    train_job(*make_kg_job(arguments_, run_arguments_.settings, choose), checkpoint);
  }

 private:
  // Chooses the epochs by the number of triples where -iter is not given. With -init, a small graph
  // needs no more epochs than a large one. Checkpoints record the choice.
  void choose_epochs(const Graph& graph, Progress& progress) {
    std::optional<int64_t>& iter = arguments_.iter;
    if (!iter) {
      const int64_t triples = std::ssize(graph.train.triples);
      const bool is_new = arguments_.init.empty();
      iter = is_new ? default_graph_epochs(triples) : kUsualGraphEpochs;
      progress.note(decide(&iter) + " (default for " +
                    (is_new ? counted(triples, "training triple") : "-init") + ")");
    }
    run_arguments_.settings.plan.epochs = *iter;
  }

  // Chooses the weight of N3 where -n3 is not given: by trials on -valid, or by the graph.
  // Checkpoints record it.
  void choose_n3(const Graph& graph, const KnownTriples& known, Progress& progress) {
    std::optional<float>& n3 = arguments_.n3;
    if (n3) return;
    if (std::ssize(graph.valid.triples) < kFewestToChooseOn) {
      const double per_entity = static_cast<double>(std::ssize(graph.train.triples)) /
                                static_cast<double>(graph.entities.size());
      n3 = default_n3(per_entity);
      progress.note(format("  -n3 %g (default for %.1f training triples per entity%s)", double{*n3},
                           per_entity,
                           arguments_.evaluates() ? "; too few of valid to choose it" : ""));
    } else {
      const Stopwatch watch;
      const std::vector<N3Trial> trials =
          try_n3(graph, known, arguments_.shape, arguments_.training, run_arguments_.settings.plan,
                 progress);
      n3 = chosen_n3(trials);
      std::string tried;
      for (const N3Trial& trial : trials) {
        tried += format("%s%.3f with %g", tried.empty() ? "" : ", ", trial.mrr, double{trial.n3});
      }
      progress.note(format("  -n3 %g (chosen on -valid in %.1f s: MRR %s)", double{*n3},
                           watch.seconds(), tried.c_str()));
    }
    decide(&n3);
    arguments_.training.n3 = *n3;
  }

  KgArguments arguments_;
};

}  // namespace

const Maker make_kg = make_command<KgCommand>;

}  // namespace acevec
