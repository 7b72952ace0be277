#include "train/team_size.h"

#include <algorithm>

namespace acevec {
namespace {

constexpr double kRound = 0.002;      // least seconds of a round
constexpr double kLongStep = 0.02;    // seconds above which a step needs all threads
constexpr double kGain = 0.97;        // ratio of times below which a gain is not noise
constexpr double kFirstPause = 0.25;  // seconds; doubled by each trial that changes nothing
constexpr double kLongestPause = 20;

double median(std::vector<double>& values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

void TeamSize::record(double seconds) {
  if (most_ == 1) return;
  if (!trial_) {
    waited_ += seconds;
    if (waited_ >= pause_) begin_trial();
    return;
  }
  if (seconds > kLongStep && !is_other(round_)) return end_trial(false);
  if (!warmed_up_) {
    warmed_up_ = true;
    return;
  }
  round_seconds_ += seconds;
  ++round_steps_;
  if (round_seconds_ < kRound) return;
  seconds_[is_other(round_) ? 1 : 0].push_back(round_seconds_ / round_steps_);
  round_seconds_ = 0;
  round_steps_ = 0;
  warmed_up_ = is_other(round_) == is_other(round_ + 1);
  if (++round_ == kRounds) end_trial(median(seconds_[1]) < kGain * median(seconds_[0]));
}

void TeamSize::begin_trial() {
  trial_ = true;
  other_ = fewer_ ? size_ / 2 : std::min(2 * size_, most_);
  round_ = round_steps_ = 0;
  round_seconds_ = 0;
  warmed_up_ = false;
  for (std::vector<double>& values : seconds_) values.clear();
}

// After a change the next trial is soon, and in the same direction; otherwise in the other.
void TeamSize::end_trial(bool changes) {
  trial_ = false;
  waited_ = 0;
  if (changes) size_ = other_;
  if (!changes) fewer_ = !fewer_;
  if (size_ == 1) fewer_ = false;
  if (size_ == most_) fewer_ = true;
  pause_ = changes ? 0 : std::clamp(2 * pause_, kFirstPause, kLongestPause);
}

}  // namespace acevec
