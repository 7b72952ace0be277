// Vectors saved during a run: -save-every.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "train/interval.h"

namespace acevec {

// vecs.bin, 1 -> vecs-0001.bin: a number before the ending of the file's name.
std::string snapshot_path(const std::string& output, int64_t number);

// True when `path` is, or would be, one of the snapshots of `output`.
bool is_snapshot(const std::string& path, const std::string& output);

// When a snapshot is due and what it is called. Only one is written at a time: while that lasts no
// other is due.
class Snapshots {
 public:
  Snapshots(const std::string& output, const Interval& every) : output_(output), every_(every) {}

  // To be called first. The run stands at `units` of `total` and `seconds`, and has `number`
  // snapshots already.
  void start(int64_t total, int64_t units = 0, double seconds = 0, int64_t number = 0);

  // The file to write to now; empty when no snapshot is due. Called by one thread at a time. At the
  // end of the run none is due: -output itself comes then.
  std::string next(int64_t units, int64_t total, double seconds);

  // The file that next() named last, to be written now; done() when that has happened. Called by
  // the thread that next() gave it to.
  std::string path() const { return snapshot_path(output_, number_); }
  void done() { busy_ = false; }

  // For the user: the first file and the last; empty when there is none.
  std::string written() const;

  int64_t number() const { return number_; }

 private:
  std::string output_;
  Interval every_;
  std::optional<Schedule> schedule_;  // once the run's length is known
  int64_t number_ = 0;
  std::atomic<bool> busy_{false};
};

}  // namespace acevec
