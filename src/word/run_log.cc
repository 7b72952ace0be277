#include "word/run_log.h"

#include "base/error.h"

namespace acevec {
namespace {

constexpr const char* kNames =
    "tokens\tseconds\talpha\tpositive_loss\tnoise_loss\tadversarial_loss\tentropy\t"
    "false_negatives\tadversary_time\tepoch\tvectors";

// A tab and sum / count, or nothing behind the tab where there is nothing to divide by.
std::string mean(double sum, double count) {
  return count > 0 ? format("\t%.6g", sum / count) : "\t";
}

}  // namespace

RunLog::RunLog(const std::string& path, const Interval& every, int64_t negatives)
    : file_(path), every_(every), negatives_(static_cast<double>(negatives)) {}

void RunLog::add(const TrainingState& state, double seconds, const std::string& vectors) {
  if (!schedule_) {
    schedule_.emplace(every_, state.total);
    file_.write(kNames);
  }
  state_ = state;
  recent_ += state.recent;
  // At the end there is finish().
  const bool due = schedule_->due(state.tokens, seconds) && state.tokens < state.total;
  if (due || !vectors.empty()) write_row(seconds, vectors);
}

void RunLog::finish(double seconds, const std::string& vectors) {
  write_row(seconds, vectors);
}

void RunLog::write_row(double seconds, const std::string& vectors) {
  const Loss& loss = recent_.loss;
  const AdversaryReport& adversary = recent_.adversary;
  const auto pairs = static_cast<double>(loss.pairs);
  file_.write(format("%ld\t%.3f\t%.6g", static_cast<long>(state_.tokens), seconds, state_.alpha) +
              mean(loss.positive, pairs) + mean(loss.negative, pairs * negatives_) +
              mean(adversary.adversarial_loss, adversary.rows) +
              mean(adversary.entropy, adversary.rows) + mean(adversary.observed, adversary.rows) +
              mean(recent_.time.adversary, recent_.time.all) +
              format("\t%ld\t%s", static_cast<long>(state_.epoch), vectors.c_str()));
  recent_ = {};
}

}  // namespace acevec
