// The main job: word vectors from text.

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "cli/run_record.h"
#include "cluster/checkpoint_parts.h"
#include "cluster/collectives.h"
#include "cluster/row_exchange.h"
#include "cluster/shared_corpus.h"
#include "cluster/text_share.h"
#include "commands/commands.h"
#include "commands/training_command.h"
#include "commands/vector_files.h"
#include "commands/word_arguments.h"
#include "commands/word_report.h"
#include "math/aligned.h"
#include "noise/noise.h"
#include "tasks/word/corpus_pairs.h"
#include "tasks/word/epochs.h"
#include "tasks/word/initial.h"
#include "tasks/word/outputs.h"
#include "tasks/word/task.h"
#include "tasks/word/training_memory.h"
#include "text/corpus.h"
#include "text/read_text.h"
#include "train/run.h"
#include "train/run_report.h"

namespace acevec {
namespace {

void require_words(const Corpus& corpus, const WordArguments& a) {
  if (corpus.report().tokens == 0) {
    throw Error("the text holds no tokens; check what -train reads");
  }
  if (corpus.vocabulary().size() == 0) {
    throw Error(format("no word is seen %s or more; lower -min-count",
                       counted(a.text.min_count, "time").c_str()));
  }
  if (corpus.kept_tokens() == 0 && corpus.heldout_tokens() > 0) {
    throw Error("no line is left to train on; lower -heldout");
  }
  if (a.heldout > 0 && corpus.heldout_tokens() == 0) {
    throw Error("no line of the text is held out; raise -heldout");
  }
  if (corpus.kept_tokens() == 0) {
    throw Error("no token of the text is in the vocabulary; check -read-vocab");
  }
  if (corpus.vocabulary().count(corpus.vocabulary().size() - 1) <= 0) {
    throw Error("the vocabulary has words with count 0; raise -min-count");
  }
}

// Vectors are learned by telling words apart.
void require_different_words(const Corpus& corpus) {
  if (corpus.vocabulary().size() > 1) return;
  throw Error(
      "only one word is left to train on; give more text, lower -min-count, or raise -max-vocab");
}

uint64_t hash_of(const Vocabulary& vocabulary) {
  uint64_t hash = 0;
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    const std::string& word = vocabulary.word(id);
    hash = XXH3_64bits_withSeed(word.data(), word.size(), hash);
    const int64_t count = vocabulary.count(id);
    hash = XXH3_64bits_withSeed(&count, sizeof count, hash);
  }
  return hash;
}

// Of the vectors that are not trained, which the output will hold too.
uint64_t hash_of(const std::optional<WordVectors>& vectors) {
  uint64_t hash = 0;
  if (!vectors) return hash;
  for (const std::string& word : vectors->words) {
    hash = XXH3_64bits_withSeed(word.data(), word.size(), hash + 1);
  }
  const Matrix& rows = vectors->vectors;
  return XXH3_64bits_withSeed(rows.row(0), static_cast<size_t>(rows.bytes()), hash);
}

// What tells whether a run is resumed with the same text, vocabulary and start.
std::vector<Identity> identities_of(const Corpus& corpus, const InitialVectors& initial) {
  const std::string text = format("%s in %s", counted(corpus.report().tokens, "token").c_str(),
                                  counted(corpus.report().lines, "line").c_str());
  return {{"the text has changed", text, corpus.fingerprint()},
          {"the vocabulary of -read-vocab has changed", "", hash_of(corpus.vocabulary())},
          {"the vectors of -init have changed", "",
           hash_of(initial.words) + hash_of(initial.contexts)}};
}

// The n-grams of the vocabulary's words, where words are composed of them.
std::optional<SubwordIndex> find_subwords(const Corpus& corpus, const SubwordShape& shape,
                                          Progress& progress) {
  if (!shape.any()) return std::nullopt;
  std::optional<SubwordIndex> subwords(std::in_place, corpus.vocabulary(), shape);
  progress.note(format("words have n-grams in %s of %s",
                       grouped(subwords->rows() - subwords->words()).c_str(),
                       counted(shape.buckets, "bucket").c_str()));
  return subwords;
}

// The start of training; what `initial` then still holds is not trained.
SkipGramModel first_model(const Corpus& corpus, const WordArguments& a,
                          std::optional<SubwordIndex> subwords, InitialVectors& initial,
                          Progress& progress) {
  const SkipGramSettings& skip_gram = a.skip_gram;
  SkipGramModel model(corpus.vocabulary().size(), skip_gram.size, skip_gram.optimizer,
                      skip_gram.seed, std::move(subwords));
  if (!initial.words) return model;
  const auto moved = static_cast<int64_t>(start_from(initial, corpus.vocabulary(), model).size());
  progress.note(format("initialised %s from %s, and %s at random; %s of its words are not trained",
                       counted(moved, "word").c_str(), a.init.c_str(),
                       grouped(corpus.vocabulary().size() - moved).c_str(),
                       grouped(static_cast<int64_t>(initial.words->words.size())).c_str()));
  if (moved == 0) {
    progress.note(
        "note: the file has no word of the text; do both have the same language and case?");
  }
  return model;
}

// What a process that is not the first leaves to it.
void be_silent(RunSettings& run) {
  run.debug = 0;
  run.log.clear();
  run.save_every.reset();
}

// Several processes keep a copy of what they share, and send up to half of it at once.
MemoryPlan memory_plan(const Corpus& corpus, const SkipGramSettings& skip_gram,
                       const std::optional<SubwordIndex>& subwords, const RunSettings& run,
                       const Peers& all) {
  const int64_t words = corpus.vocabulary().size();
  const int64_t subword_rows = subwords ? subwords->rows() - words : 0;
  MemoryPlan plan =
      word_memory(words, skip_gram, subword_rows, run.keep_best, run.evaluate_every.has_value());
  if (all.count() == 1) return plan;
  const int64_t matrices =
      (2 * words + subword_rows) * padded(skip_gram.size) * static_cast<int64_t>(sizeof(float));
  plan.parts.push_back({"exchange", 2 * matrices});
  return plan;
}

// Each of several processes takes longer steps, which become shorter when they are combined.
void scale_rate(double times, Rate& rate, const Peers& all, Progress& progress) {
  if (all.count() == 1) return;
  rate.start *= times;
  rate.end *= times;
  if (times != 1) progress.note(format("  each process trains with %g times -alpha", times));
}

// The exchange with other processes, where there are any.
std::unique_ptr<RowExchange> make_exchange(const Corpus& corpus, const ExchangeSettings& settings,
                                           int64_t epochs, SkipGramTask& task, Peers& all) {
  if (all.count() == 1) return nullptr;
  unite(all, task.filter_words());
  const Vocabulary& vocabulary = corpus.vocabulary();
  std::vector<double> frequencies;
  for (const int64_t count : vocabulary.counts()) {
    frequencies.push_back(static_cast<double>(count) / static_cast<double>(vocabulary.total()));
  }
  return std::make_unique<RowExchange>(
      RowExchange::Parts{all, settings, task.parameters(), std::move(frequencies),
                         epochs * task.units(), epochs * task.pieces(), epochs});
}

constexpr CommandText kTrain{
    "", "acevec -train FILE -output FILE [OPTION VALUE ...]",
    "Learns word vectors from text: skip-gram or CBOW with negative sampling.\n"
    "Options are word2vec's, with one dash or two.\n"};

class TrainCommand final : public TrainingCommand {
 public:
  TrainCommand() : TrainingCommand(kTrain) { declare_words(arguments_, run_arguments, table()); }
  std::vector<RunFile> more_files() const override;

