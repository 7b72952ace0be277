// acevec sentence: trains a sentence model on a text, or builds one from word vectors.

#include <algorithm>
#include <optional>
#include <string>

#include "base/error.h"
#include "cli/command_line.h"
#include "cli/run_record.h"
#include "commands/commands.h"
#include "commands/shared_options.h"
#include "commands/training_command.h"
#include "tasks/sentence/corpus.h"
#include "tasks/sentence/job.h"

namespace acevec {
namespace {

struct SentenceArguments : SentenceJobSettings {
  // To train; none: a mean of given vectors. From pairs and labels a bag is trained all the same.
  std::optional<EncoderKind> encoder;
  std::optional<TokenMode> tokens;
  bool ace = false;
  SentenceAdversarySettings adversary;

  // A model learns from text pairs, from labelled texts, from neighbours, or not at all.
  bool learns_labels() const { return !labels.empty(); }
  bool learns_pairs() const { return !pairs.empty() || learns_labels(); }
  bool learns_neighbours() const { return !learns_pairs() && encoder.has_value(); }
  bool trains() const { return learns_pairs() || learns_neighbours(); }
};

constexpr const char* kTrained = "-encoder bag or gru, -pairs or -labels";
constexpr const char* kNeighbours = "-train with -encoder bag or gru";

void declare_files(SentenceArguments& a, RunArguments& run, OptionTable& table) {
  table.group("File");
  table
      .input_file("train", a.train,
                  "sentences, one per line, an empty line between documents; packed files are "
                  "unpacked, - is standard input; with -encoder mean its words are counted")
      .common("sentences, an empty line between documents");
  table
      .input_files("pairs", a.pairs,
                   "learn from these instead: pairs of texts that belong together, one per line, "
                   "with a tab between, such as questions and answers")
      .common("pairs of texts: questions and answers");
  table
      .input_files("labels", a.labels,
                   "learn to label texts from these instead: texts with labels, one per line, "
                   "where __label__NAME is a label, as for fasttext supervised")
      .common("texts with labels, __label__NAME TEXT");
  table.output_file("output", run.settings.output, "write the model here").common("the model");
  table
      .input_file(
          "init", a.init,
          "word vectors: mean averages them; -pairs, -labels, bag and gru start from them, "
          "and with bag and gru their size must be -size; if their record has -tokens words, "
          "so has the model")
      .changeable(false)
      .common("word vectors, for -encoder mean and as a start");
  table
      .input_file("read-vocab", a.read_vocab,
                  "read words and counts from here instead of counting -train; with -pairs or "
                  "-labels, instead of assuming that the words of -init are sorted by frequency")
      .need("-encoder mean, or -init beside -pairs or -labels",
            [&a] { return a.learns_pairs() ? !a.init.empty() : !a.encoder; });
}

void declare_text(SentenceArguments& a, OptionTable& table) {
  table.group("Text and vocabulary");
  table
      .choice<bool>(
          "split", a.text.split, {{"lines", false}, {"sentences", true}},
          "lines: a line is a sentence; sentences: a line is a paragraph, split by Unicode's rules")
      .need(kNeighbours, [&a] { return a.learns_neighbours(); })
      .common("sentences: a line is a paragraph (default: lines)");
  declare_format(a.text.format, a.tokens, table);
  table.find("format")->need("-train", [&a] { return !a.learns_pairs(); });
  table.find("tokens")->default_when("-pairs or -labels", "words");
  const auto trained = table.all_need(kNeighbours, [&a] { return a.learns_neighbours(); });
  declare_vocabulary(a.text.min_count, a.text.max_words, table);
}

void declare_encoder(SentenceArguments& a, OptionTable& table) {
  table.group("Encoder");
  table
      .choice<std::optional<EncoderKind>>(
          "encoder", a.encoder,
          {{"mean", std::nullopt}, {"bag", EncoderKind::kBag}, {"gru", EncoderKind::kGru}},
          "mean: a weighted mean of the vectors of -init, without training; bag: a weighted mean "
          "of rows that are learned; gru: the last state of a gated recurrent unit, which depends "
          "on the order of words")
      .need("-train", [&a] { return !a.learns_pairs(); })
      .common("mean: untrained; bag, gru: learned (default: mean)");
  table
      .choice<bool>(
          "for", a.search, {{"search", true}, {"features", false}},
          "search: whitened vectors, for cosines and for most classifiers; features: not "
          "whitened, for classifiers that need frequent words, such as question classifiers")
      .need("-encoder mean", [&a] { return !a.trains(); })
      .common("with -encoder mean; search also suits classifiers");
  table
      .integer("size", a.shape.size, {1, 50000},
               "dimensions of one network; a sentence's vector has those of both; with -pairs and "
               "-labels there is one network, whose dimensions -init and -lexical-size decide")
      .default_when("-pairs", "1000")
      .need("-encoder bag or gru, or -pairs or -labels without -init",
            [&a] { return a.learns_neighbours() || (a.learns_pairs() && a.init.empty()); })
      .common("dimensions of one network (default: 100)");
}

void declare_pairs(SentenceArguments& a, OptionTable& table) {
  SentenceSettings& training = a.training;
  table
      .real("scale", training.scale, {0.1, 40},
            "cosines are multiplied by this in the softmax over a step's texts")
      .need("-pairs");
  table
      .integer("hard", training.hard, {0, 50},
               "from the second epoch on, every fourth pair of a step also adds a hard negative, "
               "drawn from the N texts nearest to its first side; 0: none, in half the time")
      .need("-pairs");
  table
      .integer("lexical-size", a.lexical_size, {0, 10000},
               "random dimensions after those of -init, by which a question finds texts that have "
               "its words; 0: none, in two thirds of the time")
      .need("-pairs with -init", [&a] { return !a.pairs.empty() && !a.init.empty(); });
  const auto trained = table.all_need("-pairs or -labels");
  table
      .real("anchor", training.anchor, {0, 1000},
            "weight of the pull of updated rows back to their initial values, per step and "
            "relative to the rate, so that the model keeps what -init knows; 0: none")
      .default_when(
          "-labels without -init", [&a] { return a.learns_labels() && a.init.empty(); }, "1.5");
}

void declare_targets(SentenceArguments& a, OptionTable& table) {
  SentenceSettings& training = a.training;
  const auto neighbours = table.all_need(kNeighbours, [&a] { return a.learns_neighbours(); });
  table
      .integer("context", training.context, {1, 1000},
               "number of sentences before and after that are targets")
      .common("neighbours on each side (default: 1)");
  table.integer("block", training.block, {0, 1000},
                "compare the mean of N neighbours with that of N other candidates (CURL); 0: "
                "softmax over all candidates");
}

void declare_adversary(SentenceArguments& a, OptionTable& table) {
  SentenceAdversarySettings& adversary = a.adversary;
  const auto ranked = table.all_need("-pairs or -encoder bag or gru");
  table.group(kAceGroup);
  table.flag("ace", a.ace, "add an adversary that gives hard candidates more weight")
      .default_when("-pairs", "1")
      .common("1: hard candidates count more");
  const auto on = table.all_need("-ace 1");
  declare_lambda(adversary.lambda, table);
  declare_beta(adversary.beta, table);
}

void declare_evaluation(SentenceArguments& a, RunArguments& run, OptionTable& table) {
  table.group(kRun);
  table.real("heldout", a.training.heldout, {0, 0.99},
             "hold out this share of the documents, pairs or labelled texts, and evaluate on them "
             "(loss, MRR@10 or accuracy) after each 5% of the run");
  declare_patience(
      run, table, "stop after N evaluations without improvement, and keep the best model; 0: never")
      .need("-heldout X");
}

void declare_training(SentenceArguments& a, RunArguments& run, OptionTable& table) {
  TaskRunner::Plan& plan = run.settings.plan;
  plan.rate = {0.005, 0};
  plan.epochs = 5;
  table.group("Training");
  declare_pairs(a, table);
  declare_targets(a, table);
  const auto trained = table.all_need(kTrained);
  table
      .integer("batch", a.training.batch, {8, 10000},
               "sentences in a step, each other's candidates, in passages of up to 8 that follow "
               "each other; with -pairs the pairs in a step, with -labels the texts")
      .default_when("-pairs", "1024")
      .default_when("-labels", nullptr, "texts / 32, 8 to 256",
                    [] { return 256; });  // until choose_steps()
  table
      .real("rate", plan.rate.start, {1e-9, 10}, "Adam's learning rate at the start; it falls to 0")
      .default_when("-encoder gru", "0.001")
      .default_when("-pairs", "0.01")
      .default_when(
          "-labels", nullptr,
          "the lesser of 0.1 and labels^(1/3) max(1, steps of an epoch / 32)^(1/2) / steps, "
          "without -init times 1 to 2 for long texts and rare labels",
          [] { return 0.005; })  // until choose_steps()
      .changeable();
  table.integer("iter", plan.epochs, {1, 1000000}, "epochs")
      .changeable()
      .common("epochs (default: 5)");
  declare_adversary(a, table);
  declare_evaluation(a, run, table);
}

void require_input(const SentenceArguments& a) {
  if (a.learns_pairs()) {
    if (a.train.empty() && (a.pairs.empty() || a.labels.empty())) return;
    throw UsageError(format("%s and %s are two inputs to learn from; give one of them",
                            a.train.empty() ? "-pairs" : "-train",
                            a.labels.empty() ? "-pairs" : "-labels"));
  }
  require_given(!a.train.empty(), "no text; give some with -train FILE");
}

void require_vectors_and_counts(const SentenceArguments& a) {
  require_given(!a.train.empty() || !a.init.empty() || !a.read_vocab.empty(),
                "nothing to learn from; give -train, -pairs or -labels FILE");
  if (a.init.empty())
    throw UsageError(
        "no word vectors; give some with -init FILE, or learn from the text alone with -encoder "
        "bag");
  if (a.train.empty() == a.read_vocab.empty()) {
    throw UsageError(
        "the words' counts come from a text or a vocabulary; give either -train FILE or "
        "-read-vocab FILE");
  }
}

constexpr CommandText kSentence{
    "sentence", "acevec sentence -train|-pairs|-labels FILE -output FILE [OPTION VALUE ...]",
    "Makes a model of sentences from word vectors or by training. acevec sentence encode, nn and\n"
    "similarity use it.\n",
    "other embeddings"};

class SentenceCommand final : public TrainingCommand {
 public:
  SentenceCommand() : TrainingCommand(kSentence) {
    declare_files(arguments_, run_arguments_, table());
    declare_text(arguments_, table());
    declare_encoder(arguments_, table());
    declare_training(arguments_, run_arguments_, table());
    declare_run(run_arguments_, table(), Parallel::kStep);
    for (const char* const name : {"seed", "log", "save-every", "checkpoint"}) {
      table().find(name)->need(kTrained);
    }
  }

