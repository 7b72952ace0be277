// The jobs of acevec sentence: training on neighbours, on pairs and on labels, and means of word
// vectors.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tasks/sentence/batch.h"
#include "tasks/sentence/corpus.h"
#include "tasks/sentence/model.h"
#include "tasks/sentence/pair_step.h"
#include "text/source.h"
#include "train/job.h"

namespace acevec {

struct SentenceJobSettings {
  std::string train, init;  // files; the vectors to start from may be empty
  SentenceShape shape;
  SentenceSettings training;
};

// The settings must outlive the job. `text`: how the text is read.
std::unique_ptr<Job> make_sentence_job(const SentenceJobSettings& settings,
                                       const SentenceTextSettings& text, const RunSettings& run);

struct PairJobSettings {
  std::vector<std::string> pairs;  // files
  bool labelled = false;           // texts with labels
  std::string init, vocabulary;    // files: word vectors, and counts of words; both may be empty
  TokenMode mode{};
  int64_t size = 300;  // without word vectors
  SentenceSettings training;
};

// Called when the texts have been read, to complete the settings by them.
using ChooseByTexts = std::function<void(const PairText&, Progress&)>;

// The settings must outlive the job.
std::unique_ptr<Job> make_pair_job(const PairJobSettings& settings, const RunSettings& run,
                                   ChooseByTexts choose);

struct MeanJobSettings {
  std::string text, vocabulary;  // files, of which one has the counts; the other is empty
  std::string vectors;
  TextFormat format;  // of the text
  MeanSettings mean;
};

// `run`: output and record, threads, memory and messages. Throws Error.
void make_mean_model(const MeanJobSettings& settings, const RunSettings& run,
                     const RecordHead& head);

}  // namespace acevec
