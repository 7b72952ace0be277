#include "tasks/sentence/job.h"

#include "base/error.h"
#include "tasks/sentence/centre.h"
#include "tasks/sentence/model_file.h"
#include "tasks/sentence/task.h"
#include "text/corpus.h"

namespace acevec {
namespace {

void report_text(const SentenceCorpus& corpus, double seconds, Progress& progress) {
  progress.note(format("read %s of %s in %.2f s; kept %s and %s",
                       counted(corpus.sentences(), "sentence").c_str(),
                       counted(corpus.documents(), "document").c_str(), seconds,
                       counted(corpus.vocabulary().size(), "word").c_str(),
                       counted(corpus.tokens(), "token").c_str()));
  note_mended(corpus.report(), progress);
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
  SentenceJob(const SentenceJobSettings& settings, const SentenceTextSettings& text,
              const RunSettings& run)
      : settings_(settings), text_(text), run_(run) {}

  TaskDescription describe() const override { return describe_sentences(settings_.training); }
  void open(bool resumed) override {
    source_.emplace(settings_.train, text_.format, run_.plan.threads);
    if (!settings_.init.empty() && !resumed) {
      initial_ = open_start(settings_.init, settings_.shape);
    }
    open_if(output_, run_.output);
  }

  bool read(Progress& progress) override {
    const Stopwatch watch;
    corpus_.emplace(*source_, text_);
    report_text(*corpus_, watch.seconds(), progress);
    require_sentences(*corpus_);
    return true;
  }

  MemoryPlan memory() const override {
    return sentence_memory(*corpus_, settings_.shape, settings_.training, run_.keep_best);
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
  SentenceTextSettings text_;
  const RunSettings& run_;
  std::optional<Source> source_;
  std::unique_ptr<RowReader> initial_;  // of -init, until training starts
  std::optional<CheckpointWriter> output_;
  std::optional<SentenceCorpus> corpus_;
  std::optional<SentenceModel> model_;
  std::optional<SentenceTask> task_;
};

}  // namespace

std::unique_ptr<Job> make_sentence_job(const SentenceJobSettings& settings,
                                       const SentenceTextSettings& text, const RunSettings& run) {
  return std::make_unique<SentenceJob>(settings, text, run);
}

}  // namespace acevec
