// An interval of a long run: an option's value such as 10m, 1% or 5000000.
#pragma once

#include <cstdint>
#include <string>

namespace acevec {

// One of the three is above 0.
struct Interval {
  double seconds = 0;
  double part = 0;    // of the run
  int64_t units = 0;  // over all epochs
};

// Parses a number of the task's units (tokens, pairs), a time (30s, 10m, 2h) or a part of the run
// (1%). Throws Error: "give ...".
Interval interval_of(const std::string& typed);

// Says when it is time again: at every whole number of intervals from the beginning of the run.
class Schedule {
 public:
  // `total`: units of the whole run, which stands at `units` and `seconds` now.
  Schedule(const Interval& interval, int64_t total, int64_t units = 0, double seconds = 0);

  // True the first time that such a point has been reached; several at once count as one.
  bool due(int64_t units, double seconds);

 private:
  double now(int64_t units, double seconds) const;

  double step_;
  bool by_time_;
  double next_;
};

}  // namespace acevec
