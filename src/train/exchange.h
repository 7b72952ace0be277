// The interface through which a run exchanges changes with other processes (src/cluster/).
//
// At certain points of the run, the same in all processes, a process sends its changes and
// continues training. At the next point it adds the combined changes of all. So there is at most
// one exchange at a time, and the result depends on the points alone, not on the network.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>

#include "base/checkpoint_file.h"
#include "train/task.h"

namespace acevec {

// The actions that are due by a process's schedules and signals. No gaps between its members: it is
// in checkpoints.
struct Due {
  int32_t evaluation = 0, checkpoint = 0;  // 1: due
  int32_t signal = 0;                      // the signal that came, or 0

  bool any() const { return evaluation != 0 || checkpoint != 0 || signal != 0; }
};
static_assert(std::has_unique_object_representations_v<Due>);

// A process's note beside its changes, or the sum of all processes' notes.
struct RunNote {
  int64_t done = 0;  // units so far; added up
  Sums sums;         // since the note before; added up
  Due due;           // of all: by the first process's schedules, and a signal that came to any
};

class Exchange {
 public:
  virtual ~Exchange() = default;

  // Units of all processes' runs together.
  virtual int64_t total() const = 0;

  // Whether this process, at `done` of its own units, has come to a point where start() has not
  // been called yet.
  virtual bool due(int64_t done) const = 0;

  // Sends the changes of this process, whether or not its threads train; never while an exchange is
  // under way.
  virtual void start(const RunNote& own) = 0;
  virtual bool under_way() const = 0;

  // Waits for the exchange under way and applies it. Returns the note of all.
  virtual RunNote finish() = 0;

  // Makes the parameters of all processes equal, but for rounding. Nothing may be under way.
  virtual void complete() = 0;

  // The mean of all processes' evaluations, by their weights.
  virtual std::optional<Evaluation> mean(const std::optional<Evaluation>& own) = 0;

  // A checkpoint of the run has a file for each process. This writes the one of this process, with
  // the parts that `save` puts there, while nothing is under way. All files are on the disk before
  // the first gets its name, and it returns when all have theirs: at any moment there is a whole
  // set, and a process that ends afterwards, and with it the job, takes nothing from the others.
  // Throws Error, in all processes, when one cannot write.
  using Save = std::function<void(CheckpointWriter&)>;
  virtual void write_checkpoint(const std::string& path, const Save& save) = 0;

  // The exchange's own parts. load() is for a run that has not begun; other threads than before may
  // have changed the number of its exchanges.
  virtual void save(CheckpointWriter& file) const = 0;
  virtual void load(CheckpointReader& file) = 0;
};

}  // namespace acevec
