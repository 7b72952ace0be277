#include "train/run_log.h"

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "base/numbers.h"

namespace acevec {
namespace {

std::string header(const TaskDescription& description) {
  std::string names = description.unit + "\tseconds\t" + description.rate;
  for (const std::string& name : description.means) {
    if (!name.empty()) names += '\t' + name;
  }
  names += "\tepoch\tvectors";
  for (const std::string& name : description.evaluation) names += '\t' + name;
  return names;
}

bool is_empty(const Sums& sums) {
  return sums.loss.count == 0 && std::all_of(sums.means.begin(), sums.means.end(),
                                             [](const Mean& mean) { return mean.count == 0; });
}

}  // namespace

RunLog::RunLog(const std::string& path, const Interval& every, const TaskDescription& description,
               bool resumed)
    : description_(description), file_(path, resumed ? header(description) : ""), every_(every) {}

void RunLog::start(const RunState& state, double seconds, const Memory& memory) {
  memory_ = memory;
  schedule_.emplace(every_, state.total, state.done, seconds);
  // If there are sums for the next row, a row with this state in the file was written after the
  // checkpoint, like the last row of a run, and is removed.
  const bool has_row = state.done < state.total && is_empty(memory.recent);
  file_.cut([&](std::string_view line) {
    const int64_t done = take_number<int64_t>(line).value_or(0);
    return done < state.done || (has_row && done == state.done);
  });
  if (file_.empty()) file_.write(header(description_));
}

void RunLog::add(const RunState& state, const Sums& piece, double seconds,
                 const std::string& vectors, bool evaluation_follows) {
  memory_.state = state;
  memory_.recent += piece;
  if (!vectors.empty()) vectors_ = vectors;
  // finish() writes the last row.
  const bool due = schedule_->due(state.done, seconds) && state.done < state.total;
  if ((due || !vectors.empty()) && !evaluation_follows) write_row(seconds, {});
}

void RunLog::write_row(double seconds, const std::optional<Evaluation>& evaluation) {
  std::string row =
      format("%ld\t%.3f\t%.6g", static_cast<long>(memory_.state.done), seconds, memory_.state.rate);
  const std::vector<std::string>& names = description_.means;
  memory_.recent.means.resize(names.size());
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) continue;
    const Mean& mean = memory_.recent.means[i];
    row += mean.count > 0 ? format("\t%.6g", mean.value()) : "\t";
  }
  row += format("\t%ld\t%s", static_cast<long>(memory_.state.epoch), vectors_.c_str());
  for (size_t i = 0; i < description_.evaluation.size(); ++i) {
    row += evaluation ? format("\t%.6g", evaluation->columns[i]) : "\t";
  }
  file_.write(row);
  memory_.recent = {};
  vectors_.clear();
}

}  // namespace acevec
