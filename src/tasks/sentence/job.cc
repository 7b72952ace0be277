#include "tasks/sentence/job.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/memory.h"
#include "base/output_file.h"
#include "tasks/sentence/pair_task.h"
#include "tasks/sentence/task.h"
#include "text/corpus.h"
#include "vectors/row_reader.h"

namespace acevec {
namespace {

void report_text(const SentenceCorpus& corpus, double seconds, Progress& progress) {
  progress.note(format("read %s of %s in %.2f s; kept %s and %s",
                       counted(corpus.sentences(), "sentence").c_str(),
                       counted(corpus.documents(), "document").c_str(), seconds,
                       counted(corpus.vocabulary().size(), "word").c_str(),
                       counted(corpus.tokens(), "token").c_str()));
  note_repairs(corpus.report(), progress);
  require_text(corpus.report());
  note_punctuation(corpus.vocabulary().words(), progress);
  if (corpus.cut() > 0) {
    progress.note(
        format("note: cut %s to %zu tokens; with -split sentences a line may be a "
               "paragraph",
               counted(corpus.cut(), "longer sentence").c_str(), kLongestSentence));
  }
  if (corpus.without() > 0) {
    progress.note(format("note: left out %s with no in-vocabulary word",
                         counted(corpus.without(), "sentence").c_str()));
  }
}

void require_sentences(const SentenceCorpus& corpus) {
  if (corpus.vocabulary().size() == 0) {
    throw Error("no word of the text occurs often enough; give more text, or lower -min-count");
  }
  if (corpus.sentences() == corpus.documents()) {
    throw Error("no sentence has a neighbour; give documents of sentences that follow each other");
  }
  if (corpus.sentences() < 3) throw Error("too few sentences to train on; give more text");
}

class SentenceJob final : public Job {
 public:
  SentenceJob(const SentenceJobSettings& settings, const RunSettings& run)
      : settings_(settings), run_(run) {}

  TaskDescription describe() const override { return describe_sentences(settings_.training); }
  void open(bool resumed) override {
    source_.emplace(settings_.train, settings_.text.format, run_.plan.threads);
    if (!settings_.init.empty() && !resumed) {
      initial_ = open_start(settings_.init, settings_.shape);
    }
    open_if(output_, run_.output);
  }

  bool read(Progress& progress) override {
    const Stopwatch watch;
    corpus_.emplace(*source_, settings_.text);
    report_text(*corpus_, watch.seconds(), progress);
    require_sentences(*corpus_);
    return true;
  }

  MemoryUse memory() const override {
    return memory_of_training(counted(corpus_->vocabulary().size(), "word"), settings_.shape.size,
                              "lower -size or -batch");
  }

  Task& start(Progress& progress) override {
    model_.emplace(corpus_->vocabulary(), settings_.shape);
    start_model(*model_, settings_.training.seed);
    if (initial_) start_from_vectors(progress);
    task_.emplace(*corpus_, settings_.training, *model_);
    if (task_->units() == 0) throw Error("no document is left to train on; lower -heldout");
    return *task_;
  }

  std::vector<Identity> identities() const override {
    return {
        {"the text has changed",
         counted(corpus_->tokens(), "token") + " in " + counted(corpus_->sentences(), "sentence"),
         corpus_->fingerprint()}};
  }

  void report(const Run& /*run*/, Json& record, Progress& /*progress*/) override {
    record.put("/text", {{"tokens", corpus_->tokens()},
                         {"sentences", corpus_->sentences()},
                         {"documents", corpus_->documents()},
                         {"words", corpus_->vocabulary().size()}});
  }

  std::string write(std::optional<OutputFile>& record) override {
    centre(*corpus_, run_.plan.threads, *model_);
    if (output_) write_sentence_model(*model_, *output_);
    commit_together(record, output_);
    return format("a model with vectors of size %ld", static_cast<long>(model_->columns()));
  }

 private:
  void start_from_vectors(Progress& progress) {
    const int64_t found = start_from(*initial_, *model_);
    if (const std::string note = initial_->note(); !note.empty()) progress.note(note);
    initial_.reset();
    progress.note(
        format("initialised %s from %s", counted(found, "word").c_str(), settings_.init.c_str()));
    if (found > 0) return;
    progress.note(
        "note: the file has no word of the text; do both have the same language and case?");
  }

