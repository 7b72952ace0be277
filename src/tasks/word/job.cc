#include "tasks/word/job.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "cluster/shared_corpus.h"
#include "math/aligned.h"
#include "tasks/word/composed_words.h"
#include "tasks/word/corpus_pairs.h"
#include "tasks/word/count_start.h"
#include "text/case.h"

namespace acevec {
namespace {

void require_words(const Corpus& corpus, const CorpusSettings& settings) {
  require_text(corpus.report());
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

// Training discriminates between words, so it needs at least two.
void require_different_words(const Corpus& corpus) {
  if (corpus.vocabulary().size() > 1) return;
  throw Error(
      "only one word is left to train on; give more text, lower -min-count, or raise -max-vocab");
}

uint64_t hash_of(const Vocabulary& vocabulary) {
  uint64_t hash = 0;
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    const std::string& word = vocabulary.word(id);
    hash = hash_of_bytes(word.data(), word.size(), hash);
    const int64_t count = vocabulary.count(id);
    hash = hash_of_bytes(&count, sizeof count, hash);
  }
  return hash;
}

// The hash of the vectors that are written without being trained.
uint64_t hash_of(const std::optional<WordVectors>& vectors) {
  uint64_t hash = 0;
  if (!vectors) return hash;
  for (const std::string& word : vectors->words) {
    hash = hash_of_bytes(word.data(), word.size(), hash + 1);
  }
  const Matrix& rows = vectors->vectors;
  return hash_of_bytes(rows.row(0), static_cast<size_t>(rows.bytes()), hash);
}

// The n-grams of the vocabulary's words, if words are composed of them.
std::optional<SubwordIndex> find_subwords(const Corpus& corpus, const SubwordShape& shape,
                                          Progress& progress) {
  if (!shape.any()) return std::nullopt;
  std::optional<SubwordIndex> subwords(std::in_place, corpus.vocabulary(), shape);
  progress.note(format("words have n-grams in %s of %s",
                       grouped(subwords->rows() - subwords->words()).c_str(),
                       counted(shape.buckets, "bucket").c_str()));
  return subwords;
}

// The number of randomly initialised words whose lower-case form is in the file. `initialised`:
// words of both the file and the vocabulary; `others`: the file's other words.
int64_t in_lower_case(const Vocabulary& vocabulary, const std::vector<int32_t>& initialised,
                      const std::vector<std::string>& others) {
  std::vector<bool> is_initialised(static_cast<size_t>(vocabulary.size()));
  for (const int32_t id : initialised) is_initialised[static_cast<size_t>(id)] = true;
  std::unordered_map<std::string, int64_t> cased;
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    if (is_initialised[static_cast<size_t>(id)]) continue;
    std::string lower = lower_case(vocabulary.word(id));
    if (lower != vocabulary.word(id)) ++cased[std::move(lower)];
  }
  int64_t count = 0;
  const auto add = [&](std::string_view word) {
    const auto found = cased.find(std::string(word));
    count += found == cased.end() ? 0 : found->second;
  };
  for (const int32_t id : initialised) add(vocabulary.word(id));
  for (const std::string& word : others) add(word);
  return count;
}

// Makes the initial model. The vectors that stay in `initial` are not trained.
SkipGramModel first_model(const Corpus& corpus, const WordJobSettings& settings,
                          std::optional<SubwordIndex> subwords, InitialVectors& initial,
                          const Outputs& outputs, bool from_counts, Progress& progress) {
  const SkipGramSettings& skip_gram = settings.skip_gram;
  SkipGramModel model(corpus.vocabulary().size(), skip_gram.size, skip_gram.optimizer,
                      skip_gram.seed, std::move(subwords));
  if (from_counts) {
    const Stopwatch watch;
    const int64_t pairs = start_from_counts(corpus, skip_gram, model.words);
    progress.note(format("started words from the counts of %s in %.2f s",
                         counted(pairs, "pair").c_str(), watch.seconds()));
  }
  if (!initial.words) return model;
  const Vocabulary& vocabulary = corpus.vocabulary();
  const std::vector<int32_t> known = start_from(initial, vocabulary, model);
  const int64_t initialised = std::ssize(known), random = vocabulary.size() - initialised;
  const int64_t cased = in_lower_case(vocabulary, known, initial.words->words);
  const int64_t others = std::ssize(initial.words->words) - outputs.unwritable(initial);
  const std::string kept =
      "; its other " + counted(others, "word") + (others == 1 ? " is" : " are");
  progress.note(format("initialised %s from %s, and %s at random%s",
                       counted(initialised, "word").c_str(), settings.init.c_str(),
                       grouped(random).c_str(),
                       others == 0 ? "" : (kept + " kept unchanged").c_str()));
  if (cased > random / 10) {
    progress.note(
        format("note: %s of the randomly initialised words %s in %s in lower case; -tokens words "
               "would use them",
               grouped(cased).c_str(), cased == 1 ? "is" : "are", settings.init.c_str()));
  } else if (initialised == 0) {
    progress.note(
        "note: the file has no word of the text; do both have the same language and case?");
  }
  return model;
}

// With several processes each trains at a higher rate, since combining their steps shortens them.
void scale_rate(double times, Rate& rate, const Peers& all, Progress& progress) {
  if (all.count() == 1) return;
  rate.start *= times;
  rate.end *= times;
  if (times != 1) progress.note(format("each process trains with %g times -alpha", times));
}

// The exchange with other processes, or null if there are none.
std::unique_ptr<RowExchange> make_exchange(const Corpus& corpus, const ExchangeSettings& settings,
                                           int64_t epochs, SkipGramTask& task, Peers& all) {
  if (all.count() == 1) return nullptr;
  all.allreduce_or(task.filter_words());
  const Vocabulary& vocabulary = corpus.vocabulary();
  std::vector<double> frequencies;
  for (const int64_t count : vocabulary.counts()) {
    frequencies.push_back(static_cast<double>(count) / static_cast<double>(vocabulary.total()));
  }
  return std::make_unique<RowExchange>(
      RowExchange::Parts{all, settings, task.parameters(), std::move(frequencies),
                         epochs * task.units(), epochs * task.pieces(), epochs});
}

void report_corpus(const Corpus& corpus, double seconds, Progress& progress) {
  progress.note(format("read %s, %s in %.2f s; kept %s (of %s), %s",
                       counted(corpus.report().tokens, "token").c_str(),
                       counted(corpus.report().lines, "line").c_str(), seconds,
                       counted(corpus.vocabulary().size(), "word").c_str(),
                       grouped(corpus.distinct_tokens()).c_str(),
                       counted(corpus.tokens_of_all(), "token").c_str()));
  note_repairs(corpus.report(), progress);
  note_punctuation(corpus.vocabulary().words(), progress);
}

// Prints the memory and disk space that reading the text took. `allowed`: the limit for counting
// words, in bytes.
void report_counting(const Corpus& corpus, int64_t allowed, Progress& progress) {
  const auto mib = [](int64_t bytes) { return grouped(bytes >> 20); };
  progress.note(
      format("counting: %s MiB at most, of these for words up to %s; on disk %s MiB of "
             "words, %s of the text's token ids",
             mib(peak_resident_bytes()).c_str(), mib(allowed).c_str(),
             mib(corpus.counting_disk_bytes()).c_str(), mib(corpus.store_bytes()).c_str()));
}

// The adversary ignores pairs that its filter takes for observed. At kFewBits per pair of the text
// these are a quarter of the absent pairs (docs/experiments/ace.md).
void warn_of_small_filter(const Corpus& corpus, const SkipGramSettings& skip_gram,
                          Progress& progress) {
  constexpr double kFewBits = 2.4;
  if (!skip_gram.adversary || skip_gram.adversary->filter_bytes == 0) return;
  const double bits = 8 * static_cast<double>(skip_gram.adversary->filter_bytes) /
                      expected_pairs(pair_statistics(corpus, skip_gram.window));
  if (bits >= kFewBits) return;
  progress.note(format(
      "note: the filter has %.1f bits for each pair of words of the text, too few to tell many "
      "pairs that it does not have; raise -ace-filter",
      bits));
}

// Prints the adversary's means, and a note when the last epoch had no pairs.
void report_result(bool adversary, const Run& run, Progress& progress) {
  if (adversary) {
    const std::vector<Mean>& means = run.epoch_sums().means;
    const auto mean = [&](SkipGramMean which) { return means[which].value(); };
    progress.note(
        format("ace: mean loss on random negatives %.4f, on adversarial ones %.4f; %.1f%% of the "
               "candidates masked as observed pairs",
               mean(kNoiseOfAdversary), mean(kAdversarialLoss), 100 * mean(kFalseNegatives)));
  }
  if (run.epoch_sums().loss.count == 0) {
    progress.note(
        "note: the last epoch had no pairs of words to learn from; give more text, lines of "
        "two words or more, or -sample 0");
  }
}

// Prints the cost of the exchanges, as the first process measured it.
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

class WordJob final : public Job {
 public:
  WordJob(const WordJobSettings& settings, RunSettings& run, InitialVectors initial,
          WordHooks hooks)
      : settings_(settings), run_(run), initial_(std::move(initial)), hooks_(std::move(hooks)) {}

