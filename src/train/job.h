// A training job from its first file to its last message: the steps of all tasks, in a fixed order.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/checkpoint_file.h"
#include "base/json.h"
#include "base/output_file.h"
#include "base/progress.h"
#include "train/checkpoint.h"
#include "train/exchange.h"
#include "train/job_memory.h"
#include "train/run.h"
#include "train/task.h"

namespace acevec {

// The steps that differ between tasks. run_job() calls each once, in this order; each may throw.
class Job {
 public:
  virtual ~Job() = default;

  virtual TaskDescription describe() const = 0;

  // Opens the output files, so that a bad path fails before any work.
  virtual void open(bool resumed) = 0;

  // Reads and checks the data. Returns false if nothing is to be trained.
  virtual bool read(Progress& progress) = 0;

  // Describes the job, for the message that refuses it if its memory does not suffice.
  virtual MemoryUse memory() const = 0;

  // Makes the model and the task that trains it; both live as long as the job. What takes much
  // memory is made here, so that too much is refused before training.
  virtual Task& start(Progress& progress) = 0;

  // Hashes that detect whether a resumed run has the same data.
  virtual std::vector<Identity> identities() const = 0;

  // The exchange with other processes; null if there are none.
  virtual Exchange* exchange() { return nullptr; }

  // Prints the results of the run, and adds them to its record.
  virtual void report(const Run& run, Json& record, Progress& progress) = 0;

  // Writes the result; its files and `record` appear together. Returns "3 vectors of size 100".
  virtual std::string write(std::optional<OutputFile>& record) = 0;
};

// Makes the beginning of a run's record, its settings. Called at the end of the run.
using RecordHead = std::function<Json()>;

// Runs all steps, from the beginning of the run or from `checkpoint`, whose options have been read.
// The job may complete `settings` until it has started its task. Throws Error, and Interrupted if a
// signal came and a checkpoint was written.
void run_job(Job& job, const RunSettings& settings, std::optional<CheckpointReader>& checkpoint,
             const RecordHead& head);

inline constexpr int kRecordIndent = 2;  // spaces per level of a record

}  // namespace acevec
