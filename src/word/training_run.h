// A training run with all that happens around it: progress, log, snapshots, held-out loss,
// checkpoints, and an end before its time.
#pragma once

#include <optional>

#include "base/checkpoint_file.h"
#include "base/interval.h"
#include "base/progress.h"
#include "base/stop_signal.h"
#include "cli/options.h"
#include "text/corpus.h"
#include "word/initial.h"
#include "word/loss_watch.h"
#include "word/model.h"
#include "word/patience.h"
#include "word/run_log.h"
#include "word/settings.h"
#include "word/snapshots.h"
#include "word/trainer.h"

namespace acevec {

class TrainingRun {
 public:
  // What it works on. All must outlive the run; `log` and `snapshots` may be null.
  struct Parts {
    const Options& options;  // as given, for checkpoints
    const TrainSettings& settings;
    const Corpus& corpus;
    const InitialVectors& initial;  // what is not trained, see start_from()
    SkipGramModel& model;
    RunLog* log;
    Snapshots* snapshots;
    Progress& progress;
  };

  // `noise`: a probability for every word; must outlive the run.
  TrainingRun(const Parts& parts, const std::vector<double>& noise);

  // One of the two comes before train(). To start with the model as it is:
  void begin();

  // Or to take up the run of a checkpoint, of which the options have been read. Throws Error when
  // it is of another text.
  void resume(CheckpointReader& file);

  // Trains to the end; the model is then what shall be written. Throws Error, Diverged, and
  // Interrupted when a signal came and a checkpoint was written.
  void train();

  // What came of it, and the seconds of training so far, with those before a checkpoint.
  TrainingResult result() const { return trainer_.result(); }
  double seconds() const { return memory_.seconds + watch_.seconds(); }

 private:
  // What checkpoints hold besides the model and the trainer's part. No gaps between its members.
  struct Memory {
    double seconds = 0;  // of training, until the checkpoint
    RunLog::Memory log;
    int64_t snapshots = 0;
    Patience patience;
    LossWatch watch;
  };

  // What is kept while training goes on.
  struct Best {
    Matrix words, contexts;
  };

  void start_schedules();
  void leg();
  SkipGramTrainer::Wish report(const TrainingState& now);
  void show(const TrainingState& state, double time);
  void save_snapshot();
  void compute_heldout_loss();
  bool out_of_patience() const;
  void write_checkpoint();
  void say_what_came_of_it(double time);
  std::string last_checkpoint() const;

  Parts parts_;
  Stopwatch watch_;
  SkipGramTrainer trainer_;
  Memory memory_;
  std::optional<Best> best_;  // of the lowest held-out loss, with -patience
  std::optional<Schedule> heldout_, checkpoint_;
  bool heldout_due_ = false, checkpoint_due_ = false;
  std::optional<int64_t> checkpoint_tokens_;  // where the run stood at the last checkpoint
  Loss shown_;                                // since the last line of progress
  std::optional<StopSignal> stop_;            // with -checkpoint
};

}  // namespace acevec
