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
  std::string train, init;  // files; `init`, of initial vectors, may be empty
  SentenceShape shape;
  SentenceSettings training;
};

// The settings must outlive the job. `text`: settings of reading the text.
std::unique_ptr<Job> make_sentence_job(const SentenceJobSettings& settings,
                                       const SentenceTextSettings& text, const RunSettings& run);

struct PairJobSettings {
  std::vector<std::string> pairs;  // files
  bool labelled = false;           // texts with labels
  std::string init, vocabulary;    // files: word vectors, and counts of words; both may be empty
  TokenMode mode{};
  int64_t size = 300;  // dimension if there are no word vectors
  SentenceSettings training;
};

// Completes the settings after the texts have been read.
using ChooseByTexts = std::function<void(const PairText&, Progress&)>;

// The settings must outlive the job.
std::unique_ptr<Job> make_pair_job(const PairJobSettings& settings, const RunSettings& run,
                                   ChooseByTexts choose);

struct MeanJobSettings {
  std::string text, vocabulary;  // files; one has the counts, the other is empty
  std::string vectors;
  TextFormat format;  // format of the text
  MeanSettings mean;
};

// Uses from `run` the output, record, threads, memory and messages. Throws Error.
void make_mean_model(const MeanJobSettings& settings, const RunSettings& run,
                     const RecordHead& head);

}  // namespace acevec
