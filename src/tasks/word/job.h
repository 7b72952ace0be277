// The training job of word vectors: a text in, files of vectors out, or vectors in memory.
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
  std::string_view content;        // where there are none: the text itself
  TextFormat format;
  CorpusSettings corpus;
  std::string read_vocab;  // a file of words and counts in place of the text's; may be empty
  SkipGramSettings skip_gram;
  NoiseSettings noise;
  ExchangeSettings exchange;       // with other processes, where there are any
  bool start_from_counts = false;  // see tasks/word/count_start.h; without subwords
  std::string init;                // the file of the vectors to start from, for messages
  OutputPaths outputs;             // beside the vectors, which go to the run's output
  bool only_vocabulary = false;    // nothing is trained
};

// The caller's functions, called while a job reads; either may change the settings.
struct WordHooks {
  std::function<void(Progress&)> begin;                    // before the text is read
  std::function<void(const Corpus&, Progress&)> complete;  // when it is, before training
};

// The settings must outlive the job, which completes `run` by the text and the processes.
// `initial`: what training starts from.
std::unique_ptr<Job> make_word_job(const WordJobSettings& settings, RunSettings& run,
                                   InitialVectors initial = {}, WordHooks hooks = {},
                                   Peers& all = peers());

}  // namespace acevec