  void resolve() override {
    RunSettings& run = run_arguments_.settings;
    arguments_.trains() ? require_input(arguments_) : require_vectors_and_counts(arguments_);
    require_given(!run.output.empty(), "no output; give -output FILE");
    table().refuse_idle();
    SentenceSettings& training = arguments_.training;
    if (arguments_.encoder) arguments_.shape.encoder = *arguments_.encoder;
    read_as_vectors();
    arguments_.shape.mode = arguments_.text.mode = *arguments_.tokens;
    resolve_run(run_arguments_, *this);
    if (training.heldout > 0) run.evaluate_every = kHeldoutEvery;
    run.keep_best = run.patience > 0;
    training.threads = run.plan.threads;
    training.seed = run.plan.seed;
    if (arguments_.ace) training.adversary = arguments_.adversary;
  }

 protected:
  void train(std::optional<CheckpointReader>& checkpoint) override {
    if (!arguments_.trains()) {
      return make_mean_model(arguments_, run_arguments_.settings,
                             [&] { return run_record(*this, run_arguments_.command); });
    }
    if (arguments_.learns_pairs()) {
      const auto choose = [this](const PairText& text, Progress& progress) {
        if (arguments_.learns_labels()) choose_steps(text, progress);
      };
      return train_job(*make_pair_job(arguments_, run_arguments_.settings, choose), checkpoint);
    }
    train_job(*make_sentence_job(arguments_, run_arguments_.settings), checkpoint);
  }

