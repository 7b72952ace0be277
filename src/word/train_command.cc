#include "word/train_command.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
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
#include "cluster/cluster_options.h"
#include "cluster/collectives.h"
#include "cluster/row_exchange.h"
#include "cluster/shared_corpus.h"
#include "cluster/text_share.h"
#include "math/aligned.h"
#include "noise/noise.h"
#include "text/corpus.h"
#include "text/read_text.h"
#include "train/run.h"
#include "train/run_report.h"
#include "word/corpus_pairs.h"
#include "word/initial.h"
#include "word/outputs.h"
#include "word/presets.h"
#include "word/settings.h"
#include "word/task.h"
#include "word/training_memory.h"

namespace acevec {
namespace {

// May change when a run is resumed, besides what may change in every run.
constexpr std::string_view kMayChange[] = {"read-vocab",     "init",         "init-context",
                                           "output-context", "output-model", "save-vocab",
                                           "binary",         "alpha",        "min-alpha"};

// What is about to be done, in flags.
void report_settings(const Options& options, Progress& progress) {
  progress.note(settings_table(kTrainCommand, options,
                               [&](const Option& option) { return has_effect(option, options); }));
  const std::string& preset = options.text("preset");
  if (!preset.empty()) {
    progress.note("preset " + preset + " stands for " + preset_flags(preset));
  }
}

void report_corpus(const Corpus& corpus, double seconds, Progress& progress) {
  progress.note(format("read %s, %s in %.2f s; kept %s (of %s), %s",
                       counted(corpus.report().tokens, "token").c_str(),
                       counted(corpus.report().lines, "line").c_str(), seconds,
                       counted(corpus.vocabulary().size(), "word").c_str(),
                       grouped(corpus.distinct_tokens()).c_str(),
                       counted(corpus.tokens_of_all(), "token").c_str()));
  note_mended(corpus.report(), progress);
}

// What -debug 2 adds: what reading the text took, in memory and on the disk.
void report_counting(const Corpus& corpus, int64_t allowed, Progress& progress) {
  const auto mib = [](int64_t bytes) { return grouped(bytes >> 20); };
  progress.note(
      format("counting: %s MiB at most, of these for words up to %s; on disk %s MiB of "
             "words, %s of the text's token ids",
             mib(peak_resident_bytes()).c_str(), mib(allowed).c_str(),
             mib(corpus.counting_disk_bytes()).c_str(), mib(corpus.store_bytes()).c_str()));
}

void require_words(const Corpus& corpus, const TrainSettings& settings) {
  if (corpus.report().tokens == 0) {
    throw Error("the text holds no tokens; check what -train reads");
  }
  if (corpus.vocabulary().size() == 0) {
    throw Error(format("no word is seen %s or more; lower -min-count",
                       counted(settings.min_count, "time").c_str()));
  }
  if (corpus.kept_tokens() == 0 && corpus.heldout_tokens() > 0) {
    throw Error("no line is left to train on; lower -heldout");
  }
  if (settings.heldout > 0 && corpus.heldout_tokens() == 0) {
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

// Epochs by the length of the text and the preset, where no -iter is given. Vectors that know
// something already need no more of them for a small text. Checkpoints hold them, whatever would
// decide later.
void choose_epochs(const Corpus& corpus, Options& options, TrainSettings& settings,
                   Progress& progress) {
  if (!options.text("iter").empty()) return;
  const int64_t tokens = corpus.report().tokens;
  const std::string& preset = options.text("preset");
  const int64_t usual = settings.init.empty() ? default_epochs(tokens) : kUsualEpochs;
  const int64_t epochs = std::max(usual, least_epochs(preset));
  settings.run.plan.epochs = epochs;
  settings.run.arguments.push_back("-iter=" + std::to_string(epochs));
  options.assume("iter", std::to_string(epochs));
  const std::string reason = epochs > usual          ? "-preset " + preset
                             : settings.init.empty() ? "default for " + counted(tokens, "token")
                                                     : "default for -init";
  progress.note(format("  -iter %ld (%s)", static_cast<long>(epochs), reason.c_str()));
}

// The size of the adversary's filter by the text and the memory, where no -ace-filter is given.
// Checkpoints hold it, whatever memory there is later.
void choose_filter(const Corpus& corpus, Options& options, TrainSettings& settings, Peers& all,
                   Progress& progress) {
  std::optional<AdversarySettings>& adversary = settings.skip_gram.adversary;
  if (!adversary || options.given("ace-filter")) return;
  const int64_t limit = settings.run.max_memory;
  const std::vector<double> partners =
      expected_partners(PairStatistics(corpus, settings.skip_gram.window));
  const double pairs = std::accumulate(partners.begin(), partners.end(), 0.0);
  const int64_t size = first_of(
      all, filter_mebibytes(pairs, limit > 0 ? limit - resident_bytes() : available_bytes()));
  adversary->filter_bytes = size << 20;
  settings.run.arguments.push_back("-ace-filter=" + std::to_string(size));
  options.assume("ace-filter", std::to_string(size));
  progress.note(format("  -ace-filter %ld (default for about %s)", static_cast<long>(size),
                       counted(static_cast<int64_t>(pairs), "pair").c_str()));
}

// The adversary leaves pairs alone that its filter takes for observed. `errs`: the share of absent
// pairs that are.
void warn_of_full_filter(double errs, Progress& progress) {
  constexpr double kMuch = 0.25;
  if (errs <= kMuch) return;
  progress.note(
      format("note: the filter has %.1f%% false positives, which get no adversarial weight; raise "
             "-ace-filter",
             100 * errs));
}

// The n-grams of the vocabulary's words, where words are composed of them.
std::optional<SubwordIndex> find_subwords(const Corpus& corpus, const TrainSettings& settings,
                                          Progress& progress) {
  if (!settings.skip_gram.subwords.any()) return std::nullopt;
  std::optional<SubwordIndex> subwords(std::in_place, corpus.vocabulary(),
                                       settings.skip_gram.subwords);
  progress.note(format("words have n-grams in %s of %s",
                       grouped(subwords->rows() - subwords->words()).c_str(),
                       counted(settings.skip_gram.subwords.buckets, "bucket").c_str()));
  return subwords;
}

// The start of training; what `initial` then still holds is not trained.
SkipGramModel first_model(const Corpus& corpus, const TrainSettings& settings,
                          std::optional<SubwordIndex> subwords, InitialVectors& initial,
                          Progress& progress) {
  const SkipGramSettings& skip_gram = settings.skip_gram;
  SkipGramModel model(corpus.vocabulary().size(), skip_gram.size, skip_gram.optimizer,
                      skip_gram.seed, std::move(subwords));
  if (!initial.words) return model;
  const auto moved = static_cast<int64_t>(start_from(initial, corpus.vocabulary(), model).size());
  progress.note(format("initialised %s from %s, and %s at random; %s of its words are not trained",
                       counted(moved, "word").c_str(), settings.init.c_str(),
                       grouped(corpus.vocabulary().size() - moved).c_str(),
                       grouped(static_cast<int64_t>(initial.words->words.size())).c_str()));
  if (moved == 0) {
    progress.note(
        "note: the file has no word of the text; do both have the same language and case?");
  }
  return model;
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

// What came of the run, besides what every run says.
void report_result(const TrainSettings& settings, double filter_errs, const Run& run,
                   Progress& progress) {
  if (settings.skip_gram.adversary) {
    const std::vector<Mean>& means = run.epoch_sums().means;
    const auto mean = [&](SkipGramMean which) { return means[which].value(); };
    progress.note(
        format("ace: loss on random negatives %.4f, on adversarial ones %.4f; entropy %.2f nats; "
               "%.1f%% of the candidates were observed pairs (filter: %.1f%% false positives)",
               mean(kNoiseOfAdversary), mean(kAdversarialLoss), mean(kEntropy),
               100 * mean(kFalseNegatives), 100 * filter_errs));
  }
  if (run.epoch_sums().loss.count == 0) {
    progress.note(
        "note: the last epoch had no pairs of words to learn from; give more text, lines of "
        "two words or more, or -sample 0");
  }
}

// What a process that is not the first leaves to it.
void be_silent(RunSettings& run) {
  run.debug = 0;
  run.log.clear();
  run.save_every.reset();
}

// Several processes keep a copy of what they share, and send up to half of it at once.
MemoryPlan memory_plan(const Corpus& corpus, const TrainSettings& settings,
                       const std::optional<SubwordIndex>& subwords, const Peers& all) {
  const int64_t words = corpus.vocabulary().size();
  const int64_t subword_rows = subwords ? subwords->rows() - words : 0;
  MemoryPlan plan = word_memory(words, settings.skip_gram, subword_rows, settings.run.keep_best,
                                settings.heldout > 0);
  if (all.count() == 1) return plan;
  const int64_t matrices = (2 * words + subword_rows) * padded(settings.skip_gram.size) *
                           static_cast<int64_t>(sizeof(float));
  plan.parts.push_back({"exchange", 2 * matrices});
  return plan;
}

// Each of several processes takes longer steps, which become shorter when they are combined.
void scale_rate(TrainSettings& settings, const Peers& all, Progress& progress) {
  if (all.count() == 1) return;
  const double times = settings.exchange.rate_times;
  Rate& rate = settings.run.plan.rate;
  rate.start *= times;
  rate.end *= times;
  if (times != 1) progress.note(format("  each process trains with %g times -alpha", times));
}

// The exchange with other processes, where there are any.
std::unique_ptr<RowExchange> make_exchange(const Corpus& corpus, const TrainSettings& settings,
                                           SkipGramTask& task, Peers& all) {
  if (all.count() == 1) return nullptr;
  unite(all, task.filter_words());
  const Vocabulary& vocabulary = corpus.vocabulary();
  std::vector<double> frequencies;
  for (const int64_t count : vocabulary.counts()) {
    frequencies.push_back(static_cast<double>(count) / static_cast<double>(vocabulary.total()));
  }
  const int64_t epochs = settings.run.plan.epochs;
  return std::make_unique<RowExchange>(
      RowExchange::Parts{all, settings.exchange, task.parameters(), std::move(frequencies),
                         epochs * task.units(), epochs * task.pieces(), epochs});
}

// What working together has cost the first process.
void report_exchange(const RowExchange& exchange, const Run& run, const Peers& all,
                     Progress& progress) {
  const RowExchange::Cost& cost = exchange.cost();
  const auto share = [&](double seconds) { return 100 * seconds / run.seconds(); };
  const double own = static_cast<double>(exchange.total()) / all.count();
  progress.note(
      format("%s: %s, %.1f bytes sent for a token trained; %.1f%% of the time for "
             "packing and unpacking, %.1f%% for waiting",
             counted(all.count(), "process").c_str(), counted(cost.rounds, "exchange").c_str(),
             static_cast<double>(cost.bytes) / own, share(cost.packing), share(cost.waiting)));
}

// Adds to the record what came of the settings.
void add_results(const Corpus& corpus, const Run& run, nlohmann::ordered_json& record) {
  record["text"] = {{"tokens", corpus.report().tokens},
                    {"lines", corpus.report().lines},
                    {"distinct_tokens", corpus.distinct_tokens()},
                    {"words", corpus.vocabulary().size()},
                    {"kept_tokens", corpus.kept_tokens()}};
  add_training(run, record);
}

// Trains as `options` have it, from the beginning or, with a checkpoint, from there on.
void train(Options options, std::optional<CheckpointReader>& checkpoint) {
  Peers& all = peers();
  TrainSettings settings = read_train_settings(options);
  require_one_job(settings.run.arguments, all);
  settings.run.checkpoint_suffix = part_suffix(all);
  if (!is_first(all)) be_silent(settings.run);
  Source source(share_of_text(settings.train, settings.format, all), settings.format);
  std::vector<WordCount> given_vocabulary;
  if (!settings.read_vocab.empty()) given_vocabulary = read_vocabulary(settings.read_vocab);
  InitialVectors initial = read_initial_vectors(settings.init, settings.init_context,
                                                settings.size_given ? settings.skip_gram.size : 0);
  if (initial.words) settings.skip_gram.size = initial.words->vectors.columns();
  options.assume("size", std::to_string(settings.skip_gram.size));
  const TaskDescription description = describe_skip_gram();
  // Of several processes the first one writes.
  Outputs outputs(is_first(all) ? settings : TrainSettings());
  outputs.require_writable(initial);
  RunFiles files(settings.run, description, checkpoint ? checkpoint->path() : "");

  Progress progress(settings.run.debug == 0);
  report_settings(options, progress);
  const Stopwatch watch;
  const CorpusSettings corpus_settings{settings.tokens,
                                       settings.min_count,
                                       settings.max_vocab,
                                       std::move(given_vocabulary),
                                       settings.skip_gram.threads,
                                       settings.heldout,
                                       settings.skip_gram.seed,
                                       counting_memory(settings.run.max_memory)};
  const Corpus corpus = read_shared_corpus(source, corpus_settings, progress, all);
  report_corpus(corpus, watch.seconds(), progress);
  if (settings.run.debug >= 2) report_counting(corpus, corpus_settings.counting_bytes, progress);
  require_words(corpus, settings);
  if (outputs.vocabulary) {
    write_vocabulary(corpus.vocabulary(), *outputs.vocabulary);
    outputs.vocabulary->commit();
  }
  if (settings.run.output.empty()) return;

  require_different_words(corpus);
  choose_epochs(corpus, options, settings, progress);
  choose_filter(corpus, options, settings, all, progress);
  scale_rate(settings, all, progress);
  settings.run.plan.first_piece = sum_before(all, corpus.chunks());
  std::optional<SubwordIndex> subwords = find_subwords(corpus, settings, progress);
  check_memory(memory_plan(corpus, settings, subwords, all), settings.run, progress);
  SkipGramModel model = first_model(corpus, settings, std::move(subwords), initial, progress);
  const std::vector<double> noise =
      noise_distribution(settings.noise, corpus.vocabulary().counts()).probabilities;
  SkipGramTask task({corpus, noise, settings.skip_gram, model, [&](const std::string& path) {
                       RowWriter file(path, settings.output_format);
                       write_words(corpus.vocabulary(), model, initial, file);
                       file.commit();
                     }});
  const double filter_errs = task.false_positive_rate();
  warn_of_full_filter(filter_errs, progress);
  const std::vector<Identity> identities = identities_of(corpus, initial);
  const std::unique_ptr<RowExchange> exchange = make_exchange(corpus, settings, task, all);
  Run run({task, description, kTrainCommand, settings.run, identities, files, progress,
           exchange.get()});
  run.train(checkpoint);
  if (!is_first(all)) return;
  if (exchange) report_exchange(*exchange, run, all, progress);
  report_result(settings, filter_errs, run, progress);
  nlohmann::ordered_json record = run_record(kTrainCommand, options, settings.command);
  add_results(corpus, run, record);
  outputs.write(corpus.vocabulary(), settings, initial, model, record_text(record));
  const size_t untrained = initial.words ? initial.words->words.size() : 0;
  report_written(
      format(
          "%s of size %ld",
          counted(corpus.vocabulary().size() + static_cast<int64_t>(untrained), "vector").c_str(),
          static_cast<long>(settings.skip_gram.size)),
      settings.run, files, progress);
}

}  // namespace

void run_train(const Options& options) {
  const std::string part =
      options.given("resume") ? part_to_resume(options.text("resume"), peers()) : "";
  Start start = start_of(kTrainCommand, options, kMayChange, part);
  train(start.options, start.checkpoint);
}

}  // namespace acevec
