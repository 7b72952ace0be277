// The training job of word vectors: a text in, files of vectors out, or vectors in memory.
#pragma once

#include <functional>
#include <memory>
#include <optional>
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
  ExchangeSettings exchange;     // with other processes, where there are any
  std::string init;              // the file of the vectors to start from, for messages
  OutputPaths outputs;           // beside the vectors, which go to the run's output
  bool only_vocabulary = false;  // nothing is trained
};

// What the caller does while a job reads; either may change the settings.
struct WordHooks {
  std::function<void(Progress&)> begin;                    // before the text is read
  std::function<void(const Corpus&, Progress&)> complete;  // when it is, before training
};

class WordJob final : public Job {
 public:
  // The settings must outlive the job, which completes `run` by the text and the processes.
  // `initial`: what training starts from.
  WordJob(const WordJobSettings& settings, RunSettings& run, InitialVectors initial = {},
          WordHooks hooks = {}, Peers& all = peers());

  TaskDescription describe() const override { return describe_skip_gram(); }
  void open(bool resumed) override;
  bool read(Progress& progress) override;
  MemoryPlan memory() const override;
  Task& start(Progress& progress) override;
  std::vector<Identity> identities() const override;
  Exchange* exchange() override { return exchange_.get(); }
  void report(const Run& run, Json& record, Progress& progress) override;
  std::string write(std::optional<OutputFile>& record) override;

  // The vectors that were learned, which the job then no longer has.
  WordVectors take_vectors();

 private:
  void report_initial(Progress& progress) const;

  const WordJobSettings& settings_;
  RunSettings& run_;
  InitialVectors initial_;
  WordHooks hooks_;
  Peers& all_;
  std::optional<Source> source_;
  std::vector<WordCount> vocabulary_;  // of read_vocab
  Outputs outputs_;
  std::optional<Corpus> corpus_;
  std::optional<SubwordIndex> subwords_;  // until the model has it
  std::vector<double> noise_;
  std::optional<SkipGramModel> model_;
  std::optional<SkipGramTask> task_;
  std::unique_ptr<RowExchange> exchange_;
};

// What training `words` words adds to the memory in use. `subword_rows`: those of V beside the
// words'. `keep_best`: a copy of V and U is kept. `heldout`: there are held-out lines, which are in
// memory already.
MemoryPlan word_memory(int64_t words, const SkipGramSettings& settings, int64_t subword_rows = 0,
                       bool keep_best = false, bool heldout = false);

}  // namespace acevec