  TaskDescription describe() const override { return describe_skip_gram(); }

  // With several processes only the first one writes.
  void open(bool resumed) override {
    resumed_ = resumed;
    if (is_first(all_)) outputs_.open(run_.output, settings_.outputs);
    const WordJobSettings& s = settings_;
    source_ = s.train.empty()
                  ? Source::of_text(s.content)
                  : Source(share_of_text(s.train, s.format, all_), s.format, s.corpus.threads);
    if (!s.read_vocab.empty()) vocabulary_ = read_vocabulary(s.read_vocab);
  }

  bool read(Progress& progress) override {
    if (hooks_.begin) hooks_.begin(progress);
    report_initial(progress);
    const Stopwatch watch;
    CorpusSettings settings = settings_.corpus;
    settings.given_vocabulary = std::move(vocabulary_);
    corpus_.emplace(read_shared_corpus(*source_, settings, progress, all_));
    report_corpus(*corpus_, watch.seconds(), progress);
    if (run_.debug >= 2) report_counting(*corpus_, settings.counting_bytes, progress);
    require_words(*corpus_, settings);
    if (outputs_.vocabulary) {
      write_vocabulary(corpus_->vocabulary(), *outputs_.vocabulary);
      outputs_.vocabulary->commit();
    }
    if (settings_.only_vocabulary) return false;
    require_different_words(*corpus_);
    if (hooks_.complete) hooks_.complete(*corpus_, progress);
    scale_rate(settings_.exchange.rate_times, run_.plan.rate, all_, progress);
    run_.plan.first_piece = all_.exscan(corpus_->chunks());
    subwords_ = find_subwords(*corpus_, settings_.skip_gram.subwords, progress);
    return true;
  }

