#include "kg/settings.h"

#include <filesystem>
#include <string_view>

#include "ace/ace_options.h"
#include "base/error.h"
#include "cli/run_record.h"
#include "kg/graph.h"
#include "train/run_options.h"
#include "vectors/format.h"

namespace acevec {
namespace {

constexpr std::string_view kFiles = "Files";
constexpr std::string_view kModel = "Model";
constexpr std::string_view kTraining = "Training";

constexpr Option kKgOptions[] = {
    input_file(kFiles, "train",
               "triples, one per line: head, tab, relation, tab, tail; or ids, as in train2id.txt: "
               "a count, then lines head tail relation; .gz is unpacked, - is standard input"),
    input_file(kFiles, "valid", "validation triples; the model with the best filtered MRR is kept"),
    input_file(kFiles, "test", "test triples, scored at the end"),
    output_file(kFiles, "output", "write the model here, for acevec kg predict"),
    output_file(
        kFiles, "output-entities",
        "write the entities' vectors; the ending decides the format: .bin word2vec's binary, .npy, "
        ".tsv and .glove as in acevec convert, .txt, .vec or none word2vec's text"),
    output_file(kFiles, "output-relations",
                "the same for the relations; with -reciprocal 1 their inverses follow"),

    choice(kModel, "score", "transd|transe|rotate|distmult|complex", "transd",
           "how a triple is scored"),
    integer(kModel, "size", "50", 1, 100000,
            "numbers in a vector, two for each complex one; with softmax 1000"),
    choice(kModel, "norm", "l1|l2", "l1", "norm of the distances of transd, transe and rotate"),
    flag(kModel, "reciprocal", "0",
         "add inverse relations: a relation's heads are the tails of its inverse; with softmax 1"),
    real(kModel, "longest", "3", 0, 1e9,
         "maximum norm of the vectors of entities and relations; 0: no limit; not with softmax"),

    choice(kTraining, "loss", "margin|ns|softmax", "margin",
           "margin: true triples are nearer than false ones; ns: true and false are classified; "
           "softmax: the true entity among all; with -score complex softmax"),
    real(kTraining, "margin", "9", 0, 1e9,
         "margin: how much larger the distance of a false triple should be; ns: the distance "
         "between true and false, with distmult and complex 0"),
    real(kTraining, "cubes", "0", 0, 1e9,
         "softmax with distmult and complex: weight of the N3 penalty, the sum of cubes; 0.07 "
         "unless given"),
    integer(kTraining, "batch", "1000", 1, 1e7,
            "true triples in a step; with softmax 500 questions, of up to 16 triples"),
    integer(kTraining, "negative", "1", 0, 1e9,
            "false triples per true one, with one side replaced by a random entity; with softmax "
            "2048: entities to compare with, drawn for each step; 0: all"),
    choice(kTraining, "corrupt", "uniform|bern", "uniform",
           "side that is replaced; uniform: either; bern: more often the one with fewer true "
           "entities"),
    flag(kTraining, "mask-noise", "1", "leave out negatives that are training triples"),
    choice(kTraining, "optimizer", "adam|adagrad|sgd", "adam",
           "how steps are computed from gradients; with softmax adagrad"),
    real(kTraining, "rate", "0.01", 1e-9, 1000, "learning rate; with softmax 0.4"),
    real(kTraining, "final-rate", "0.01", 0, 1, "learning rate at the end, as a share of -rate"),
    integer(kTraining, "iter", "150", 1, 1000000,
            "epochs, passes over the triples; with softmax 16"),

    flag(kAce, "ace", "0",
         "add adversarial negatives; with softmax: also compare with the answers of the step's "
         "other questions"),
    choice(kAce, "ace-sampler", "critic|learned|hardest|semi-hard", "critic",
           "critic: softmax of the distances; learned: a network for each side; hardest: the "
           "nearest candidates; semi-hard: the nearest that are further than the true one"),
    real(kAce, "ace-lambda", "0", 0, 1,
         "share of the random negatives; 0: adversarial negatives only"),
    integer(kAce, "ace-negative", "1", 1, 1000, "adversarial negatives per true triple"),
    integer(kAce, "ace-candidates", "64", 0, 1e9,
            "entities to choose from, drawn for each step, at most a tenth of all; 0: all"),
    real(kAce, "ace-in-batch", "0.5", 0, 1,
         "share of these from the step's own triples; the others are any entities"),
    choice(kAce, "ace-prior", "critic|none", "critic",
           "prior of the generator's logits; critic: the distances; none: no prior"),
    real(kAce, "ace-beta", "1", 0, 1e6, "weight of the distances in the sampler's logits"),
    integer(kAce, "ace-every", "1", 1, 1e9, "steps between two steps of the generator"),
    flag(kAce, "ace-mask", "1", "leave out candidates that are true"),
    choice(kAce, "ace-estimator", "exact|reinforce", "exact",
           "how the generator learns: from the expectation over all candidates, or from one draw"),
    choice(kAce, "ace-baseline", "self-critical|none", "self-critical",
           "what is subtracted from the generator's reward"),
    flag(kAce, "ace-off-policy", "0",
         "the generator also learns from random negatives, by importance weights"),
    real(kAce, "ace-entropy", "0", 0, 1e9,
         "entropy floor of the generator, as a number of choices; 0: none"),
    real(kAce, "ace-penalty", "1", 0, 1000, "cost of a true triple for the generator"),
    real(kAce, "ace-rate", "0.001", 0, 10, "the generator's learning rate"),
    real(kAce, "ace-decay", "0", 0, 100, "the generator's weight decay"),

    integer(kRun, "report-every", "20", 1, 1e9,
            "epochs between evaluations on -valid; with softmax 4"),
    patience_row("stop after N evaluations without a better one; 0: never"),
};

constexpr auto kTable = joined(kKgOptions, kRunOptions);

KgAdversarySettings read_adversary(const Options& options) {
  KgAdversarySettings settings;
  settings.negatives = options.integer("ace-negative");
  settings.noise_weight = options.real("ace-lambda");
  settings.sampler = read_sampler(options);
  const bool prior = settings.sampler != Sampler::kLearned || options.text("ace-prior") == "critic";
  settings.prior = prior ? static_cast<float>(options.real("ace-beta")) : 0;
  settings.candidates = options.integer("ace-candidates");
  settings.in_batch = options.real("ace-in-batch");
  settings.every = options.integer("ace-every");
  settings.mask = options.flag("ace-mask");
  settings.policy = read_policy(options);
  settings.policy.off_policy = options.flag("ace-off-policy");
  settings.optimizer.rate = static_cast<float>(options.real("ace-rate"));
  settings.optimizer.weight_decay = static_cast<float>(options.real("ace-decay"));
  return settings;
}

KgLossKind loss_of(const Options& options) {
  return chosen<KgLossKind>(options, "loss",
                            {{"margin", KgLossKind::kMargin},
                             {"ns", KgLossKind::kNs},
                             {"softmax", KgLossKind::kSoftmax}});
}

ScoreKind score_of(const Options& options) {
  for (const ScoreKind kind : kScoreKinds) {
    if (options.text("score") == name_of(kind)) return kind;
  }
  refuse_choice(options, "score");
}

}  // namespace

void assume_by_score(Options& options) {
  const auto assume = [&](std::string_view name, std::string_view value) {
    if (!options.given(name)) options.assume(name, value);
  };
  if (score_of(options) == ScoreKind::kComplEx) {
    assume("loss", "softmax");
  }
  const bool norm = has_norm(score_of(options));
  if (loss_of(options) == KgLossKind::kNs && !norm) assume("margin", "0");
  if (loss_of(options) != KgLossKind::kSoftmax) return;
  assume("size", "1000");
  assume("reciprocal", "1");
  assume("cubes", norm ? "0" : "0.07");
  assume("batch", "500");
  assume("negative", "2048");
  assume("optimizer", "adagrad");
  assume("rate", "0.4");
  assume("iter", "16");
  assume("report-every", "4");
}

KgSettings read_kg_settings(const Options& options) {
  KgSettings settings;
  settings.loss = loss_of(options);
  settings.margin = static_cast<float>(options.real("margin"));
  settings.longest = static_cast<float>(options.real("longest"));
  settings.batch = options.integer("batch");
  settings.negatives = options.integer("negative");
  settings.cubes = static_cast<float>(options.real("cubes"));
  settings.corruption = options.flag("reciprocal")
                            ? CorruptionKind::kTail
                            : chosen<CorruptionKind>(options, "corrupt",
                                                     {{"uniform", CorruptionKind::kUniform},
                                                      {"bern", CorruptionKind::kBernoulli}});
  settings.mask_noise = options.flag("mask-noise");
  settings.optimizer.kind = chosen<OptimizerKind>(options, "optimizer",
                                                  {{"adam", OptimizerKind::kAdam},
                                                   {"adagrad", OptimizerKind::kAdagrad},
                                                   {"sgd", OptimizerKind::kSgd}});
  // Adam's clock: see docs/experiments/order.md.
  settings.optimizer.beta1 = 0;
  settings.optimizer.by_time = true;
  settings.threads = threads_of(options);
  settings.seed = static_cast<uint64_t>(options.integer("seed"));
  settings.in_batch = options.flag("ace") && settings.loss == KgLossKind::kSoftmax;
  if (options.flag("ace") && !settings.in_batch) settings.adversary = read_adversary(options);
  return settings;
}

namespace {

RunSettings read_run(Options& options) {
  RunSettings settings = read_run_settings(kKgCommand, options);
  settings.plan.epochs = options.integer("iter");
  settings.plan.rate.start = options.real("rate");
  settings.plan.rate.end = options.real("rate") * options.real("final-rate");
  settings.keep_best = options.given("valid");
  settings.patience = options.integer("patience");
  return settings;
}

// Options of what is switched off would be silently ignored.
void refuse_idle_options(const Options& options) {
  const auto refuse = [&](std::string_view name, bool idle, const char* needed) {
    if (idle) refuse_idle(options, name, needed);
  };
  const bool softmax = loss_of(options) == KgLossKind::kSoftmax;
  for (const Option& option : kTable) {
    if (option.group != kAce || option.name == "ace") continue;
    refuse(option.name, !options.flag("ace"), "-ace 1");
    refuse(option.name, softmax, "-loss margin or ns");
  }
  for (const char* name :
       {"ace-prior", "ace-every", "ace-estimator", "ace-baseline", "ace-off-policy", "ace-entropy",
        "ace-penalty", "ace-rate", "ace-decay"}) {
    refuse(name, options.text("ace-sampler") != "learned", "-ace-sampler learned");
  }
  refuse("ace-beta", mining_of(read_sampler(options)).has_value(),
         "-ace-sampler critic or learned");
  refuse("ace-in-batch", options.integer("ace-candidates") == 0, "-ace-candidates above 0");
  refuse("ace-beta", options.text("ace-prior") == "none", "-ace-prior critic");
  refuse("ace-baseline",
         options.text("ace-estimator") != "reinforce" && !options.flag("ace-off-policy"),
         "-ace-estimator reinforce");
  refuse("ace-penalty", !options.flag("ace-mask"), "-ace-mask 1");
  const bool no_noise = options.flag("ace") && !softmax && options.real("ace-lambda") == 0;
  for (const char* name : {"negative", "mask-noise"}) {
    refuse(name, no_noise, "-ace-lambda above 0");
  }
  refuse("norm", !has_norm(score_of(options)), "-score transd, transe or rotate");
  for (const char* name : {"margin", "longest", "mask-noise"}) {
    refuse(name, softmax, "-loss margin or ns");
  }
  refuse("corrupt", softmax, "-loss margin or ns");
  refuse("corrupt", options.flag("reciprocal"), "-reciprocal 0");
  refuse("cubes", !softmax, "-loss softmax");
  refuse("cubes", has_norm(score_of(options)), "-score distmult or complex");
  refuse("patience", !options.given("valid"), "-valid");
}

// What each option allows alone, and not together.
void refuse_contradictions(const Options& options) {
  const KgLossKind loss = loss_of(options);
  if (options.flag("ace") && loss == KgLossKind::kSoftmax && options.integer("negative") == 0) {
    throw UsageError(
        "-negative 0 weighs all entities by how hard they are, and an adversary has nothing to "
        "add; give 1 or more with -ace 1, or -ace 0");
  }
  if (options.integer("negative") == 0 && loss != KgLossKind::kSoftmax) {
    throw UsageError("-negative 0 leaves nothing to learn from; give 1 or more, or -loss softmax");
  }
  if (options.integer("negative") > 1000 && loss != KgLossKind::kSoftmax) {
    throw UsageError("option -negative is too large; give 1000 or less, or -loss softmax");
  }
  if (options.real("margin") == 0 && loss == KgLossKind::kMargin) {
    throw UsageError(
        "-margin 0 does not separate true triples from false ones; give one above 0, or -loss ns");
  }
  if (is_complex(score_of(options)) && options.integer("size") % 2 != 0) {
    throw UsageError(
        format("-size %ld is odd; -score %s has two numbers for each complex one, so give an even "
               "one",
               static_cast<long>(options.integer("size")), options.text("score").c_str()));
  }
}

std::vector<RunFile> files_beside(const Options& options) {
  std::vector<RunFile> files;
  add_record(options, files);
  for (const std::string& path : name_lists(options.text("train"))) {
    if (std::filesystem::exists(path)) files.push_back({"the names of -train", path, false, true});
  }
  for (const char* name : {"output-entities", "output-relations"}) {
    const std::string& output = options.text(name);
    add_words_file(std::string("-") + name, output, format_of_ending(output), true, files);
  }
  return files;
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

const Command kKgCommand{
    "kg",
    "acevec kg -train FILE -output FILE [OPTION VALUE ...]",
    "Learns embeddings of the entities and relations of a knowledge graph from its triples, "
    "and\nscores link prediction. acevec kg predict completes triples.\n",
    "",
    kTable,
    {},
    files_beside};

bool has_kg_effect(const Option& option, const Options& options) {
  if (option.group == kAce && option.name != "ace") {
    return options.flag("ace") && loss_of(options) != KgLossKind::kSoftmax;
  }
  return has_effect_in_run(option.name, options);
}

KgJob read_kg_job(Options& options) {
  KgJob job;
  job.train = options.text("train");
  job.valid = options.text("valid");
  job.test = options.text("test");
  job.output_entities = options.text("output-entities");
  job.output_relations = options.text("output-relations");
  if (job.train.empty()) throw UsageError("no triples; give some with -train FILE (see --help)");
  if (options.text("output").empty()) {
    throw UsageError("no output; give -output FILE (see --help)");
  }
  refuse_ending_of_vectors(options.text("output"));
  assume_by_score(options);
  refuse_idle_options(options);
  refuse_contradictions(options);
  job.run = read_run(options);
  job.record = free_record_path(options);
  job.score = score_of(options);
  job.reciprocal = options.flag("reciprocal");
  job.norm = chosen<Norm>(options, "norm", {{"l1", Norm::kL1}, {"l2", Norm::kL2}});
  job.size = options.integer("size");
  job.report_every = options.integer("report-every");
  job.training = read_kg_settings(options);
  job.command = repeating_command(
      kKgCommand, options, [&](const Option& option) { return has_kg_effect(option, options); });
  return job;
}

}  // namespace acevec
