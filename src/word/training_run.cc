#include "word/training_run.h"

#include <algorithm>
#include <cmath>
#include <csignal>

#include "base/error.h"
#include "vectors/writer.h"
#include "word/checkpoint.h"

namespace acevec {
namespace {

std::string percent(int64_t tokens, int64_t total) {
  return format("%.1f%%", 100 * static_cast<double>(tokens) / static_cast<double>(total));
}

void copy(const Matrix& from, Matrix& to) {
  std::copy(from.row(0), from.row(from.rows()), to.row(0));
}

}  // namespace

TrainingRun::TrainingRun(const Parts& parts, const std::vector<double>& noise)
    : parts_(parts), trainer_(parts.corpus, noise, parts.settings.skip_gram, parts.model) {
  if (parts.settings.patience > 0) {
    const Matrix& words = parts.model.words;
    best_.emplace(
        Best{Matrix(words.rows(), words.columns()), Matrix(words.rows(), words.columns())});
  }
}

// Vectors that know nothing score 0 everywhere. A run that begins with good ones may well get worse
// for a while, and is only held to that.
void TrainingRun::begin() {
  const double nothing =
      std::log(2.0) * (1 + static_cast<double>(parts_.settings.skip_gram.negatives));
  memory_.watch.start(std::max(nothing, trainer_.start_loss().mean()));
}

void TrainingRun::resume(CheckpointReader& file) {
  check_identity(parts_.corpus, parts_.initial, file);
  file.get("run", memory_);
  parts_.model.load(file);
  if (best_ && memory_.patience.noted()) {
    best_->words.load("best words", file);
    best_->contexts.load("best contexts", file);
  }
  trainer_.load(file);
  const TrainingState now = trainer_.state();
  checkpoint_tokens_ = now.tokens;
  parts_.progress.note(format("going on at %s of the run, epoch %ld",
                              percent(now.tokens, now.total).c_str(),
                              static_cast<long>(now.epoch)));
}

void TrainingRun::write_checkpoint() {
  if (!parts_.model.finite()) {
    throw Diverged(
        "training diverged: the vectors are no longer finite numbers; lower -alpha, or -size");
  }
  Memory memory = memory_;
  memory.seconds = seconds();
  if (parts_.log != nullptr) memory.log = parts_.log->memory();
  if (parts_.snapshots != nullptr) memory.snapshots = parts_.snapshots->number();
  CheckpointWriter file(parts_.settings.checkpoint);
  save_options(parts_.options, file);
  save_identity(parts_.corpus, parts_.initial, file);
  file.put("run", memory);
  parts_.model.save(file);
  if (best_ && memory.patience.noted()) {
    best_->words.save("best words", file);
    best_->contexts.save("best contexts", file);
  }
  trainer_.save(file);
  file.commit();
  checkpoint_tokens_ = trainer_.state().tokens;
}

void TrainingRun::start_schedules() {
  const TrainSettings& settings = parts_.settings;
  const TrainingState now = trainer_.state();
  if (settings.heldout > 0) {
    heldout_.emplace(settings.heldout_every, now.total, now.tokens, memory_.seconds);
  }
  if (!settings.checkpoint.empty()) {
    checkpoint_.emplace(settings.checkpoint_every, now.total, now.tokens, memory_.seconds);
    stop_.emplace();
  }
  if (parts_.log != nullptr) parts_.log->start(now, memory_.seconds, memory_.log);
  if (parts_.snapshots != nullptr) {
    parts_.snapshots->start(now.total, now.tokens, memory_.seconds, memory_.snapshots);
  }
}

// After every chunk.
SkipGramTrainer::Wish TrainingRun::report(const TrainingState& now) {
  const double time = seconds();
  shown_ += now.recent.loss;
  if (parts_.progress.due()) show(now, time);
  if (memory_.watch.is_worse_than_start(now)) {
    throw Diverged(
        format("training diverged: the loss, %.2f, stays above that of the vectors it "
               "began with; lower -alpha, or -size",
               memory_.watch.last()));
  }
  const bool before_end = now.tokens < now.total;
  if (heldout_ && heldout_->due(now.tokens, time) && before_end) heldout_due_ = true;
  if (checkpoint_ && checkpoint_->due(now.tokens, time) && before_end) checkpoint_due_ = true;
  const std::string snapshot =
      parts_.snapshots != nullptr ? parts_.snapshots->next(now.tokens, now.total, time) : "";
  if (parts_.log != nullptr) parts_.log->add(now, time, snapshot, heldout_due_);
  const bool stop = stop_ && stop_->received() != 0;
  return {.save = !snapshot.empty(), .pause = heldout_due_ || checkpoint_due_ || stop};
}

void TrainingRun::show(const TrainingState& state, double time) {
  const double part = static_cast<double>(state.tokens) / static_cast<double>(state.total);
  const std::string heldout =
      memory_.patience.noted() ? format("  held-out %.4f", memory_.patience.last()) : "";
  parts_.progress.show(
      format("training %5.1f%%  %s tokens/s  alpha %.5f  loss %.4f%s  ETA %s", 100 * part,
             grouped(static_cast<int64_t>(static_cast<double>(state.tokens) / time)).c_str(),
             state.alpha, shown_.mean(), heldout.c_str(), clock_text(time / part - time).c_str()));
  shown_ = {};
}

void TrainingRun::save_snapshot() {
  RowWriter file(parts_.snapshots->path(), parts_.settings.output_format);
  write_vectors(parts_.corpus.vocabulary(), parts_.model.words, parts_.initial.words, file);
  file.commit();
  parts_.snapshots->done();
}

void TrainingRun::compute_heldout_loss() {
  heldout_due_ = false;
  const Loss loss = trainer_.heldout_loss();
  if (loss.pairs == 0) return;
  if (!std::isfinite(loss.mean())) {
    throw Diverged(
        "training diverged: the held-out loss is not a finite number; lower -alpha, or -size");
  }
  if (memory_.patience.is_lowest(loss.mean(), trainer_.state().tokens) && best_) {
    copy(parts_.model.words, best_->words);
    copy(parts_.model.contexts, best_->contexts);
  }
}

bool TrainingRun::out_of_patience() const {
  return best_ && memory_.patience.since_lowest() >= parts_.settings.patience;
}

// Where a run that cannot go on may be taken up again, for its last words.
std::string TrainingRun::last_checkpoint() const {
  if (!checkpoint_tokens_) return "";
  return format(
      "; the last good checkpoint, at %s of the run, is %s (-resume takes another -alpha)",
      percent(*checkpoint_tokens_, trainer_.state().total).c_str(),
      parts_.settings.checkpoint.c_str());
}

// Until the next time that all threads meet.
void TrainingRun::leg() {
  trainer_.run([&](const TrainingState& now) { return report(now); }, [&] { save_snapshot(); });
  if (heldout_ && (heldout_due_ || trainer_.done())) {
    const bool row_waits = heldout_due_ && !trainer_.done() && parts_.log != nullptr;
    compute_heldout_loss();
    if (row_waits) parts_.log->add_heldout(seconds(), memory_.patience.last());
  }
  if (trainer_.done() || out_of_patience()) return;
  const int signal_number = stop_ ? stop_->received() : 0;
  const bool good = !memory_.watch.in_doubt();
  if ((checkpoint_due_ && good) || signal_number != 0) write_checkpoint();
  checkpoint_due_ = false;
  if (signal_number == 0) return;
  throw Interrupted(format("stopped by %s at %s of the run; go on with acevec -resume %s",
                           signal_number == SIGINT ? "SIGINT" : "SIGTERM",
                           percent(*checkpoint_tokens_, trainer_.state().total).c_str(),
                           parts_.settings.checkpoint.c_str()),
                    signal_number);
}

void TrainingRun::say_what_came_of_it(double time) {
  const TrainingResult result = trainer_.result();
  const TrainingState now = trainer_.state();
  Progress& progress = parts_.progress;
  progress.note(
      format("trained in %.2f s, %s tokens/s; mean loss of the last epoch %.4f", time,
             grouped(static_cast<int64_t>(static_cast<double>(now.tokens) / time)).c_str(),
             result.loss.mean()));
  const Patience& patience = memory_.patience;
  if (patience.noted()) {
    progress.note(format("held-out loss %.4f, the lowest %.4f at %s of the run%s", patience.last(),
                         patience.lowest(), percent(patience.lowest_tokens(), now.total).c_str(),
                         !best_ ? ""
                         : out_of_patience()
                             ? "; stopped there, and the vectors are those of the lowest"
                             : "; the vectors are those of the lowest"));
  }
  if (parts_.settings.skip_gram.adversary) {
    const AdversaryReport mean = result.adversary.mean();
    progress.note(
        format("ace: loss on noise %.4f, on adversarial negatives %.4f; entropy %.2f nats; "
               "%.1f%% of the candidates were observed pairs (filter errs in %.1f%%)",
               mean.noise_loss, mean.adversarial_loss, mean.entropy, 100 * mean.observed,
               100 * result.false_positive_rate));
  }
  if (result.loss.pairs == 0) {
    progress.note(
        "note: the last epoch had no pairs of words to learn from; give more text, lines of "
        "two words or more, or -sample 0");
  }
}

void TrainingRun::train() {
  start_schedules();
  try {
    while (!trainer_.done() && !out_of_patience()) leg();
  } catch (const Diverged& diverged) {
    throw Diverged(diverged.what() + last_checkpoint());
  }
  stop_.reset();
  const double time = seconds();
  const Patience& patience = memory_.patience;
  if (parts_.log != nullptr) {
    parts_.log->finish(time, parts_.settings.output == "-" ? "" : parts_.settings.output,
                       patience.noted() ? std::optional(patience.last()) : std::nullopt);
  }
  say_what_came_of_it(time);
  if (!best_ || !patience.noted()) return;
  copy(best_->words, parts_.model.words);
  copy(best_->contexts, parts_.model.contexts);
}

}  // namespace acevec
