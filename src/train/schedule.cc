#include "train/schedule.h"

#include <cmath>
#include <filesystem>
#include <string_view>

#include "base/error.h"
#include "base/numbers.h"
#include "base/same_file.h"

namespace acevec {
namespace {

constexpr double kMax = 9e15;  // integers are exact in a double up to here

// The seconds of a unit of time; 0 if it is none.
double seconds_of(std::string_view unit) {
  return unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
}

}  // namespace

Interval interval_of(const std::string& typed) {
  std::string_view unit = typed;  // what remains after the number
  const double number = take_number<double>(unit).value_or(0);
  if (number > 0 && number <= kMax) {
    if (unit.empty() && number == std::floor(number)) {
      return {.units = static_cast<int64_t>(number)};
    }
    if (unit == "%" && number <= 100) return {.part = number / 100};
    if (seconds_of(unit) > 0) return {.seconds = number * seconds_of(unit)};
  }
  throw Error(
      "give a number of tokens, pairs or triples (5000000), a time (30s, 10m, 2h) or a part of the "
      "run (5%)");
}

Schedule::Schedule(const Interval& interval, int64_t total, int64_t units, double seconds)
    : step_(interval.seconds > 0 ? interval.seconds
            : interval.units > 0 ? static_cast<double>(interval.units)
                                 : interval.part * static_cast<double>(total)),
      by_time_(interval.seconds > 0),
      next_((std::floor(now(units, seconds) / step_) + 1) * step_) {}

bool Schedule::due(int64_t units, double seconds) {
  const double reached = now(units, seconds);
  if (reached < next_) return false;
  next_ = (std::floor(reached / step_) + 1) * step_;
  return true;
}

std::string snapshot_path(const std::string& output, int64_t number) {
  const std::filesystem::path path(output);
  const std::string name = path.stem().string() + format("-%04ld", static_cast<long>(number)) +
                           path.extension().string();
  return (path.parent_path() / name).string();
}

bool is_snapshot(const std::string& path, const std::string& output) {
  const std::string stem = std::filesystem::path(path).stem().string();
  const size_t dash = stem.rfind('-');
  if (dash == std::string::npos) return false;
  const auto number = number_of<int64_t>(std::string_view(stem).substr(dash + 1));
  return number && same_file(path, snapshot_path(output, *number));
}

}  // namespace acevec