  const SentenceJobSettings& settings_;
  const RunSettings& run_;
  std::optional<Source> source_;
  std::unique_ptr<RowReader> initial_;  // of -init, until training starts
  std::optional<CheckpointWriter> output_;
  std::optional<SentenceCorpus> corpus_;
  std::optional<SentenceModel> model_;
  std::optional<SentenceTask> task_;
};

class PairJob final : public Job {
 public:
  PairJob(const SentenceJobSettings& settings, const RunSettings& run, ChooseByTexts choose)
      : settings_(settings), run_(run), choose_(std::move(choose)) {}

  TaskDescription describe() const override {
    return labelled() ? describe_labels() : describe_pairs(settings_.training);
  }

  void open(bool /*resumed*/) override {
    if (!settings_.init.empty()) initial_ = open_rows(settings_.init);
    open_if(output_, run_.output);
  }

  bool read(Progress& progress) override {
    const Stopwatch watch;
    text_.emplace(labelled() ? PairText::labelled(settings_.labels, settings_.shape.mode)
                             : PairText(settings_.pairs, settings_.shape.mode));
    progress.note(format("read %s of %s in %.2f s", content().c_str(),
                         counted(std::ssize(text_->words()), "word").c_str(), watch.seconds()));
    if (text_->left_out() > 0) {
      progress.note(format("note: left out %s without a label or a word",
                           counted(text_->left_out(), "line").c_str()));
    }
    note_repairs(text_->report(), progress);
    note_punctuation(text_->words(), progress);
    if (text_->cut() > 0) {
      progress.note(format("note: training reads the first %zu tokens of %s", kLongestSentence,
                           counted(text_->cut(), "longer text").c_str()));
    }
    choose_(*text_, progress);
    if (initial_) {
      vectors_ = initial_->read_all(std::numeric_limits<int64_t>::max());
      if (!vectors_->note.empty()) progress.note(vectors_->note);
      initial_.reset();
      counts_ = settings_.read_vocab.empty() ? counts_by_rank(vectors_->words)
                                             : read_vocabulary(settings_.read_vocab);
    } else {
      vectors_ = random_vectors(text_->words(), settings_.shape.size, settings_.training.seed);
      counts_ = text_->words();
    }
    return true;
  }

  MemoryUse memory() const override {
    return memory_of_training(counted(std::ssize(vectors_->words), "word"),
                              vectors_->vectors.columns() + lexical_size(),
                              "lower -batch, or give fewer or smaller vectors");
  }

  Task& start(Progress& progress) override {
    const MoreRows more{text_->words(), labelled() ? 0 : kUnknownRows, lexical_size(),
                        settings_.training.seed};
    const auto known = std::ssize(vectors_->words);
    model_.emplace(mean_model(*std::exchange(vectors_, {}), std::exchange(counts_, {}),
                              {settings_.shape.mode, first_a(), true}, run_.plan.threads, more));
    keep_freed_memory();  // returns the vectors' memory
    if (!settings_.init.empty()) report_start(known, progress);
    text_->renumber(model_->vocabulary);
    if (labelled()) {
      model_->labels = text_->labels();
      model_->classifier = Matrix(model_->columns() + 1, std::ssize(model_->labels));
      task_ = std::make_unique<LabelTask>(*text_, settings_.training, *model_);
    } else {
      task_ = std::make_unique<PairTask>(*text_, settings_.training, *model_);
    }
    if (task_->units() < 2)
      throw Error(format("too few %s are left to train on; lower -heldout", what()));
    return *task_;
  }

  std::vector<Identity> identities() const override {
    return {{format("the %s have changed", what()), content(), text_->fingerprint()}};
  }

  void report(const Run& /*run*/, Json& record, Progress& /*progress*/) override {
    record.put("/pairs", {{"pairs", text_->pairs()},
                          {"tokens", text_->tokens()},
                          {"words", std::ssize(text_->words())}});
  }

  std::string write(std::optional<OutputFile>& record) override {
    if (output_) write_sentence_model(*model_, *output_);
    commit_together(record, output_);
    return format("a model of %s with vectors of size %ld",
                  counted(model_->vocabulary.size(), "word").c_str(),
                  static_cast<long>(model_->columns()));
  }

 private:
  bool labelled() const { return !settings_.labels.empty(); }
  const char* what() const { return labelled() ? "texts" : "pairs"; }

  // Without word vectors all dimensions are random.
  int64_t lexical_size() const {
    return labelled() || settings_.init.empty() ? 0 : settings_.lexical_size;
  }

  std::string content() const {
    if (!labelled()) return counted(text_->pairs(), "pair");
    return format("%s with %s", counted(text_->pairs(), "text").c_str(),
                  counted(std::ssize(text_->labels()), "label").c_str());
  }

