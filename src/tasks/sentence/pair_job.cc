#include "tasks/sentence/pair_job.h"

#include <limits>
#include <optional>
#include <utility>

#include "base/error.h"
#include "tasks/sentence/corpus.h"
#include "tasks/sentence/label_task.h"
#include "tasks/sentence/model_file.h"
#include "tasks/sentence/pair_model.h"
#include "tasks/sentence/pair_task.h"
#include "text/corpus.h"
#include "vectors/row_reader.h"

namespace acevec {
namespace {

class PairJob final : public Job {
 public:
  PairJob(const PairJobSettings& settings, const RunSettings& run)
      : settings_(settings), run_(run) {}

  TaskDescription describe() const override {
    return settings_.labelled ? describe_labels() : describe_pairs(settings_.training);
  }

  void open(bool /*resumed*/) override {
    if (!settings_.init.empty()) initial_ = open_rows(settings_.init);
    open_if(output_, run_.output);
  }

  bool read(Progress& progress) override {
    const Stopwatch watch;
    text_.emplace(settings_.labelled ? PairText::labelled(settings_.pairs, settings_.mode)
                                     : PairText(settings_.pairs, settings_.mode));
    progress.note(format("read %s of %s in %.2f s", content().c_str(),
                         counted(std::ssize(text_->words()), "word").c_str(), watch.seconds()));
    if (text_->left_out() > 0) {
      progress.note(format("note: left out %s without a label or a word",
                           counted(text_->left_out(), "line").c_str()));
    }
    note_mended(text_->report(), progress);
    if (text_->cut() > 0) {
      progress.note(format("note: training reads the first %zu tokens of %s", kLongestSentence,
                           counted(text_->cut(), "longer text").c_str()));
    }
    if (initial_) {
      vectors_ = initial_->read_all(std::numeric_limits<int64_t>::max());
      if (!vectors_->note.empty()) progress.note(vectors_->note);
      initial_.reset();
      counts_ = settings_.vocabulary.empty() ? counts_by_rank(vectors_->words)
                                             : read_vocabulary(settings_.vocabulary);
    } else {
      vectors_ = random_vectors(text_->words(), settings_.size, settings_.training.seed);
      counts_ = text_->words();
    }
    return true;
  }

  MemoryPlan memory() const override {
    const int64_t words = std::ssize(vectors_->words) + std::ssize(text_->words());
    const auto plan_of = settings_.labelled ? label_memory : pair_memory;
    MemoryPlan plan = plan_of(*text_, shape(), words, settings_.training, run_.keep_best);
    plan.parts.push_back({"making the network", 2 * Network::bytes(shape(), words)});
    return plan;
  }

  Task& start(Progress& progress) override {
    const PairModelSettings start{{settings_.mode, kSearchA, true},
                                  shape().unknown,
                                  settings_.training.seed,
                                  run_.plan.threads};
    const auto known = std::ssize(vectors_->words);
    model_.emplace(pair_model(*std::exchange(vectors_, {}), std::exchange(counts_, {}),
                              text_->words(), start));
    if (!settings_.init.empty()) report_start(known, progress);
    text_->renumber(model_->vocabulary);
    if (settings_.labelled) {
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
  SentenceShape shape() const {
    SentenceShape shape;
    shape.mode = settings_.mode;
    shape.size = vectors_->vectors.columns();
    shape.tied = true;
    shape.unknown = settings_.labelled ? 0 : kUnknownRows;
    return shape;
  }

  const char* what() const { return settings_.labelled ? "texts" : "pairs"; }

  std::string content() const {
    if (!settings_.labelled) return counted(text_->pairs(), "pair");
    return format("%s with %s", counted(text_->pairs(), "text").c_str(),
                  counted(std::ssize(text_->labels()), "label").c_str());
  }

  void report_start(int64_t known, Progress& progress) {
    const int64_t words = std::ssize(text_->words());
    const int64_t lacking = model_->vocabulary.size() - known;
    progress.note(format("started from %s of %s; %s of the %s' %ld have none",
                         counted(known, "vector").c_str(), settings_.init.c_str(),
                         counted(lacking, "word").c_str(), what(), static_cast<long>(words)));
    if (lacking < words) return;
    progress.note(
        format("note: the file has no word of the %s; do both have the same language and -tokens?",
               what()));
  }

  const PairJobSettings& settings_;
  const RunSettings& run_;
  std::unique_ptr<RowReader> initial_;
  std::optional<CheckpointWriter> output_;
  std::optional<PairText> text_;
  std::optional<WordVectors> vectors_;  // until training starts
  std::vector<WordCount> counts_;
  std::optional<SentenceModel> model_;
  std::unique_ptr<Task> task_;
};

}  // namespace

std::unique_ptr<Job> make_pair_job(const PairJobSettings& settings, const RunSettings& run) {
  return std::make_unique<PairJob>(settings, run);
}

}  // namespace acevec
