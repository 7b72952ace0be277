// The interface by which a run exchanges changes with other processes (src/cluster/).
//
// At certain points of the run, the same in all processes, a process sends its changes and
// continues training. At the next point it adds the combined changes of all processes. So at most
// one exchange is under way, and the result depends only on the points, not on the network.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>

#include "base/checkpoint_file.h"
#include "train/task.h"

namespace acevec {

// The actions due by a process's schedules and signals. It is saved as bytes: no padding.
struct Due {
  int32_t evaluation = 0, checkpoint = 0;  // 1: due
  int32_t signal = 0;                      // the signal received, or 0

  bool any() const { return evaluation != 0 || checkpoint != 0 || signal != 0; }
};
static_assert(std::has_unique_object_representations_v<Due>);

// A process's note sent with its changes, or the combined notes of all processes.
struct RunNote {
  int64_t done = 0;  // units so far; summed
  Sums sums;         // since the previous note; summed
  Due due;           // combined: by the first process's schedules, and a signal to any process
};

class Exchange {
 public:
  virtual ~Exchange() = default;

  virtual int64_t total() const = 0;  // units of the runs of all processes together

  // Whether this process, at `done` own units, has reached a point without a call of start().
  virtual bool due(int64_t done) const = 0;

  // Sends this process's changes, even while its threads train. No exchange may be under way.
  virtual void start(const RunNote& own) = 0;
  virtual bool under_way() const = 0;

  // Waits for the exchange under way and applies it. Returns the combined note.
  virtual RunNote finish() = 0;

  // Makes the parameters of all processes equal, except for rounding. No exchange may be under way.
  virtual void complete() = 0;

  // The weighted mean of all processes' evaluations.
  virtual std::optional<Evaluation> mean(const std::optional<Evaluation>& own) = 0;

  // Writes this process's file of a checkpoint, with the parts written by `save`, while no exchange
  // is under way. All files are on disk before the first is renamed, and the function returns when
  // all are renamed: so there is a complete set at any moment, even if a process ends afterwards,
  // and the job with it. Throws Error, in all processes, if one cannot write.
  using Save = std::function<void(CheckpointWriter&)>;
  virtual void write_checkpoint(const std::string& path, const Save& save) = 0;

  // Save and load the exchange's own parts. load() is for a run that has not begun; a different
  // number of threads may have changed the number of its exchanges.
  virtual void save(CheckpointWriter& file) const = 0;
  virtual void load(CheckpointReader& file) = 0;
};

}  // namespace acevec
