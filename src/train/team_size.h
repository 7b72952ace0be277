// Measures how many threads make a step fastest.
#pragma once

#include <array>
#include <vector>

namespace acevec {

// A step of few rows ends sooner with fewer threads: each phase waits for all of them, and a row
// that one core wrote reaches another late. The best number depends on the step, the processor and
// its load. So the run tries half or twice as many threads now and then, alternating with the
// present number, and keeps the faster. Results do not depend on it.
class TeamSize {
 public:
  explicit TeamSize(int most) : most_(most), size_(most) {}

  // The threads of the next step, 1 .. most.
  int threads() const { return trial_ && is_other(round_) ? other_ : size_; }

  // Notes the time of that step.
  void took(double seconds);

 private:
  // In turns A B B A: a pattern of two steps in the task meets both sizes alike.
  static constexpr int kRounds = 12;
  static bool is_other(int round) { return round % 4 == 1 || round % 4 == 2; }

  void begin_trial();
  void end_trial(bool changes);

  int most_, size_;
  int other_ = 1;      // the size that a trial compares
  bool fewer_ = true;  // the direction of trials
  bool trial_ = false;
  double pause_ = 0.05, waited_ = 0;  // seconds between trials, and of steps since the last one
  int round_ = 0;
  bool warm_ = false;  // the first step of a round wakes threads: it does not count
  double round_seconds_ = 0;
  int round_steps_ = 0;
  std::array<std::vector<double>, 2> seconds_;  // of a step, each round's mean: now, other
};

}  // namespace acevec
