#include "train/snapshots.h"

#include <filesystem>

#include "base/error.h"
#include "base/numbers.h"
#include "base/same_file.h"

namespace acevec {

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

void Snapshots::start(int64_t total, int64_t units, double seconds, int64_t number) {
  schedule_.emplace(every_, total, units, seconds);
  number_ = number;
}

std::string Snapshots::next(int64_t units, int64_t total, double seconds) {
  if (busy_ || units >= total || !schedule_->due(units, seconds)) return "";
  busy_ = true;
  ++number_;
  return path();
}

std::string Snapshots::written() const {
  const std::string first = number_ > 0 ? snapshot_path(output_, 1) : "";
  return number_ > 1 ? first + " .. " + path() : first;
}

}  // namespace acevec