 private:
  // Reads texts as that of the word vectors was read, if their record tells and -tokens does not.
  void read_as_vectors() {
    std::optional<TokenMode>& tokens = arguments_.tokens;
    if (table().given(&tokens) || arguments_.init.empty()) return;
    const Json record = Json::read(record_path(arguments_.init));
    if (record.text_at("/settings/tokens") != "words") return;
    tokens = TokenMode::kWords;
    table().row_of(&tokens).given = true;
  }

  // Chooses the batch and the rate by the number of texts and labels where they are not given.
  // Checkpoints record them.
  void choose_steps(const PairText& text, Progress& progress) {
    int64_t& batch = arguments_.training.batch;
    TaskRunner::Plan& plan = run_arguments_.settings.plan;
    const int64_t texts = arguments_.training.expected_trained(text.pairs());
    std::string chosen;
    if (!table().given(&batch)) {
      batch = default_label_batch(texts);
      chosen += decide(&batch);
    }
    if (!table().given(&plan.rate.start)) {
      const double factor = arguments_.init.empty()
                                ? label_rate_factor(text.texts_of_labels(), text.mean_tokens())
                                : 1;
      plan.rate.start = default_label_rate(std::ssize(text.labels()), plan.epochs,
                                           std::max<int64_t>(1, texts / batch), factor);
      decide(&plan.rate.start);
      chosen += format("  -rate %g", plan.rate.start);
    }
    if (!chosen.empty()) {
      progress.note(chosen + " (default for " + counted(texts, "text") + " with " +
                    counted(std::ssize(text.labels()), "label") + ")");
    }
    run_arguments_.command = repeating_command(*this);
  }

  SentenceArguments arguments_;
};

}  // namespace

const Maker make_sentence = make_command<SentenceCommand>;

}  // namespace acevec
