#include "sentence/sentence_command.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/output_file.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "cli/run_record.h"
#include "sentence/encoder.h"
#include "sentence/memory.h"
#include "sentence/model_file.h"
#include "sentence/settings.h"
#include "text/read_text.h"
#include "train/run.h"
#include "train/run_report.h"

namespace acevec {
namespace {

// May change when a run is resumed, besides what may change in every run.
constexpr std::string_view kMayChange[] = {"rate", "init", "init-g"};

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

SentenceModel first_model(const SentenceCorpus& corpus, const SentenceJob& job,
                          Progress& progress) {
  SentenceModel model(corpus.vocabulary(), job.shape);
  start_model(model, job.training.seed);
  const auto start_from = [&](const std::string& path, const std::vector<Network*>& networks) {
    if (path.empty()) return;
    const int64_t found = start_from_vectors(model, path, networks);
    progress.note(format("initialised %s from %s", counted(found, "word").c_str(), path.c_str()));
    if (found == 0) {
      progress.note(
          "note: the file has no word of the text; do both have the same language and case?");
    }
  };
  start_from(job.init, {&model.f, &model.g()});
  start_from(job.init_g, {&model.g()});
  return model;
}

// The mean of the text's vectors becomes 0. Of a long text that of sentences at equal distances:
// the mean of so many is known to a few thousandths of their spread.
void centre(const SentenceCorpus& corpus, int threads, SentenceModel& model) {
  constexpr int64_t kMost = 100000;
  const int64_t distance = (corpus.sentences() + kMost - 1) / kMost;
  const int64_t count = (corpus.sentences() + distance - 1) / distance;
  const int64_t pieces = (count + kEncodedTogether - 1) / kEncodedTogether;
  std::vector<std::vector<float>> sums(static_cast<size_t>(pieces));
  for_each_piece(threads, pieces, [&](int, int64_t piece) {
    SentenceEncoder encoder(model);
    std::vector<std::vector<int32_t>> sentences;
    for (int64_t i = piece * kEncodedTogether; i < std::min(count, (piece + 1) * kEncodedTogether);
         ++i) {
      const std::span<const int32_t> sentence = corpus.sentence(i * distance);
      sentences.emplace_back(sentence.begin(), sentence.end());
    }
    Matrix vectors(std::ssize(sentences), model.columns());
    encoder.encode(sentences, vectors, 0);
    std::vector<float>& sum = sums[static_cast<size_t>(piece)];
    sum.resize(model.centre.size());
    for (int64_t i = 0; i < vectors.rows(); ++i) {
      for (size_t k = 0; k < sum.size(); ++k) sum[k] += vectors.row(i)[k];
    }
  });
  // In one order, so that the number of threads does not matter.
  for (size_t k = 0; k < model.centre.size(); ++k) {
    double mean = 0;
    for (const std::vector<float>& sum : sums) mean += static_cast<double>(sum[k]);
    model.centre[k] = static_cast<float>(mean / static_cast<double>(count));
  }
}

// Trains as `options` have it, from the beginning or, with a checkpoint, from there on.
void train(Options options, std::optional<CheckpointReader>& checkpoint) {
  const SentenceJob job = read_sentence_job(options);
  const TaskDescription description = describe_sentences(job.training);
  Source source(job.train, job.text.format);
  std::optional<CheckpointWriter> output(std::in_place, job.run.output);
  std::optional<OutputFile> record_file;
  if (!job.record.empty()) record_file.emplace(job.record);
  RunFiles files(job.run, description, checkpoint ? checkpoint->path() : "");

  Progress progress(job.run.debug == 0);
  const Stopwatch watch;
  const SentenceCorpus corpus(source, job.text);
  report_text(corpus, watch.seconds(), progress);
  require_sentences(corpus);
  check_memory(
      sentence_memory(corpus, job.shape, job.training, job.run.keep_best, job.run.plan.threads),
      job.run, progress);
  SentenceModel model = first_model(corpus, job, progress);
  SentenceTask task(corpus, job.training, model, [&](const std::string& path) {
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
  Run run({task, description, job.run, identities, files, progress});
  run.train(checkpoint);
  nlohmann::ordered_json record = run_record(kSentenceCommand, options, job.command);
  record["text"] = {{"tokens", corpus.tokens()},
                    {"sentences", corpus.sentences()},
                    {"documents", corpus.documents()},
                    {"words", corpus.vocabulary().size()}};
  add_training(run, record);
  centre(corpus, job.run.plan.threads, model);
  write_sentence_model(model, *output);
  if (record_file) record_file->write(record_text(record));
  commit_together(record_file, output);
  report_written(format("a model with vectors of size %ld", static_cast<long>(model.columns())),
                 job.run, files, progress);
}

}  // namespace

void run_sentence(const Options& options) {
  Start start = start_of(kSentenceCommand, options, kMayChange);
  train(start.options, start.checkpoint);
}

}  // namespace acevec
