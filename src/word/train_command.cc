#include "word/train_command.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/memory.h"
#include "base/output_file.h"
#include "base/progress.h"
#include "cli/run_record.h"
#include "math/instruction_sets.h"
#include "noise/noise.h"
#include "text/corpus.h"
#include "text/read_text.h"
#include "vectors/writer.h"
#include "word/checkpoint.h"
#include "word/initial.h"
#include "word/presets.h"
#include "word/run_log.h"
#include "word/settings.h"
#include "word/snapshots.h"
#include "word/training_memory.h"
#include "word/training_run.h"

namespace acevec {
namespace {

// The files that a run writes, all opened before any work, so that a mistake shows at once.
struct Outputs {
  std::unique_ptr<FileLock> checkpoint;
  std::optional<RowWriter> vectors;
  std::optional<RowWriter> contexts;
  std::optional<OutputFile> vocabulary;
  std::optional<OutputFile> record;
  std::optional<RunLog> log;
  std::optional<Snapshots> snapshots;

  // `resumed`: the checkpoint that the run goes on from, if it does.
  Outputs(const TrainSettings& settings, const std::string& resumed) {
    if (!settings.checkpoint.empty()) checkpoint = claim_checkpoint(settings.checkpoint, resumed);
    if (!settings.output.empty()) vectors.emplace(settings.output, settings.output_format);
    if (!settings.output_context.empty()) {
      contexts.emplace(settings.output_context, settings.context_format);
    }
    if (!settings.save_vocab.empty()) vocabulary.emplace(settings.save_vocab);
    if (!settings.record.empty()) record.emplace(settings.record);
    if (!settings.log.empty()) {
      log.emplace(settings.log, settings.log_every, settings.skip_gram.negatives, !resumed.empty());
    }
    if (settings.save_every) {
      snapshots.emplace(settings.output, *settings.save_every);
      const RowWriter can_be_written(snapshot_path(settings.output, 1), settings.output_format);
    }
  }
};

// Words that are not trained are written too, so that they must suit the format.
void require_writable(const std::optional<WordVectors>& vectors,
                      const std::optional<RowWriter>& file) {
  if (!vectors || !file) return;
  for (size_t i = 0; i < vectors->words.size(); ++i) {
    file->check(vectors->words[i], static_cast<int64_t>(i) + 1);
  }
}

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
  progress.note(
      format("read %s tokens, %s lines in %.2f s; kept %s words (of %s), %s tokens",
             grouped(corpus.report().tokens).c_str(), grouped(corpus.report().lines).c_str(),
             seconds, grouped(corpus.vocabulary().size()).c_str(),
             grouped(corpus.distinct_tokens()).c_str(), grouped(corpus.kept_tokens()).c_str()));
  note_mended(corpus.report(), progress);
}

// What -debug 2 adds: where the memory goes, and what computes.
void report_details(const Corpus& corpus, const TrainSettings& settings,
                    const TrainingMemory& added, Progress& progress) {
  const auto mib = [](int64_t bytes) { return static_cast<double>(bytes) / (1 << 20); };
  const int64_t now = resident_bytes();
  progress.note(format(
      "memory: predicted %.0f MiB at most; %.0f now, matrices of 2 x %s x %s floats %.0f, "
      "tables %.0f, %d threads %.0f, adversary %.0f; reading took %.0f, ids on disk %.0f",
      mib(std::max(peak_resident_bytes(), now + added.total())), mib(now),
      grouped(corpus.vocabulary().size()).c_str(), grouped(padded(settings.skip_gram.size)).c_str(),
      mib(added.matrices), mib(added.tables), settings.skip_gram.threads, mib(added.threads),
      mib(added.adversary), mib(peak_resident_bytes()), mib(corpus.store_bytes())));
  progress.note("instruction set: " + instruction_set());
}

// Says what training will need, and refuses to begin when there is less.
void check_memory(const Corpus& corpus, const TrainSettings& settings, Progress& progress) {
  const TrainingMemory added = training_memory(corpus.vocabulary().size(), settings.skip_gram,
                                               settings.patience > 0 ? 2 : 0, settings.heldout > 0);
  const int64_t needed = resident_bytes() + added.total();
  const bool limited = settings.max_memory > 0;
  int64_t allowed = 0;
  if (__builtin_add_overflow(resident_bytes(), available_bytes(), &allowed)) allowed = needed;
  if (limited) allowed = settings.max_memory;
  if (needed > allowed) {
    throw Error(format(
        "training %s words with vectors of %ld numbers needs %s MiB of memory, and there "
        "are %s; lower -size or -max-vocab, or %s",
        grouped(corpus.vocabulary().size()).c_str(), static_cast<long>(settings.skip_gram.size),
        grouped(needed >> 20).c_str(), grouped(allowed >> 20).c_str(),
        limited ? "raise -max-memory" : "have it tried all the same with -max-memory"));
  }
  progress.note(format("memory: %s MiB at most, %s MiB are there", grouped(needed >> 20).c_str(),
                       grouped(allowed >> 20).c_str()));
  if (settings.debug >= 2) report_details(corpus, settings, added, progress);
}

void require_words(const Corpus& corpus, const TrainSettings& settings) {
  if (corpus.report().tokens == 0) {
    throw Error("the text holds no tokens; check what -train reads");
  }
  if (corpus.vocabulary().size() == 0) {
    throw Error(format("no word is seen %ld times or more; lower -min-count",
                       static_cast<long>(settings.min_count)));
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

// The start of training; what `initial` then still holds is not trained.
SkipGramModel first_model(const Corpus& corpus, const TrainSettings& settings,
                          InitialVectors& initial, Progress& progress) {
  const SkipGramSettings& skip_gram = settings.skip_gram;
  SkipGramModel model(corpus.vocabulary().size(), skip_gram.size, skip_gram.optimizer,
                      skip_gram.seed);
  if (!initial.words) return model;
  const int64_t moved = start_from(initial, corpus.vocabulary(), model);
  progress.note(format("%s words start from %s, %s anew; %s of its words are not trained",
                       grouped(moved).c_str(), settings.init.c_str(),
                       grouped(corpus.vocabulary().size() - moved).c_str(),
                       grouped(static_cast<int64_t>(initial.words->words.size())).c_str()));
  if (moved == 0) {
    progress.note("note: no word of the text is there; do both have the same language and case?");
  }
  return model;
}

// Adds to the record what came of the settings.
void add_results(const Corpus& corpus, const TrainingRun& run, nlohmann::ordered_json& record) {
  record["text"] = {{"tokens", corpus.report().tokens},
                    {"lines", corpus.report().lines},
                    {"distinct_tokens", corpus.distinct_tokens()},
                    {"words", corpus.vocabulary().size()},
                    {"kept_tokens", corpus.kept_tokens()}};
  record["training"] = {{"seconds", run.seconds()},
                        {"loss", run.result().loss.mean()},
                        {"instruction_set", instruction_set()}};
}

void write_outputs(const Corpus& corpus, const TrainSettings& settings,
                   const InitialVectors& initial, const SkipGramModel& model,
                   const nlohmann::ordered_json& record, Outputs& outputs, Progress& progress) {
  const Vocabulary& vocabulary = corpus.vocabulary();
  write_vectors(vocabulary, model.words, initial.words, *outputs.vectors);
  if (outputs.contexts) {
    write_vectors(vocabulary, model.contexts, initial.contexts, *outputs.contexts);
  }
  if (outputs.record) outputs.record->write(record_text(record));
  const auto with_each = [&](const auto& action) {
    if (outputs.contexts) action(*outputs.contexts);
    if (outputs.record) action(*outputs.record);
    action(*outputs.vectors);
  };
  with_each([](auto& file) { file.finish(); });
  with_each([](auto& file) { file.commit(); });
  const size_t untrained = initial.words ? initial.words->words.size() : 0;
  const std::string snapshots = outputs.snapshots ? outputs.snapshots->written() : "";
  progress.note(format("wrote %s vectors of %ld numbers to %s%s",
                       grouped(vocabulary.size() + static_cast<int64_t>(untrained)).c_str(),
                       static_cast<long>(settings.skip_gram.size),
                       settings.output == "-" ? "standard output" : settings.output.c_str(),
                       snapshots.empty() ? "" : (", snapshots to " + snapshots).c_str()));
}

// Trains as `options` have it, from the beginning or, with a checkpoint, from there on.
void train(Options options, CheckpointReader* checkpoint) {
  TrainSettings settings = read_train_settings(options);
  Source source(settings.train, settings.format);
  std::vector<WordCount> given_vocabulary;
  if (!settings.read_vocab.empty()) given_vocabulary = read_vocabulary(settings.read_vocab);
  InitialVectors initial = read_initial_vectors(settings.init, settings.init_context,
                                                settings.size_given ? settings.skip_gram.size : 0);
  if (initial.words) settings.skip_gram.size = initial.words->vectors.columns();
  options.assume("size", std::to_string(settings.skip_gram.size));
  Outputs outputs(settings, checkpoint == nullptr ? "" : checkpoint->path());
  require_writable(initial.words, outputs.vectors);
  require_writable(initial.contexts, outputs.contexts);

  Progress progress(settings.debug == 0);
  report_settings(options, progress);
  const Stopwatch watch;
  const CorpusSettings corpus_settings{settings.tokens,
                                       settings.min_count,
                                       settings.max_vocab,
                                       std::move(given_vocabulary),
                                       settings.skip_gram.threads,
                                       settings.heldout,
                                       settings.skip_gram.seed};
  const Corpus corpus = read_corpus(source, corpus_settings, progress);
  report_corpus(corpus, watch.seconds(), progress);
  require_words(corpus, settings);
  if (outputs.vocabulary) {
    write_vocabulary(corpus.vocabulary(), *outputs.vocabulary);
    outputs.vocabulary->commit();
  }
  if (!outputs.vectors) return;

  check_memory(corpus, settings, progress);
  SkipGramModel model = first_model(corpus, settings, initial, progress);
  const std::vector<double> noise =
      noise_distribution(settings.noise, corpus.vocabulary().counts()).probabilities;
  TrainingRun run({options, settings, corpus, initial, model, outputs.log ? &*outputs.log : nullptr,
                   outputs.snapshots ? &*outputs.snapshots : nullptr, progress},
                  noise);
  checkpoint == nullptr ? run.begin() : run.resume(*checkpoint);
  run.train();
  nlohmann::ordered_json record = run_record(kTrainCommand, options, settings.command);
  add_results(corpus, run, record);
  write_outputs(corpus, settings, initial, model, record, outputs, progress);
}

}  // namespace

void run_train(const Options& options) {
  if (!options.given("resume")) return train(options, nullptr);
  CheckpointReader checkpoint(options.text("resume"));
  train(resumed_options(options, checkpoint), &checkpoint);
}

}  // namespace acevec
