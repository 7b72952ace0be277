#include "commands/word_arguments.h"

#include <algorithm>

#include "base/error.h"
#include "base/same_file.h"
#include "commands/shared_options.h"
#include "commands/vector_files.h"
#include "tasks/word/corpus_pairs.h"
#include "tasks/word/skip_gram.h"

namespace acevec {
namespace {

void declare_files(WordArguments& a, RunArguments& run, OptionTable& table) {
  table.group("File");
  table
      .input_files("train", a.train,
                   "the text, one file or several; packed files are unpacked, - is standard input")
      .common("the text, packed or not; - is standard input");
  table
      .output_file("output", run.settings.output,
                   "write the word vectors here; - is standard output")
      .vectors()
      .common("the word vectors; the ending decides the format");
  table.flag("binary", a.binary, "write word2vec binary (1) or text (0)")
      .default_later(
          "by the ending: .bin is binary, .npy, .tsv and .glove as in acevec convert, .txt, .vec "
          "or none text")
      .changeable();
  table.output_file("output-context", a.outputs.contexts, "also write the context vectors")
      .vectors()
      .need("-output");
  table
      .output_file("output-model", a.outputs.model,
                   "also write fastText's binary model, with the vectors of n-grams and contexts; "
                   "acevec, fastText and gensim read it")
      .need("-output");
  table.output_file("save-vocab", a.outputs.vocabulary, "write the words and their counts");
  table.input_file("read-vocab", a.read_vocab,
                   "read words and counts from here instead of counting");
  table
      .input_file("init", a.init,
                  "start from these word vectors, in any format that acevec convert reads; new "
                  "words of the text are added, and words that are not trained keep their vectors")
      .vectors()
      .need("-output");
  table.input_file("init-context", a.init_context, "start from these context vectors too")
      .vectors()
      .default_later("they start at 0")
      .need("-init");
}

void declare_text(WordArguments& a, OptionTable& table) {
  table.group("Text and vocabulary");
  declare_vocabulary(a.corpus.min_count, a.corpus.max_words, table);
  declare_format(a.format, a.tokens, table);
  table.real("sample", a.skip_gram.sample, {0, 1},
             "subsample words above this frequency; 0: never");
}

void declare_subwords(SubwordShape& subwords, OptionTable& table) {
  table
      .integer("minn", subwords.shortest, {1, kLongestNgram},
               "shortest n-gram of a word, in characters, with -maxn")
      .need("-maxn");
  table
      .integer("maxn", subwords.longest, {0, kLongestNgram},
               "longest n-gram; a word's vector is then the mean of its own and its n-grams', so "
               "unseen words have vectors too; 6 is usual, 0: no n-grams")
      .common("6: n-grams, vectors for unseen words (default: 0)");
  table
      .integer("bucket", subwords.buckets, {1, 2e9},
               "number of vectors that n-grams share by their hashes")
      .need("-maxn");
}

void declare_model(WordArguments& a, OptionTable& table) {
  SkipGramSettings& skip_gram = a.skip_gram;
  table.group("Training");
  table
      .choice<Preset>("preset", a.preset,
                      {{"paper", Preset::kPaper},
                       {"fast", Preset::kFast},
                       {"best", Preset::kBest},
                       {"items", Preset::kItems}},
                      "several options under one name; others may be added")
      .preset("paper",  // Bose, Ling and Cao 2018, section 5.1, as in eval/papers/ace.py
              "-max-vocab 150000 -window 10 -negative 6 -iter 1 -optimizer adam -min-alpha 0.001 "
              "-ace 1 -ace-lambda 0.8333 -ace-force 0 -ace-sampler learned -ace-beta 0.6")
      .preset("fast", "-iter 2")
      .preset("best", "", "-iter 8 or more")
      .preset("items",  // docs/experiments/sequences.md
              "-min-count 1 -sample 0 -window 10 -one-sided 1 -negative 10 -loss ranking -iter 12 "
              "-optimizer adagrad -alpha 0.15 -noise-power 0.5",
              ", and context vectors beside -output, for acevec next");
  table.integer("size", skip_gram.size, {1, 100000}, "dimensions; with -init those of the file")
      .common("dimensions (default: 100)");
  table
      .integer("window", skip_gram.window, {1, 1000},
               "largest distance between a word and its context")
      .common("largest distance of a context word (default: 5)");
  table.flag("one-sided", skip_gram.one_sided,
             "1: words predict only later ones, so that the context vectors say what comes next");
  declare_subwords(a.subwords, table);
  table.integer("negative", skip_gram.negatives, {1, 1000}, "negatives per positive pair")
      .common("negatives per positive pair (default: 5)");
  table.choice<LossKind>(
      "loss", skip_gram.loss,
      {{"ns", LossKind::kNegativeSampling},
       {"nce", LossKind::kNce},
       {"ranking", LossKind::kRanking}},
      "ns: negative sampling; nce: binary NCE, scores become log p(context | word); ranking: "
      "ranking NCE, each positive against all negatives of a block");
  declare_precision(a.precision, table);
}

void declare_steps(WordArguments& a, OptionTable& table) {
  table
      .choice<bool>("start", a.start, {{"counts", true}, {"random", false}},
                    "counts: initial vectors come from the counts of word pairs, which saves "
                    "epochs on a short text; random: as in word2vec")
      .default_later(
          "random; counts for fewer than 4 M tokens, except with -init, -maxn, -cbow 1, -one-sided "
          "1, or another -optimizer or -loss");
  table.integer("iter", a.iter, {1, 1000000}, "epochs")
      .default_later(
          "4; more for a short text, up to 8, or 20 with -start random; 5 with -init; 5 to 50 with "
          "-cbow 1, -maxn, another -optimizer or -loss")
      .changeable()
      .common("epochs (default: 4, more for a small text)");
  table.choice<OptimizerKind>("optimizer", a.skip_gram.optimizer,
                              {{"sgd", OptimizerKind::kSgd},
                               {"adam", OptimizerKind::kAdam},
                               {"adagrad", OptimizerKind::kAdagrad}},
                              "sgd: plain gradient steps; adam: steps of nearly equal size; "
                              "adagrad: shorter steps of frequent words");
  table.real("alpha", a.alpha, {1e-9, 10}, "learning rate at the start")
      .default_when("-optimizer adam", "0.001")
      .default_when("-optimizer adagrad", "0.05")
      .default_when("-cbow 1", "0.1")
      .default_when("-loss nce", "0.01")
      .default_when("-loss ranking or -init", "0.025")
      .default_when(
          "-maxn and -minn 1 or 2", [&a] { return a.pace() == nullptr; }, "0.025")
      .default_later(
          "0.05, 0.025 with -maxn; up to twice that for few tokens, less for many epochs")
      .changeable()
      .common("learning rate (default: 0.05, more for few tokens)");
  table.real("min-alpha", a.min_alpha, {0, 10}, "learning rate at the end")
      .default_when(
          "", [&a] { return a.alpha.has_value(); }, "alpha / 10000",
          [&a] { return *a.alpha / 10000; })
      .changeable();
  table
      .flag("cbow", a.skip_gram.cbow,
            "1: CBOW, which is faster; 0: skip-gram, whose vectors are somewhat better")
      .common("1: CBOW instead of skip-gram");
  table.flag("hs", a.hs, "must be 0: acevec has no hierarchical softmax").unrecorded();
}

void declare_adversary(WordArguments& a, OptionTable& table) {
  using Softmax = AdversarySettings::Softmax;
  AdversarySettings& adversary = a.adversary;
  table.group(kAceGroup);
  table
      .flag("ace", a.ace,
            "add adversarial negatives: better rare words after five or more epochs, for up to 1.3 "
            "times the training time")
      .common("1: adversarial negatives");
  const auto on = table.all_need("-ace 1");
  declare_lambda(adversary.lambda, table);
  table
      .real(
          "ace-force", a.force, {0, 100},
          "scale of adversarial gradients; 1: that of random negatives; 0: uncorrected and larger")
      // With little noise left, the other negatives would have to supply all of the push that
      // observed pairs are spared: training diverges.
      .default_when(
          "-ace-lambda below 0.5",
          [&a] {
            return a.ace && a.adversary.softmax == Softmax::kCandidates && a.adversary.lambda < 0.5;
          },
          "0")
      .otherwise("1")
      .need("-ace-softmax candidates");
  declare_sampler(adversary.sampler, table);
  table.choice<Softmax>("ace-softmax", adversary.softmax,
                        {{"candidates", Softmax::kCandidates}, {"full", Softmax::kFull}},
                        "candidates: choose from the negatives of the block; full: from all words");
  declare_beta(adversary.beta, table);
  table
      .integer("ace-filter", a.filter, {0, 1 << 20},
               "MiB for the filter of observed pairs; 0: no filter")
      .default_later("8 to 1024, depending on the text, at most a quarter of the memory");
  const auto learned = table.all_need("-ace-sampler learned");
  declare_estimator(adversary.policy, table);
  declare_entropy(adversary.policy, table);
}

void declare_heldout(WordArguments& a, RunArguments& run, OptionTable& table) {
  table.group(kRun);
  table
      .real(
          "heldout", a.corpus.heldout, {0, 0.5},
          "hold out this share of the lines, and compute the loss on them after each 5% of the run")
      .need("-output");
  declare_patience(run, table,
                   "stop after N evaluations without a lower loss, and write the vectors of the "
                   "lowest; 0: never")
      .need("-heldout");
}

void declare_exchange(ExchangeArguments& arguments, OptionTable& table) {
  table.group("Several processes (under mpirun)");
  const auto several =
      table.all_need("several processes (mpirun)", [] { return peers().count() > 1; });
  table
      .integer(
          "exchange-every", arguments.every, {1, kMaxCount},
          "tokens that each thread trains between two exchanges, at least a chunk of about 6000; a "
          "word's row is exchanged after it has occurred about N / 500 times in a process")
      .default_later("10000; 40000 with 4 processes; 80000 with 2");
  table
      .real("exchange-alpha", arguments.rate_times, {0.01, 1000},
            "learning rate of each process, as a multiple of -alpha")
      .default_later("1 + half the number of processes, 2 to 4");
}

// The text may raise the rate later.
void resolve_rate(const WordArguments& a, Rate& rate) {
  rate = {a.alpha.value_or(kPaceFromRandom.slow), a.min_alpha.value_or(0)};
  if (rate.end > rate.start) {
    throw UsageError(
        format("-min-alpha %g is above -alpha %g; the rate only falls", rate.end, rate.start));
  }
}

void resolve_subwords(WordArguments& a) {
  const SubwordShape& shape = a.subwords;
  if (shape.longest == 0) return;
  if (shape.shortest > shape.longest) {
    throw UsageError(format("-minn %ld is above -maxn %ld; words would have no n-grams",
                            static_cast<long>(shape.shortest), static_cast<long>(shape.longest)));
  }
  a.skip_gram.subwords = shape;
}

// The full softmax scores words by their own rows and supports negative sampling only.
void check_full_softmax(const WordArguments& a, const OptionTable& table) {
  if (a.adversary.softmax != AdversarySettings::Softmax::kFull) return;
  if (a.skip_gram.loss != LossKind::kNegativeSampling) {
    throw UsageError(
        format("-ace-softmax full works with -loss ns only, not %s; leave one of them out",
               table.find("loss")->value().c_str()));
  }
  if (a.skip_gram.subwords.any()) {
    throw UsageError("-ace-softmax full does not work with -maxn; leave one of them out");
  }
}

void resolve_adversary(WordArguments& a, const OptionTable& table) {
  check_full_softmax(a, table);
  if (!a.ace) return;
  AdversarySettings& adversary = a.adversary;
  const bool full = adversary.softmax == AdversarySettings::Softmax::kFull;
  adversary.force = a.force.value_or(1);
  if (full) adversary.every = 1024;  // a pass over all words costs as much as a thousand blocks
  // Without the option this is the minimum, until the text decides.
  adversary.filter_bytes = a.filter.value_or(kLeastFilter) << 20;
  a.skip_gram.adversary = adversary;
}

// Returns the format to write to `path`: that of its ending, or of -binary if that is given.
VectorFormat format_for(const std::optional<bool>& binary, const std::string& path) {
  if (!binary) return output_format(path, ", or give -binary");
  if (!is_word2vec(format_of_ending(path).value_or(VectorFormat::kText))) {
    throw UsageError(
        format("-binary chooses between word2vec's formats, and the ending of %s means another; "
               "leave it out, or give another ending",
               path.c_str()));
  }
  return *binary ? VectorFormat::kBinary : VectorFormat::kText;
}

void resolve_outputs(WordArguments& a, const std::string& output) {
  a.outputs.context_format = format_for(a.binary, a.outputs.contexts);
  a.outputs.format = format_for(a.binary, output);
  if (is_word2vec(a.outputs.format)) a.binary = a.outputs.format == VectorFormat::kBinary;
  a.only_vocabulary = output.empty();
}

void refuse_contradictions(const WordArguments& a, const RunArguments& run) {
  if (a.hs) {
    throw UsageError(
        "acevec trains with negative sampling only, not hierarchical softmax; leave out -hs 1");
  }
  require_given(!a.train.empty(), "no text; give one with -train FILE");
  require_given(!run.settings.output.empty() || !a.outputs.vocabulary.empty(),
                "no output; give -output FILE");
  if (a.start.value_or(false) &&
      (!a.init.empty() || a.subwords.longest > 0 || peers().count() > 1)) {
    throw UsageError(
        "-start counts does not go with -init, -maxn or several processes; leave it out");
  }
}

}  // namespace

std::string items_context_path(const WordArguments& arguments, const std::string& output) {
  const bool beside = arguments.preset == Preset::kItems && !output.empty() && output != "-" &&
                      !is_special_file(output);
  return beside ? context_path(output) : "";
}

ExchangeSettings exchange_settings(const ExchangeArguments& arguments, int processes, int threads) {
  // Fewer than 8 processes can go longer without an exchange: they diverge by what each learned
  // alone. Measured with 2, 4 and 8 (docs/experiments/cluster.md).
  const double patience = std::clamp(64.0 / processes / processes, 1.0, 8.0);
  ExchangeSettings settings;
  const int64_t every = arguments.every.value_or(static_cast<int64_t>(10000 * patience));
  settings.every = std::min(every, static_cast<int64_t>(kMaxCount) / threads) * threads;
  settings.changes = static_cast<double>(every) / 500;
  settings.times_in_epoch = processes > 2 ? 4 : 1;  // needed for the rare words of more processes
  // Combined changes are shortened; higher rates compensate, up to the rates with which a single
  // process still learns well (docs/experiments/cluster.md).
  settings.rate_times = arguments.rate_times.value_or(std::clamp(1 + processes / 2.0, 2.0, 4.0));
  return settings;
}

void declare_words(WordArguments& arguments, RunArguments& run, OptionTable& table) {
  declare_files(arguments, run, table);
  declare_text(arguments, table);
  declare_model(arguments, table);
  declare_steps(arguments, table);
  declare_noise(arguments.noise, table);
  declare_adversary(arguments, table);
  declare_heldout(arguments, run, table);
  declare_run(run, table, Parallel::kPieces);
  declare_exchange(arguments.exchanges, table);
}

void resolve_words(WordArguments& arguments, RunArguments& run, CommandLine& command) {
  OptionTable& table = command.table();
  if (arguments.outputs.contexts.empty()) {
    arguments.outputs.contexts = items_context_path(arguments, run.settings.output);
  }
  refuse_contradictions(arguments, run);
  table.refuse_idle();
  arguments.skip_gram.precision = resolve_precision(arguments.precision, table);
  resolve_run(run, command);
  resolve_outputs(arguments, run.settings.output);
  resolve_subwords(arguments);
  resolve_adversary(arguments, table);
  resolve_rate(arguments, run.settings.plan.rate);
  arguments.corpus.mode = *arguments.tokens;
  arguments.corpus.threads = arguments.skip_gram.threads = run.settings.plan.threads;
  arguments.corpus.seed = arguments.skip_gram.seed = run.settings.plan.seed;
  if (arguments.corpus.heldout > 0) run.settings.evaluate_every = kHeldoutEvery;
  run.settings.keep_best = run.settings.patience > 0;
}

}  // namespace acevec
