#include "word/run_log.h"

#include <charconv>
#include <string_view>

#include "base/error.h"

namespace acevec {
namespace {

constexpr const char* kNames =
    "tokens\tseconds\talpha\tpositive_loss\tnoise_loss\tadversarial_loss\tentropy\t"
    "false_negatives\tadversary_time\tepoch\tvectors\theldout_loss";

// A tab and sum / count, or nothing behind the tab where there is nothing to divide by.
std::string mean(double sum, double count) {
  return count > 0 ? format("\t%.6g", sum / count) : "\t";
}

}  // namespace

RunLog::RunLog(const std::string& path, const Interval& every, int64_t negatives, bool going_on)
    : file_(path, going_on ? kNames : ""),
      every_(every),
      negatives_(static_cast<double>(negatives)) {}

void RunLog::start(const TrainingState& state, double seconds, const Memory& memory) {
  schedule_.emplace(every_, state.total, state.tokens, seconds);
  memory_ = memory;
  file_.cut([&](std::string_view line) {
    int64_t tokens = 0;
    std::from_chars(line.data(), line.data() + line.size(), tokens);
    return tokens <= state.tokens;
  });
  if (file_.empty()) file_.write(kNames);
}

void RunLog::add(const TrainingState& state, double seconds, const std::string& vectors,
                 bool heldout_follows) {
  memory_.state = state;
  memory_.recent += state.recent;
  if (!vectors.empty()) vectors_ = vectors;
  // At the end there is finish().
  const bool due = schedule_->due(state.tokens, seconds) && state.tokens < state.total;
  if ((due || !vectors.empty()) && !heldout_follows) write_row(seconds, {});
}

void RunLog::add_heldout(double seconds, double loss) {
  write_row(seconds, loss);
}

void RunLog::finish(double seconds, const std::string& vectors, std::optional<double> heldout) {
  vectors_ = vectors;
  write_row(seconds, heldout);
}

void RunLog::write_row(double seconds, std::optional<double> heldout) {
  const TrainingState& state = memory_.state;
  const Loss& loss = memory_.recent.loss;
  const AdversaryReport& adversary = memory_.recent.adversary;
  const auto pairs = static_cast<double>(loss.pairs);
  file_.write(format("%ld\t%.3f\t%.6g", static_cast<long>(state.tokens), seconds, state.alpha) +
              mean(loss.positive, pairs) + mean(loss.negative, pairs * negatives_) +
              mean(adversary.adversarial_loss, adversary.rows) +
              mean(adversary.entropy, adversary.rows) + mean(adversary.observed, adversary.rows) +
              mean(memory_.recent.time.adversary, memory_.recent.time.all) +
              format("\t%ld\t%s", static_cast<long>(state.epoch), vectors_.c_str()) +
              mean(heldout.value_or(0), heldout ? 1 : 0));
  memory_.recent = {};
  vectors_.clear();
}

}  // namespace acevec
