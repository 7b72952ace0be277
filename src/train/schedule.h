// Schedules within a run, and the snapshots of its vectors.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

namespace acevec {

// An option's value such as 10m, 1% or 5000000. Exactly one member is above 0.
struct Interval {
  double seconds = 0;
  double part = 0;    // share of the run
  int64_t units = 0;  // over all epochs
};

// Parses units (5000000), a time (30s, 10m, 2h) or a share (1%). Throws Error: "give ...".
Interval interval_of(const std::string& typed);

// Decides when an action is due: at each multiple of the interval from the beginning of the run.
class Schedule {
 public:
  // `total`: units of the whole run, which is now at `units` and `seconds`.
  Schedule(const Interval& interval, int64_t total, int64_t units = 0, double seconds = 0);

  // True the first time that such a point has been passed; several at once count as one.
  bool due(int64_t units, double seconds);

 private:
  double now(int64_t units, double seconds) const {
    return by_time_ ? seconds : static_cast<double>(units);
  }

  double step_;
  bool by_time_;
  double next_;
};

// vecs.bin, 1 -> vecs-0001.bin: inserts a number before the file's extension.
std::string snapshot_path(const std::string& output, int64_t number);

// True if `path` is, or would be, a snapshot of `output`.
bool is_snapshot(const std::string& path, const std::string& output);

// The times and names of the snapshots of -save-every. While one is written, no other is due.
class Snapshots {
 public:
  Snapshots(const std::string& output, const Interval& every) : output_(output), every_(every) {}

  // Must be called first. The run is at `units` of `total` and `seconds`, with `number` snapshots.
  void start(int64_t total, int64_t units = 0, double seconds = 0, int64_t number = 0) {
    schedule_.emplace(every_, total, units, seconds);
    number_ = number;
  }

  // The file to write now; empty if no snapshot is due. Called by one thread at a time. None is due
  // at the end of the run, where -output is written instead.
  std::string next(int64_t units, int64_t total, double seconds) {
    if (busy_ || units >= total || !schedule_->due(units, seconds)) return "";
    busy_ = true;
    ++number_;
    return path();
  }

  // The file that next() returned last, for the thread that got it; call done() after writing it.
  std::string path() const { return snapshot_path(output_, number_); }
  void done() { busy_ = false; }

  // For messages: the first file and the last; empty if there is none.
  std::string written() const {
    const std::string first = number_ > 0 ? snapshot_path(output_, 1) : "";
    return number_ > 1 ? first + " .. " + path() : first;
  }

  int64_t number() const { return number_; }

 private:
  std::string output_;
  Interval every_;
  std::optional<Schedule> schedule_;  // set when the run's length is known
  int64_t number_ = 0;
  std::atomic<bool> busy_{false};
};

}  // namespace acevec
