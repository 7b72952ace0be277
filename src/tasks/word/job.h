// The training job of word vectors: reads a text, and writes vectors to files.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/peers.h"
#include "cluster/row_exchange.h"
#include "noise/noise.h"
#include "tasks/word/model.h"
#include "tasks/word/task.h"
#include "text/corpus.h"
#include "text/source.h"
#include "train/job.h"

namespace acevec {

struct WordJobSettings {
  std::vector<std::string> train;  // files of text, "-" is standard input
  std::string_view content;        // the text itself, if there are no files
  TextFormat format;
  CorpusSettings corpus;
  std::string read_vocab;  // file of words and counts that replace the text's; may be empty
  SkipGramSettings skip_gram;
  NoiseSettings noise;
  ExchangeSettings exchange;       // with other processes, if any
  bool start_from_counts = false;  // see tasks/word/count_start.h; without subwords
  std::string init;                // file of the initial vectors, for messages
  OutputPaths outputs;             // other than the vectors, which go to the run's output
  bool only_vocabulary = false;    // nothing is trained
};

// Callbacks while a job reads; either may change the settings.
struct WordHooks {
  std::function<void(Progress&)> begin;                    // before the text is read
  std::function<void(const Corpus&, Progress&)> complete;  // after it is read, before training
};

// The settings must outlive the job, which completes `run` from the text and the processes.
// `initial`: the vectors from which training starts.
std::unique_ptr<Job> make_word_job(const WordJobSettings& settings, RunSettings& run,
                                   InitialVectors initial = {}, WordHooks hooks = {});

}  // namespace acevec
