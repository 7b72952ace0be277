#include "word/train_command.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/memory.h"
#include "base/output_file.h"
#include "base/progress.h"
#include "math/kernels.h"
#include "noise/noise.h"
#include "text/corpus.h"
#include "text/read_text.h"
#include "vectors/writer.h"
#include "word/initial.h"
#include "word/run_log.h"
#include "word/settings.h"
#include "word/snapshots.h"
#include "word/trainer.h"

namespace acevec {
namespace {

// The files that a run writes, all opened before any work, so that a mistake shows at once.
struct Outputs {
  std::unique_ptr<OutputFile> vectors;
  std::unique_ptr<OutputFile> contexts;
  std::unique_ptr<OutputFile> vocabulary;
  std::optional<RunLog> log;
  std::optional<Snapshots> snapshots;

  explicit Outputs(const TrainSettings& settings)
      : vectors(open(settings.output)),
        contexts(open(settings.output_context)),
        vocabulary(open(settings.save_vocab)) {
    if (!settings.log.empty()) {
      log.emplace(settings.log, settings.log_every, settings.skip_gram.negatives);
    }
    if (settings.save_every) {
      snapshots.emplace(settings.output, *settings.save_every);
      (void)open(snapshot_path(settings.output, 1));
    }
  }

  static std::unique_ptr<OutputFile> open(const std::string& path) {
    return path.empty() ? nullptr : std::make_unique<OutputFile>(path);
  }
};

void report_corpus(const Corpus& corpus, double seconds, Progress& progress) {
  progress.note(
      format("read %s tokens, %s lines in %.2f s; kept %s words (of %s), %s tokens",
             grouped(corpus.report().tokens).c_str(), grouped(corpus.report().lines).c_str(),
             seconds, grouped(corpus.vocabulary().size()).c_str(),
             grouped(corpus.distinct_tokens()).c_str(), grouped(corpus.kept_tokens()).c_str()));
  note_mended(corpus.report(), progress);
}

// The peak to come, and the formula behind it.
void report_memory(const Corpus& corpus, const TrainSettings& settings, Progress& progress) {
  const auto mib = [](int64_t bytes) { return static_cast<double>(bytes) / (1 << 20); };
  const TrainingMemory added = training_memory(corpus.vocabulary().size(), settings.skip_gram);
  const int64_t now = resident_bytes();
  const int64_t peak = std::max(peak_resident_bytes(), now + added.total());
  progress.note(
      format("memory: predicted %.0f MiB at most; %.0f now, matrices of 2 x %s x %s floats %.0f, "
             "tables %.0f, %d threads %.0f, adversary %.0f; reading took %.0f, ids on disk %.0f",
             mib(peak), mib(now), grouped(corpus.vocabulary().size()).c_str(),
             grouped(padded(settings.skip_gram.size)).c_str(), mib(added.matrices),
             mib(added.tables), settings.skip_gram.threads, mib(added.threads),
             mib(added.adversary), mib(peak_resident_bytes()), mib(corpus.store_bytes())));
  progress.note("instruction set: " + instruction_set());
}

void require_words(const Corpus& corpus, const TrainSettings& settings) {
  if (corpus.report().tokens == 0) {
    throw Error("the text holds no tokens; check what -train reads");
  }
  if (corpus.vocabulary().size() == 0) {
    throw Error(format("no word is seen %ld times or more; lower -min-count",
                       static_cast<long>(settings.min_count)));
  }
  if (corpus.kept_tokens() == 0) {
    throw Error("no token of the text is in the vocabulary; check -read-vocab");
  }
  if (corpus.vocabulary().count(corpus.vocabulary().size() - 1) <= 0) {
    throw Error("the vocabulary has words with count 0; raise -min-count");
  }
}

std::string progress_line(const TrainingState& state, const Loss& recent, double seconds) {
  const double part = static_cast<double>(state.tokens) / static_cast<double>(state.total);
  return format("training %5.1f%%  %s tokens/s  alpha %.5f  loss %.4f  ETA %s", 100 * part,
                grouped(static_cast<int64_t>(static_cast<double>(state.tokens) / seconds)).c_str(),
                state.alpha, recent.mean(), clock_text(seconds / part - seconds).c_str());
}

// What the adversary did in the last epoch.
void report_adversary(const TrainingResult& result, Progress& progress) {
  const AdversaryReport mean = result.adversary.mean();
  progress.note(
      format("ace: loss on noise %.4f, on adversarial negatives %.4f; entropy %.2f nats; "
             "%.1f%% of the candidates were observed pairs (filter errs in %.1f%%)",
             mean.noise_loss, mean.adversarial_loss, mean.entropy, 100 * mean.observed,
             100 * result.false_positive_rate));
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

void train_model(const Corpus& corpus, const TrainSettings& settings, const InitialVectors& initial,
                 SkipGramModel& model, Outputs& outputs, Progress& progress) {
  const SkipGramSettings& skip_gram = settings.skip_gram;
  const std::vector<double> noise =
      noise_distribution(settings.noise, corpus.vocabulary().counts()).probabilities;
  const Stopwatch watch;
  Loss recent;  // since the last line shown
  const auto report = [&](const TrainingState& now) {
    const double seconds = watch.seconds();
    recent += now.recent.loss;
    if (progress.due()) {
      progress.show(progress_line(now, recent, seconds));
      recent = {};
    }
    const std::string snapshot =
        outputs.snapshots ? outputs.snapshots->next(now.tokens, now.total, seconds) : "";
    if (outputs.log) outputs.log->add(now, seconds, snapshot);
    return !snapshot.empty();
  };
  const auto save = [&] {
    OutputFile file(outputs.snapshots->path());
    write_vectors(corpus.vocabulary(), model.words, initial.words, settings.binary, file);
    file.commit();
    outputs.snapshots->done();
  };
  const TrainingResult result = train_skip_gram(corpus, noise, skip_gram, model, report, save);
  const double seconds = watch.seconds();
  if (outputs.log) outputs.log->finish(seconds, settings.output == "-" ? "" : settings.output);
  const double tokens = static_cast<double>(skip_gram.epochs * corpus.kept_tokens());
  progress.note(format("trained in %.2f s, %s tokens/s; mean loss of the last epoch %.4f", seconds,
                       grouped(static_cast<int64_t>(tokens / seconds)).c_str(),
                       result.loss.mean()));
  if (skip_gram.adversary) report_adversary(result, progress);
  if (result.loss.pairs == 0) {
    progress.note(
        "note: the last epoch had no pairs of words to learn from; give more text, lines of "
        "two words or more, or -sample 0");
  }
}

void write_outputs(const Corpus& corpus, const TrainSettings& settings,
                   const InitialVectors& initial, const SkipGramModel& model, Outputs& outputs,
                   Progress& progress) {
  const Vocabulary& vocabulary = corpus.vocabulary();
  write_vectors(vocabulary, model.words, initial.words, settings.binary, *outputs.vectors);
  if (outputs.contexts) {
    write_vectors(vocabulary, model.contexts, initial.contexts, settings.binary_context,
                  *outputs.contexts);
    outputs.contexts->commit();
  }
  outputs.vectors->commit();
  const size_t untrained = initial.words ? initial.words->words.size() : 0;
  const std::string snapshots = outputs.snapshots ? outputs.snapshots->written() : "";
  progress.note(format("wrote %s vectors of %ld numbers to %s%s",
                       grouped(vocabulary.size() + static_cast<int64_t>(untrained)).c_str(),
                       static_cast<long>(settings.skip_gram.size),
                       settings.output == "-" ? "standard output" : settings.output.c_str(),
                       snapshots.empty() ? "" : (", snapshots to " + snapshots).c_str()));
}

}  // namespace

void run_train(const Options& options) {
  TrainSettings settings = read_train_settings(options);
  Source source(settings.train);
  std::vector<WordCount> given_vocabulary;
  if (!settings.read_vocab.empty()) given_vocabulary = read_vocabulary(settings.read_vocab);
  InitialVectors initial = read_initial_vectors(settings.init, settings.init_context,
                                                settings.size_given ? settings.skip_gram.size : 0);
  if (initial.words) settings.skip_gram.size = initial.words->vectors.columns();
  Outputs outputs(settings);

  Progress progress(settings.debug == 0);
  const Stopwatch watch;
  const CorpusSettings corpus_settings{settings.tokens, settings.min_count, settings.max_vocab,
                                       std::move(given_vocabulary), settings.skip_gram.threads};
  const Corpus corpus = read_corpus(source, corpus_settings, progress);
  report_corpus(corpus, watch.seconds(), progress);
  require_words(corpus, settings);
  if (outputs.vocabulary) {
    write_vocabulary(corpus.vocabulary(), *outputs.vocabulary);
    outputs.vocabulary->commit();
  }
  if (!outputs.vectors) return;

  if (settings.debug >= 2) report_memory(corpus, settings, progress);
  SkipGramModel model = first_model(corpus, settings, initial, progress);
  train_model(corpus, settings, initial, model, outputs, progress);
  write_outputs(corpus, settings, initial, model, outputs, progress);
}

}  // namespace acevec
