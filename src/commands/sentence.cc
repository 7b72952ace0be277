// acevec sentence: trains a model of sentences on a text.

#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/output_file.h"
#include "base/progress.h"
#include "cli/run_record.h"
#include "commands/commands.h"
#include "commands/sentence_arguments.h"
#include "commands/training_command.h"
#include "tasks/sentence/centre.h"
#include "tasks/sentence/memory.h"
#include "tasks/sentence/model_file.h"
#include "tasks/sentence/task.h"
#include "text/read_text.h"
#include "train/run.h"
#include "train/run_report.h"

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

SentenceModel first_model(const SentenceCorpus& corpus, const SentenceArguments& a,
                          Progress& progress) {
  SentenceModel model(corpus.vocabulary(), a.shape);
  start_model(model, a.training.seed);
  const auto start_from = [&](const std::string& path, const std::vector<Network*>& networks) {
    if (path.empty()) return;
    const int64_t found = start_from_vectors(model, path, networks);
    progress.note(format("initialised %s from %s", counted(found, "word").c_str(), path.c_str()));
    if (found == 0) {
      progress.note(
          "note: the file has no word of the text; do both have the same language and case?");
    }
  };
  start_from(a.init, {&model.f, &model.g()});
  return model;
}

constexpr CommandText kSentence{
    "sentence",
    "acevec sentence -train FILE -output FILE [OPTION VALUE ...]",
    "Learns vectors of sentences by finding their neighbours among candidates. acevec sentence "
    "encode,\nnn and similarity use the model.\n",
    {},
    {},
    "other embeddings"};

class SentenceCommand final : public TrainingCommand {
 public:
  SentenceCommand() : TrainingCommand(kSentence) {
    declare_sentences(arguments_, run_arguments, table());
  }

 protected:
  std::unique_ptr<TrainingCommand> fresh() const override {
    return std::make_unique<SentenceCommand>();
  }
  void train(std::optional<CheckpointReader>& checkpoint) override;

 private:
  SentenceArguments arguments_;
};

void SentenceCommand::train(std::optional<CheckpointReader>& checkpoint) {
  resolve_sentences(arguments_, run_arguments, *this);
  const SentenceArguments& a = arguments_;
  const RunSettings& settings = run_arguments.settings;
  const int threads = settings.plan.threads;
  const TaskDescription description = describe_sentences(a.training);
  Source source(a.train, a.text.format);
  std::optional<CheckpointWriter> output(std::in_place, settings.output);
  std::optional<OutputFile> record_file;
  if (!run_arguments.record.empty()) record_file.emplace(run_arguments.record);
  RunFiles files(settings, description, checkpoint ? checkpoint->path() : "");

  Progress progress(settings.debug == 0);
  const Stopwatch watch;
  const SentenceCorpus corpus(source, a.text_settings());
  report_text(corpus, watch.seconds(), progress);
  require_sentences(corpus);
  check_memory(sentence_memory(corpus, a.shape, a.training, settings.keep_best, threads), settings,
               progress);
  SentenceModel model = first_model(corpus, a, progress);
  SentenceTask task(corpus, a.training, model, [&](const std::string& path) {
    CheckpointWriter file(path);
    write_sentence_model(model, file);
    file.commit();
  });
  if (task.trained() == 0) throw Error("no document is left to train on; lower -heldout");
  const std::vector<Identity> identities{
      {"the text has changed",
       format("%s in %s", counted(corpus.tokens(), "token").c_str(),
              counted(corpus.sentences(), "sentence").c_str()),
       corpus.fingerprint()}};
  Run run({task, description, settings, identities, files, progress});
  run.train(checkpoint);
  nlohmann::ordered_json record = run_record(*this, run_arguments.command);
  record["text"] = {{"tokens", corpus.tokens()},
                    {"sentences", corpus.sentences()},
                    {"documents", corpus.documents()},
                    {"words", corpus.vocabulary().size()}};
  add_training(run, record);
  centre(corpus, threads, model);
  write_sentence_model(model, *output);
  if (record_file) record_file->write(record_text(record));
  commit_together(record_file, output);
  report_written(format("a model with vectors of size %ld", static_cast<long>(model.columns())),
                 settings, files, progress);
}

}  // namespace

std::unique_ptr<CommandLine> make_sentence() {
  return std::make_unique<SentenceCommand>();
}

}  // namespace acevec