  // The parameter a of the initial weights; with word vectors, that of search.
  double first_a() const {
    if (!labelled() || !settings_.init.empty()) return kSearchA;
    return default_label_a(settings_.training.expected_trained(text_->pairs()));
  }

  void report_start(int64_t known, Progress& progress) {
    const int64_t words = std::ssize(text_->words());
    const int64_t lacking = model_->vocabulary.size() - known;
    progress.note(format("initialised %s from %s; %s of the %s in the %s %s no vector",
                         counted(known, "vector").c_str(), settings_.init.c_str(),
                         grouped(lacking).c_str(), counted(words, "word").c_str(), what(),
                         lacking == 1 ? "has" : "have"));
    if (lacking < words) return;
    progress.note(
        format("note: the file has no word of the %s; do both have the same language and -tokens?",
               what()));
  }

  const SentenceJobSettings& settings_;
  const RunSettings& run_;
  const ChooseByTexts choose_;
  std::unique_ptr<RowReader> initial_;
  std::optional<CheckpointWriter> output_;
  std::optional<PairText> text_;
  std::optional<WordVectors> vectors_;  // until training starts
  std::vector<WordCount> counts_;
  std::optional<SentenceModel> model_;
  std::unique_ptr<Task> task_;
};

// Counts all words, including rare ones: only those with vectors matter.
std::vector<WordCount> read_counts(const SentenceJobSettings& a, const RunSettings& run,
                                   Progress& progress) {
  if (!a.read_vocab.empty()) return read_vocabulary(a.read_vocab);
  const int threads = run.plan.threads;
  Source source(a.train, a.text.format, threads);
  const CorpusSettings settings{
      .mode = a.shape.mode, .threads = threads, .counting_bytes = counting_memory(run.max_memory)};
  const CountedText text(source, settings, shown_on(progress));
  note_repairs(text.report, progress);
  require_text(text.report);
  std::vector<WordCount> words = total_counts(text.counts, threads, 1, 0).words;
  note_punctuation(words, progress);
  return words;
}

int64_t counted_words(const Vocabulary& vocabulary) {
  const std::vector<int64_t> counts = vocabulary.counts();
  return std::count_if(counts.begin(), counts.end(), [](int64_t count) { return count > 0; });
}

}  // namespace

std::unique_ptr<Job> make_sentence_job(const SentenceJobSettings& settings,
                                       const RunSettings& run) {
  return std::make_unique<SentenceJob>(settings, run);
}

std::unique_ptr<Job> make_pair_job(const SentenceJobSettings& settings, const RunSettings& run,
                                   ChooseByTexts choose) {
  return std::make_unique<PairJob>(settings, run, std::move(choose));
}

void make_mean_model(const SentenceJobSettings& settings, const RunSettings& run,
                     const RecordHead& head) {
  std::optional<CheckpointWriter> output(std::in_place, run.output);
  std::optional<OutputFile> record_file;
  open_if(record_file, run.record);
  Progress progress(run.debug == 0);
  const std::unique_ptr<RowReader> rows = open_rows(settings.init);
  const std::vector<WordCount> counts = read_counts(settings, run, progress);
  WordVectors vectors = rows->read_all(std::numeric_limits<int64_t>::max());
  if (!vectors.note.empty()) progress.note(vectors.note);
  const int threads = run.plan.threads;
  const MeanSettings mean{settings.shape.mode, settings.search ? kSearchA : kFeaturesA,
                          settings.search};
  std::optional<SentenceModel> made;
  const std::string job =
      format("a model of %s of size %ld", counted(std::ssize(vectors.words), "vector").c_str(),
             static_cast<long>(vectors.vectors.columns()));
  take_memory({job, "give fewer or smaller vectors"}, run.max_memory, progress, [&] {
    made = mean_model(std::move(vectors), counts, mean, threads);
    return 0;
  });
  const SentenceModel& model = *made;
  const int64_t words = model.vocabulary.size(), known = counted_words(model.vocabulary);
  write_sentence_model(model, *output);
  Json record = head();
  record.put("/vocabulary", {{"words", words}, {"counted", known}});
  if (record_file) record_file->write(record.text(kRecordIndent));
  commit_together(record_file, output);
  progress.note(format("wrote a model of %s (%s counted) with vectors of size %ld to %s",
                       counted(words, "word").c_str(), grouped(known).c_str(),
                       static_cast<long>(model.columns()),
                       run.output == "-" ? "standard output" : run.output.c_str()));
}

}  // namespace acevec