  MemoryUse memory() const override {
    return memory_of_training(
        counted(corpus_->vocabulary().size(), "word"), settings_.skip_gram.size,
        subwords_ ? "lower -size, -bucket or -max-vocab" : "lower -size or -max-vocab");
  }

  Task& start(Progress& progress) override {
    const Vocabulary& vocabulary = corpus_->vocabulary();
    model_ = first_model(*corpus_, settings_, std::move(subwords_), initial_, outputs_,
                         starts_from_counts(), progress);
    noise_ = noise_distribution(settings_.noise, vocabulary.counts()).probabilities;
    const auto save = [this](const std::string& path) {
      RowWriter file(path, settings_.outputs.format);
      write_words(corpus_->vocabulary(), *model_, initial_, file);
      file.commit();
    };
    task_.emplace(*corpus_, noise_, settings_.skip_gram, *model_, save);
    warn_of_small_filter(*corpus_, settings_.skip_gram, progress);
    exchange_ = make_exchange(*corpus_, settings_.exchange, run_.plan.epochs, *task_, all_);
    return *task_;
  }

  std::vector<Identity> identities() const override {
    const std::string text = counted(corpus_->report().tokens, "token") + " in " +
                             counted(corpus_->report().lines, "line");
    return {{"the text has changed", text, corpus_->fingerprint()},
            {"the vocabulary of -read-vocab has changed", "", hash_of(corpus_->vocabulary())},
            {"the vectors of -init have changed", "",
             hash_of(initial_.words) + hash_of(initial_.contexts)}};
  }

  void report(const Run& run, Json& record, Progress& progress) override {
    if (exchange_) report_exchange(*exchange_, run, all_, progress);
    report_result(settings_.skip_gram.adversary.has_value(), run, progress);
    record.put("/text", {{"tokens", corpus_->report().tokens},
                         {"lines", corpus_->report().lines},
                         {"distinct_tokens", corpus_->distinct_tokens()},
                         {"words", corpus_->vocabulary().size()},
                         {"kept_tokens", corpus_->kept_tokens()}});
  }

  std::string write(std::optional<OutputFile>& record) override {
    const SkipGramSettings& s = settings_.skip_gram;
    outputs_.write(corpus_->vocabulary(), *model_, initial_,
                   {s.window, run_.plan.epochs, settings_.corpus.min_count, s.negatives, s.cbow,
                    s.sample, s.subwords},
                   record);
    const int64_t untrained =
        initial_.words ? std::ssize(initial_.words->words) - outputs_.unwritable(initial_) : 0;
    return format("%s of size %ld",
                  counted(corpus_->vocabulary().size() + untrained, "vector").c_str(),
                  static_cast<long>(s.size));
  }

  Exchange* exchange() override { return exchange_.get(); }

 private:
  // A resumed run takes its vectors from the checkpoint.
  bool starts_from_counts() const { return settings_.start_from_counts && !resumed_; }

  void report_initial(Progress& progress) const {
    for (const auto& file : {&initial_.words, &initial_.contexts}) {
      if (*file && !(*file)->note.empty()) progress.note((*file)->note);
    }
    if (const int64_t unwritable = outputs_.unwritable(initial_); unwritable > 0) {
      progress.note("note: -output cannot contain words with white space, and leaves out " +
                    counted(unwritable, "word") + " of -init");
    }
  }

  const WordJobSettings& settings_;
  RunSettings& run_;
  InitialVectors initial_;
  WordHooks hooks_;
  Peers& all_ = peers();
  bool resumed_ = false;
  std::optional<Source> source_;
  std::vector<WordCount> vocabulary_;  // from read_vocab
  Outputs outputs_;
  std::optional<Corpus> corpus_;
  std::optional<SubwordIndex> subwords_;  // until moved into the model
  std::vector<double> noise_;
  std::optional<SkipGramModel> model_;
  std::optional<SkipGramTask> task_;
  std::unique_ptr<RowExchange> exchange_;
};

}  // namespace

std::unique_ptr<Job> make_word_job(const WordJobSettings& settings, RunSettings& run,
                                   InitialVectors initial, WordHooks hooks) {
  return std::make_unique<WordJob>(settings, run, std::move(initial), std::move(hooks));
}

}  // namespace acevec
