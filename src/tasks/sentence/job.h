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
#include "train/job.h"

namespace acevec {

struct SentenceJobSettings {
  std::string train, init, read_vocab;     // files: a text, word vectors, counts of words; or empty
  std::vector<std::string> pairs, labels;  // files of pairs, and of texts with labels; or empty
  SentenceTextSettings text;               // how to read `train`
  SentenceShape shape;                     // the size only where `init` does not decide it
  bool search = true;                      // means of word vectors: for search, not for features
  int64_t lexical_size = 400;              // random dimensions beside those of `init`, for `pairs`
  SentenceSettings training;
};

// The settings must outlive the jobs.
std::unique_ptr<Job> make_sentence_job(const SentenceJobSettings& settings, const RunSettings& run);

// Completes the settings after the texts have been read.
using ChooseByTexts = std::function<void(const PairText&, Progress&)>;

// Learns from `labels`, or else from `pairs`.
std::unique_ptr<Job> make_pair_job(const SentenceJobSettings& settings, const RunSettings& run,
                                   ChooseByTexts choose);

// The counts come from `read_vocab`, or else from `train`. Uses from `run` the output, record,
// threads, memory and messages. Throws Error.
void make_mean_model(const SentenceJobSettings& settings, const RunSettings& run,
                     const RecordHead& head);

}  // namespace acevec
