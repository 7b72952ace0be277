#include "train/run.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <limits>
#include <utility>

#include "base/checkpoint_file.h"
#include "base/error.h"
#include "base/output_file.h"
#include "base/temporary_file.h"

namespace acevec {
namespace {

void copy(const Matrix& from, Matrix& to) {
  std::copy(from.row(0), from.row(from.rows()), to.row(0));
}

void save_evaluation(const std::optional<Evaluation>& evaluation, CheckpointWriter& file) {
  file.put("score", evaluation ? evaluation->score : 0.0);
  file.put("evaluation", evaluation ? evaluation->columns : std::vector<double>{});
}

std::optional<Evaluation> load_evaluation(size_t columns, CheckpointReader& file) {
  Evaluation evaluation{file.get<double>("score"), {}};
  file.get("evaluation", evaluation.columns);
  if (evaluation.columns.empty()) return std::nullopt;
  file.require("evaluation", evaluation.columns.size() == columns);
  return evaluation;
}

}  // namespace

Run::Run(const Parts& parts)
    : parts_(parts),
      parameters_(parts.task.parameters()),
      runner_(parts.task, parts.settings.plan) {
  memory_.patience = Patience(parts.description.higher_is_better);
  if (!parts.settings.keep_best) return;
  for (const Parameter& parameter : parameters_) {
    if (parameter.role != Role::kResult) continue;
    Matrix& matrix = *parameter.matrix;
    best_copy_.push_back({&matrix, Matrix(matrix.rows(), matrix.columns())});
  }
}

void Run::start(std::optional<CheckpointReader>& checkpoint) {
  checkpoint ? resume(*checkpoint) : memory_.divergence.start(parts_.task, parts_.description);
  runner_.prepare();
}

int64_t Run::later_bytes() const {
  int64_t bytes = parts_.task.later_bytes();
  for (const Parameter& parameter : parameters_) {
    bytes += parameter.matrix->untouched_bytes();
    // Up to half of a matrix is sent at once, and as much received.
    if (parts_.exchange != nullptr && parameter.role != Role::kMemory)
      bytes += parameter.matrix->bytes();
  }
  for (const auto& [matrix, kept] : best_copy_) bytes += kept.untouched_bytes();
  return bytes;
}

void Run::train() {
  start_schedules();
  const bool ended = has_ended();
  try {
    if (parts_.exchange != nullptr && !has_ended()) pause_all_processes();
    while (!runner_.done() && !out_of_patience()) run_until_stop();
    require_finite();
  } catch (const Diverged& diverged) {
    throw Diverged(diverged.what() + last_checkpoint());
  }
  stop_.reset();
  if (parts_.files.log) {
    parts_.files.log->finish(seconds(), parts_.settings.output == "-" ? "" : parts_.settings.output,
                             last_);
  }
  report_end(ended);
  if (!best_) return;
  for (const auto& [matrix, kept] : best_copy_) copy(kept, *matrix);
}

// Whether this state is possible in a run at `now`.
bool Run::Memory::is_possible(const RunState& now) const {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / 2;  // leaves room to grow
  return seconds >= 0 && std::isfinite(seconds) && snapshots >= 0 && snapshots <= kMost &&
         patience.since_best() >= 0 && patience.since_best() <= kMost &&
         divergence.is_possible(now);
}

void Run::resume(CheckpointReader& file) {
  check_identities(parts_.identities, file);
  const size_t means = parts_.description.means.size();
  const size_t columns = parts_.description.evaluation.size();
  file.get("run", memory_);
  file.get("log state", log_memory_.state);
  load_sums(log_memory_.recent, means, file);
  best_ = load_evaluation(columns, file);
  last_ = load_evaluation(columns, file);
  for (const Parameter& parameter : parameters_) parameter.matrix->load(parameter.name, file);
  if (best_) {
    for (auto& [matrix, kept] : best_copy_) kept.load("best", file);
  }
  if (parts_.exchange != nullptr) {
    parts_.exchange->load(file);
    file.get("noted", own_due_);
    load_sums(unsent_, means, file);
  }
  runner_.load(means, file);
  file.require("run", memory_.is_possible(runner_.state()));
  if (!runner_.done()) memory_.ended = 0;
  const RunState now = of_all(runner_.state());
  checkpoint_done_ = now.done;
  parts_.progress.note(
      has_ended()
          ? "the run has ended; its result is written again, and a larger -iter continues it"
          : format("resuming at %s of the run, epoch %ld", percent(now.done).c_str(),
                   static_cast<long>(now.epoch)));
}

void Run::write_checkpoint() {
  require_finite();
  const std::string path = parts_.settings.checkpoint_file();
  if (parts_.exchange != nullptr) {
    parts_.exchange->write_checkpoint(path, [&](CheckpointWriter& file) { save(file); });
  } else {
    CheckpointWriter file(path, true);
    save(file);
    file.commit();
  }
  checkpoint_done_ = of_all(runner_.state()).done;
  set_advice_after_signal("; " + resume_advice());
}

std::string Run::resume_advice() const {
  const std::string& checkpoint = parts_.settings.checkpoint;
  return "resume with " + (parts_.exchange == nullptr
                               ? parts_.settings.command + " -resume " + checkpoint
                               : "-resume " + checkpoint + ", under as many processes");
}

void Run::save(CheckpointWriter& file) {
  Memory memory = memory_;
  memory.seconds = seconds();
  if (parts_.files.snapshots) memory.snapshots = parts_.files.snapshots->number();
  const RunLog::Memory log = parts_.files.log ? parts_.files.log->memory() : RunLog::Memory{};
  save_arguments(parts_.settings.command, parts_.settings.arguments, file);
  save_identities(parts_.identities, file);
  file.put("run", memory);
  file.put("log state", log.state);
  save_sums(log.recent, file);
  save_evaluation(best_, file);
  save_evaluation(last_, file);
  for (const Parameter& parameter : parameters_) parameter.matrix->save(parameter.name, file);
  if (best_) {
    for (const auto& [matrix, kept] : best_copy_) kept.save("best", file);
  }
  if (parts_.exchange != nullptr) {
    parts_.exchange->save(file);
    file.put("noted", Due{own_due_.evaluation, own_due_.checkpoint, 0});
    save_sums(unsent_, file);
  }
  runner_.save(file);  // last, since a kPieces run with other threads skips its workers
}

// Writes a checkpoint of the run's end, from which a run with more epochs can continue. A full disk
// must not cost the result, so an error waits until that is written.
void Run::write_final_checkpoint() {
  require_finite();
  if (parts_.settings.checkpoint.empty() || has_ended()) return;
  memory_.ended = 1;
  try {
    write_checkpoint();
  } catch (const Error& error) {
    unwritten_checkpoint_ = error.what();
  }
}

void Run::start_schedules() {
  const RunSettings& settings = parts_.settings;
  RunState now = of_all(runner_.state());
  const double time = memory_.seconds;
  if (settings.evaluate_every) {
    evaluation_.emplace(*settings.evaluate_every, now.total, now.done, time);
  }
  if (!settings.checkpoint.empty()) {
    checkpoint_.emplace(settings.checkpoint_every, now.total, now.done, time);
    stop_.emplace();
  }
  if (parts_.files.snapshots) {
    parts_.files.snapshots->start(now.total, now.done, time, memory_.snapshots);
  }
  // With several processes the log lags behind.
  if (parts_.exchange != nullptr) now.done = log_memory_.state.done;
  if (parts_.files.log) parts_.files.log->start(now, time, log_memory_);
}

// Called after every piece.
TaskRunner::Request Run::report(const RunState& own, const Sums& piece) {
  const std::string& advice = parts_.description.advice;
  if (!std::isfinite(piece.loss.sum)) {
    throw Diverged("training diverged: the loss is no longer a finite number; " + advice);
  }
  const double time = seconds();
  const RunState now = of_all(own);
  shown_ += piece.loss;
  if (parts_.progress.due()) show(now, time);
  const std::lock_guard lock(mutex_);
  if (memory_.divergence.has_diverged(own, piece.loss)) {
    throw Diverged(format("training diverged: the loss, %.2f, stays above the initial loss; %s",
                          memory_.divergence.last(), advice.c_str()));
  }
  const std::string snapshot =
      parts_.files.snapshots ? parts_.files.snapshots->next(now.done, now.total, time) : "";
  record_due(now, time);
  if (parts_.exchange == nullptr) {
    due_ = own_due_;
    if (parts_.files.log) parts_.files.log->add(now, piece, time, snapshot, due_.evaluation != 0);
    return {.save = !snapshot.empty(), .pause = due_.any()};
  }
  unsent_ += piece;
  if (!snapshot.empty()) snapshot_ = snapshot;
  const bool synchronize_now = !synchronizing_ && parts_.exchange->due(own.done);
  if (synchronize_now) synchronizing_ = true;
  return {.save = !snapshot.empty(), .synchronize = synchronize_now};
}

void Run::record_due(const RunState& now, double time) {
  const bool before_end = now.done < now.total;
  if (evaluation_ && evaluation_->due(now.done, time) && before_end) own_due_.evaluation = 1;
  if (checkpoint_ && checkpoint_->due(now.done, time) && before_end) own_due_.checkpoint = 1;
  own_due_.signal = stop_requested();
}

// The state of all processes together, assuming that they are about as far as this one.
RunState Run::of_all(const RunState& own) const {
  if (parts_.exchange == nullptr) return own;
  const int64_t total = parts_.exchange->total();
  const double part = static_cast<double>(own.done) / static_cast<double>(own.total);
  const auto done = static_cast<int64_t>(part * static_cast<double>(total));
  return {own.done == own.total ? total : done, total, own.epoch, own.rate};
}

// Applies the exchange under way and starts another at each point that is due. Returns true if
// something is due for which all threads must wait first; then the run continues from there.
bool Run::synchronize() {
  Exchange& exchange = *parts_.exchange;
  while (exchange.due(runner_.state().done)) {
    if (exchange.under_way()) apply_note(exchange.finish());
    if (due_.any()) return true;
    exchange.start(own_note());
  }
  synchronizing_ = false;
  return false;
}

RunNote Run::own_note() {
  const std::lock_guard lock(mutex_);
  Due due = std::exchange(own_due_, {});
  if (memory_.divergence.is_suspect()) due.checkpoint = 0;
  return {runner_.state().done, std::exchange(unsent_, {}), due};
}

// All processes act on the first process's schedules, and on a signal to any.
void Run::apply_note(const RunNote& all) {
  due_ = all.due;
  if (!parts_.files.log) return;
  const std::lock_guard lock(mutex_);
  const RunState own = runner_.state();
  parts_.files.log->add({all.done, parts_.exchange->total(), own.epoch, own.rate}, all.sums,
                        seconds(), std::exchange(snapshot_, {}), due_.evaluation != 0);
}

void Run::show(const RunState& state, double time) {
  const double part = static_cast<double>(state.done) / static_cast<double>(state.total);
  const TaskDescription& description = parts_.description;
  const double all = time + evaluating_;
  const auto speed = static_cast<int64_t>(static_cast<double>(state.done) / time);
  std::vector<ProgressPart> line{
      {format("training %5.1f%%", 100 * part), 0},
      {format("%s %s/s", grouped(speed).c_str(), description.unit.c_str()), 4},
      {format("%s %.5f", description.rate.c_str(), state.rate), 5},
      {format("loss %.4f", shown_.value()), 2}};
  if (last_) line.push_back({format("%s %.4f", description.score.c_str(), last_->score), 3});
  const bool settled = watch_.seconds() > 1;  // the first steps of a process are slower
  line.push_back({"ETA " + (settled ? clock_text(all / part - all) : "?"), 1});
  parts_.progress.show(line);
  shown_ = {};
}

void Run::save_snapshot() {
  parts_.task.write_snapshot(parts_.files.snapshots->path());
  parts_.files.snapshots->done();
}

void Run::evaluate() {
  require_finite();  // evaluations sort scores, which must not be NaN
  const Stopwatch watch;
  last_ = parts_.task.evaluate();
  if (parts_.exchange != nullptr) last_ = parts_.exchange->mean(last_);
  evaluating_ += watch.seconds();
  if (!last_) return;
  if (!std::isfinite(last_->score)) {
    throw Diverged(format("training diverged: the %s is not a finite number; %s",
                          parts_.description.score.c_str(), parts_.description.advice.c_str()));
  }
  if (!memory_.patience.is_best(last_->score, of_all(runner_.state()).done)) return;
  best_ = last_;
  for (auto& [matrix, kept] : best_copy_) copy(*matrix, kept);
}

bool Run::out_of_patience() const {
  return parts_.settings.patience > 0 && memory_.patience.since_best() >= parts_.settings.patience;
}

void Run::require_finite() const {
  for (const Parameter& parameter : parameters_) {
    if (parameter.role == Role::kResult && !parameter.matrix->finite()) {
      throw Diverged("training diverged: the vectors are no longer finite numbers; " +
                     parts_.description.advice);
    }
  }
}

std::string Run::percent(int64_t done) const {
  return format("%.1f%%", 100 * static_cast<double>(done) /
                              static_cast<double>(of_all(runner_.state()).total));
}

// The end of a divergence message: the checkpoint to resume from.
std::string Run::last_checkpoint() const {
  if (!checkpoint_done_) return "";
  return format("; the last good checkpoint, at %s of the run, is %s (-resume takes another -%s)",
                percent(*checkpoint_done_).c_str(), parts_.settings.checkpoint.c_str(),
                parts_.description.rate.c_str());
}

// Trains until all threads must wait.
void Run::run_until_stop() {
  runner_.run([&](const RunState& now, const Sums& piece) { return report(now, piece); },
              [&] { save_snapshot(); }, [&] { return synchronize(); });
  parts_.exchange != nullptr ? pause_all_processes() : pause(runner_.done());
}

// While all threads wait: does what is due in all processes and, at the end, the last exchanges.
void Run::pause_all_processes() {
  do pause(false);
  while (!out_of_patience() && synchronize());
  if (!runner_.done() && !out_of_patience()) return;
  if (parts_.exchange->under_way()) apply_note(parts_.exchange->finish());
  parts_.exchange->complete();
  due_ = {};
  if (!out_of_patience()) pause(true);
}

// Called while all threads wait: performs what is due. `ended`: whether the run has ended.
void Run::pause(bool ended) {
  const Due due = std::exchange(due_, {});
  const bool alone = parts_.exchange == nullptr;
  if (alone) own_due_ = {};
  if (evaluation_ && (due.evaluation != 0 || ended)) {
    evaluate();
    if (!ended && last_ && parts_.files.log) parts_.files.log->add_evaluation(seconds(), *last_);
  }
  if (ended) write_final_checkpoint();
  if (ended || out_of_patience()) return;
  const int signal_number = alone ? stop_requested() : due.signal;
  const bool good = !alone || !memory_.divergence.is_suspect();
  if ((due.checkpoint != 0 && good) || signal_number != 0) write_checkpoint();
  if (signal_number == 0) return;
  throw Interrupted(
      format("stopped by %s at %s of the run; %s", signal_number == SIGINT ? "SIGINT" : "SIGTERM",
             percent(*checkpoint_done_).c_str(), resume_advice().c_str()),
      signal_number);
}

void Run::report_end(bool ended_before) const {
  const double time = seconds();
  const RunState now = of_all(runner_.state());
  const TaskDescription& description = parts_.description;
  parts_.progress.note(
      format("%s in %.2f s, %s %s/s; mean loss of the last epoch %.4f",
             ended_before ? "had been trained" : "trained", time,
             grouped(static_cast<int64_t>(static_cast<double>(now.done) / time)).c_str(),
             description.unit.c_str(), epoch_sums().loss.value()));
  const Patience& patience = memory_.patience;
  if (!patience.has_score()) return;
  const char* const kept = best_copy_.empty() ? ""
                           : out_of_patience() && now.done < now.total
                               ? "; stopped early, and kept the vectors of the best"
                               : "; kept the vectors of the best";
  parts_.progress.note(format("%s %.4f, the best %.4f at %s of the run%s",
                              description.score.c_str(), patience.last(), patience.best(),
                              percent(patience.best_done()).c_str(), kept));
}

RunFiles::RunFiles(const RunSettings& settings, const TaskDescription& description,
                   const std::string& resumed) {
  if (!settings.checkpoint.empty()) {
    checkpoint = claim_checkpoint(settings.checkpoint, settings.checkpoint_suffix, resumed);
  }
  if (!settings.log.empty()) {
    log.emplace(settings.log, settings.log_every, description, !resumed.empty());
  }
  if (settings.save_every) {
    snapshots.emplace(settings.output, *settings.save_every);
    const OutputFile probe(snapshot_path(settings.output, 1));
  }
}

}  // namespace acevec