 protected:
  std::unique_ptr<TrainingCommand> fresh() const override {
    return std::make_unique<TrainCommand>();
  }
  std::string part_to_read(const std::string& resumed) const override {
    return part_to_resume(resumed, peers());
  }
  void train(std::optional<CheckpointReader>& checkpoint) override;

 private:
  OutputPaths output_paths() const;
  InitialVectors read_init();
  Corpus read(Progress& progress);
  void report_settings(Progress& progress) const;
  void choose_epochs(const Corpus& corpus, Progress& progress);
  void choose_filter(const Corpus& corpus, Progress& progress);
  void learn(const Corpus& corpus, InitialVectors& initial, Outputs& outputs, RunFiles& files,
             std::optional<CheckpointReader>& checkpoint, Progress& progress);
  void write(const Corpus& corpus, const Run& run, const InitialVectors& initial,
             const SkipGramModel& model, Outputs& outputs) const;

  WordArguments arguments_;
  Peers& all_ = peers();
};

// The record of the run, and files of words.
std::vector<RunFile> TrainCommand::more_files() const {
  std::vector<RunFile> files;
  add_record(run_arguments, files);
  const auto add = [&](const char* name, const std::string& path, bool written) {
    add_words_file(name, path, format_of_ending(path), written, files);
  };
  add("-output", run_arguments.settings.output, true);
  add("-output-context", arguments_.output_context, true);
  add("-init", arguments_.init, false);
  add("-init-context", arguments_.init_context, false);
  return files;
}

// Of several processes the first one writes.
OutputPaths TrainCommand::output_paths() const {
  if (!is_first(all_)) return {};
  const WordArguments& a = arguments_;
  return {run_arguments.settings.output, a.output_context, a.output_model,  a.save_vocab,
          run_arguments.record,          a.format,         a.context_format};
}

// The vectors to start from, which say the size where -size does not.
InitialVectors TrainCommand::read_init() {
  int64_t& size = arguments_.skip_gram.size;
  InitialVectors initial = read_initial_vectors(arguments_.init, arguments_.init_context,
                                                table().given(&size) ? size : 0);
  if (initial.words) size = initial.words->vectors.columns();
  return initial;
}

void TrainCommand::report_settings(Progress& progress) const {
  progress.note(settings_table(*this));
  if (!arguments_.preset) return;
  progress.note("preset " + table().find("preset")->value() + " stands for " +
                arguments_.preset_flags);
}

Corpus TrainCommand::read(Progress& progress) {
  const WordArguments& a = arguments_;
  Source source(share_of_text(a.train, a.text.format, all_), a.text.format);
  std::vector<WordCount> given_vocabulary;
  if (!a.read_vocab.empty()) given_vocabulary = read_vocabulary(a.read_vocab);
  report_settings(progress);
  const Stopwatch watch;
  const CorpusSettings settings{
      *a.text.tokens,      a.text.min_count,
      a.text.max_vocab,    std::move(given_vocabulary),
      a.skip_gram.threads, a.heldout,
      a.skip_gram.seed,    counting_memory(run_arguments.settings.max_memory)};
  Corpus corpus = read_shared_corpus(source, settings, progress, all_);
  report_corpus(corpus, watch.seconds(), progress);
  if (run_arguments.settings.debug >= 2) report_counting(corpus, settings.counting_bytes, progress);
  require_words(corpus, a);
  return corpus;
}

// Epochs by the length of the text and the preset, where no -iter is given. Vectors that know
// something already need no more of them for a small text. Checkpoints hold them, whatever would
// decide later.
void TrainCommand::choose_epochs(const Corpus& corpus, Progress& progress) {
  std::optional<int64_t>& iter = arguments_.iter;
  if (!iter) {
    const int64_t tokens = corpus.report().tokens;
    const bool is_new = arguments_.init.empty();
    const int64_t usual = is_new ? default_epochs(tokens) : kUsualEpochs;
    iter = std::max(usual, arguments_.least_epochs);
    decide(&iter);
    const std::string reason = *iter > usual ? "-preset " + table().find("preset")->value()
                               : is_new      ? "default for " + counted(tokens, "token")
                                             : "default for -init";
    progress.note(format("  -iter %ld (%s)", static_cast<long>(*iter), reason.c_str()));
  }
  run_arguments.settings.plan.epochs = *iter;
}

// The size of the adversary's filter by the text and the memory, where no -ace-filter is given.
// Checkpoints hold it, whatever memory there is later.
void TrainCommand::choose_filter(const Corpus& corpus, Progress& progress) {
  std::optional<AdversarySettings>& adversary = arguments_.skip_gram.adversary;
  std::optional<int64_t>& filter = arguments_.filter;
  if (!adversary || filter) return;
  const int64_t limit = run_arguments.settings.max_memory;
  const std::vector<double> partners =
      expected_partners(PairStatistics(corpus, arguments_.skip_gram.window));
  const double pairs = std::accumulate(partners.begin(), partners.end(), 0.0);
  filter = first_of(
      all_, filter_mebibytes(pairs, limit > 0 ? limit - resident_bytes() : available_bytes()));
  decide(&filter);
  adversary->filter_bytes = *filter << 20;
  progress.note(format("  -ace-filter %ld (default for about %s)", static_cast<long>(*filter),
                       counted(static_cast<int64_t>(pairs), "pair").c_str()));
}

void TrainCommand::train(std::optional<CheckpointReader>& checkpoint) {
  resolve_words(arguments_, run_arguments, *this);
  require_one_job(run_arguments.settings.arguments, all_);
  run_arguments.settings.checkpoint_suffix = part_suffix(all_);
  if (!is_first(all_)) be_silent(run_arguments.settings);
  InitialVectors initial = read_init();
  const TaskDescription description = describe_skip_gram();
  Outputs outputs(output_paths());
  outputs.require_writable(initial);
  RunFiles files(run_arguments.settings, description, checkpoint ? checkpoint->path() : "");
  Progress progress(run_arguments.settings.debug == 0);
  const Corpus corpus = read(progress);
  if (outputs.vocabulary) {
    write_vocabulary(corpus.vocabulary(), *outputs.vocabulary);
    outputs.vocabulary->commit();
  }
  if (run_arguments.settings.output.empty()) return;
  learn(corpus, initial, outputs, files, checkpoint, progress);
}

void TrainCommand::learn(const Corpus& corpus, InitialVectors& initial, Outputs& outputs,
                         RunFiles& files, std::optional<CheckpointReader>& checkpoint,
                         Progress& progress) {
  const SkipGramSettings& skip_gram = arguments_.skip_gram;
  TaskRunner::Plan& plan = run_arguments.settings.plan;
  const ExchangeSettings exchange_with =
      exchange_settings(arguments_.exchange, all_.count(), plan.threads);
  require_different_words(corpus);
  choose_epochs(corpus, progress);
  choose_filter(corpus, progress);
  scale_rate(exchange_with.rate_times, plan.rate, all_, progress);
  plan.first_piece = sum_before(all_, corpus.chunks());
  std::optional<SubwordIndex> subwords = find_subwords(corpus, skip_gram.subwords, progress);
  check_memory(memory_plan(corpus, skip_gram, subwords, run_arguments.settings, all_),
               run_arguments.settings, progress);
  SkipGramModel model = first_model(corpus, arguments_, std::move(subwords), initial, progress);
  const std::vector<double> noise =
      noise_distribution(arguments_.noise, corpus.vocabulary().counts()).probabilities;
  SkipGramTask task({corpus, noise, skip_gram, model, [&](const std::string& path) {
                       RowWriter file(path, arguments_.format);
                       write_words(corpus.vocabulary(), model, initial, file);
                       file.commit();
                     }});
  const double filter_errs = task.false_positive_rate();
  warn_of_full_filter(filter_errs, progress);
  const std::vector<Identity> identities = identities_of(corpus, initial);
  const std::unique_ptr<RowExchange> exchange =
      make_exchange(corpus, exchange_with, plan.epochs, task, all_);
  const TaskDescription description = describe_skip_gram();
  Run run({task, description, run_arguments.settings, identities, files, progress, exchange.get()});
  run.train(checkpoint);
  if (!is_first(all_)) return;
  if (exchange) report_exchange(*exchange, run, all_, progress);
  report_result(skip_gram.adversary.has_value(), filter_errs, run, progress);
  write(corpus, run, initial, model, outputs);
  const size_t untrained = initial.words ? initial.words->words.size() : 0;
  const int64_t written = corpus.vocabulary().size() + static_cast<int64_t>(untrained);
  report_written(format("%s of size %ld", counted(written, "vector").c_str(),
                        static_cast<long>(skip_gram.size)),
                 run_arguments.settings, files, progress);
}

void TrainCommand::write(const Corpus& corpus, const Run& run, const InitialVectors& initial,
                         const SkipGramModel& model, Outputs& outputs) const {
  const SkipGramSettings& skip_gram = arguments_.skip_gram;
  nlohmann::ordered_json record = run_record(*this, run_arguments.command);
  add_results(corpus, run, record);
  outputs.write(corpus.vocabulary(), skip_gram.subwords,
                {skip_gram.window, run_arguments.settings.plan.epochs, arguments_.text.min_count,
                 skip_gram.negatives, skip_gram.cbow, skip_gram.sample},
                initial, model, record_text(record));
}

}  // namespace

std::unique_ptr<CommandLine> make_train() {
  return std::make_unique<TrainCommand>();
}

}  // namespace acevec
