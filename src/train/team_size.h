// Measures which number of threads makes steps fastest.
#pragma once

#include <array>
#include <vector>

namespace acevec {

// A step of few rows is faster with fewer threads: each phase waits for all of them, and a row
// written by one core reaches another late. The best number depends on the step, the processor and
// its load. So the run occasionally tries half or twice as many threads, alternating with the
// present number, and keeps the faster. Results do not depend on it.
class TeamSize {
 public:
  explicit TeamSize(int most) : most_(most), size_(most) {}

  // The threads of the next step, 1 .. most.
  int threads() const { return trial_ && is_other(round_) ? other_ : size_; }

  void record(double seconds);  // the time of that step

 private:
  // The order is A B B A, so that a two-step pattern in the task affects both sizes alike.
  static constexpr int kRounds = 12;
  static bool is_other(int round) { return round % 4 == 1 || round % 4 == 2; }

  void begin_trial();
  void end_trial(bool changes);

  int most_, size_;
  int other_ = 1;      // size that a trial compares
  bool fewer_ = true;  // the direction of trials
  bool trial_ = false;
  double pause_ = 0.05, waited_ = 0;  // seconds between trials, and in steps since the last trial
  int round_ = 0;
  bool warmed_up_ = false;  // the first step of a round wakes threads, and is not counted
  double round_seconds_ = 0;
  int round_steps_ = 0;
  std::array<std::vector<double>, 2> seconds_;  // a step's mean time per round: present, other
};

}  // namespace acevec
