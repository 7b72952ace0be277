#include "order/order_command.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "base/error.h"
#include "base/output_file.h"
#include "base/progress.h"
#include "order/evaluation.h"
#include "order/settings.h"
#include "vectors/writer.h"

namespace acevec {
namespace {

double mean(double sum, double count) {
  return count > 0 ? sum / count : 0;
}

// Watches over training: shows where it is, writes the log, keeps the vectors that were best.
class Watch {
 public:
  // `log` may be null.
  Watch(const Split& split, const Matrix& vectors, OutputFile* log, Progress& progress)
      : split_(split),
        vectors_(vectors),
        log_(log),
        progress_(progress),
        best_(vectors.rows(), vectors.columns()) {
    if (log_ == nullptr) return;
    log_->write(
        "pairs\tseconds\tpositive_loss\tnoise_loss\tadversarial_loss\tentropy\tspared\t"
        "development_accuracy\ttest_accuracy\n");
  }

  void look(const OrderState& state) {
    const Threshold threshold = best_threshold(vectors_, split_.development);
    if (threshold.accuracy >= threshold_.accuracy) {
      threshold_ = threshold;
      std::copy_n(vectors_.row(0), vectors_.rows() * vectors_.stride(), best_.row(0));
    }
    if (log_ != nullptr) write_log(state, threshold);
    if (progress_.due()) show(state, threshold);
  }

  Matrix& best() { return best_; }  // the vectors that told most development pairs rightly
  const Threshold& threshold() const { return threshold_; }  // and theirs
  double seconds() const { return watch_.seconds(); }

 private:
  void write_log(const OrderState& state, const Threshold& threshold) {
    const OrderLoss& loss = state.loss;
    const OrderAdversaryReport& adversary = state.adversary;
    log_->write(format(
        "%ld\t%.3f\t%.6g\t%.6g\t%.6g\t%.4f\t%.4f\t%.6f\t%.6f\n", static_cast<long>(state.pairs),
        watch_.seconds(), mean(loss.positive, loss.positives), mean(loss.noise, loss.noises),
        mean(loss.adversarial, loss.adversarials), mean(adversary.entropy, adversary.conditions),
        mean(adversary.spared, adversary.conditions), threshold.accuracy,
        accuracy(vectors_, split_.test, threshold.penalty)));
  }

  void show(const OrderState& state, const Threshold& threshold) {
    const double part = static_cast<double>(state.pairs) / static_cast<double>(state.total);
    const double seconds = watch_.seconds();
    progress_.show(format("training %5.1f%%  %s pairs/s  loss %.4f + %.4f  accuracy %.2f%%  ETA %s",
                          100 * part,
                          grouped(std::llround(static_cast<double>(state.pairs) / seconds)).c_str(),
                          mean(state.loss.positive, state.loss.positives),
                          mean(state.loss.noise + state.loss.adversarial,
                               state.loss.noises + state.loss.adversarials),
                          100 * threshold.accuracy, clock_text(seconds / part - seconds).c_str()));
  }

  const Split& split_;
  const Matrix& vectors_;
  OutputFile* log_;
  Progress& progress_;
  Stopwatch watch_;
  Matrix best_;
  Threshold threshold_{1, 0};
};

// Vectors whose threshold is 1, so that a file of them needs to tell no other: penalties grow with
// the square of the length.
void scale_to_threshold(Matrix& vectors, float threshold) {
  const float scale = 1 / std::sqrt(threshold);
  for (int64_t i = 0; i < vectors.rows(); ++i) {
    for (int64_t k = 0; k < vectors.columns(); ++k) vectors.row(i)[k] *= scale;
  }
}

std::string count_text(const std::vector<OrderPair>& pairs) {
  return grouped(static_cast<int64_t>(pairs.size()));
}

void report_split(const Hierarchy& hierarchy, const Split& split, Progress& progress) {
  const int64_t concepts = hierarchy.concepts.size();
  const ExactPairs all = generals_of(concepts, hierarchy.lines);
  progress.note(format("read %s pairs of %s concepts, %s of them different",
                       count_text(hierarchy.lines).c_str(), grouped(concepts).c_str(),
                       grouped(all.pairs()).c_str()));
  progress.note(format(
      "%s to learn from, %s for development, %s for the test: %s of these can be learned "
      "from too, and %s of its negatives are true",
      count_text(split.train).c_str(), count_text(split.development.positives).c_str(),
      count_text(split.test.positives).c_str(),
      grouped(count_shared(split.test.positives, generals_of(concepts, split.train))).c_str(),
      grouped(count_shared(split.test.negatives, all)).c_str()));
}

// How good the vectors are, on the test.
void report_quality(const OrderJob& job, const Hierarchy& hierarchy, const Split& split,
                    const Matrix& vectors, const Threshold& threshold, Progress& progress) {
  if (split.test.positives.empty()) return;
  progress.note(format("accuracy: development %.2f%%, test %.2f%%", 100 * threshold.accuracy,
                       100 * accuracy(vectors, split.test, threshold.penalty)));
  if (job.ranked == 0) return;
  const RankingScore score =
      rank_generals(vectors, generals_of(hierarchy.concepts.size(), hierarchy.lines),
                    split.test.positives, job.ranked, job.training.threads);
  progress.note(
      format("mean average precision, %s concepts: all generals %.4f, held-out generals %.4f",
             grouped(score.concepts).c_str(), score.all, score.held_out));
}

}  // namespace

void run_order(const Options& options) {
  const OrderJob job = read_order_job(options);
  RowWriter output(job.output, job.format);
  const std::unique_ptr<OutputFile> log =
      job.log.empty() ? nullptr : std::make_unique<OutputFile>(job.log);

  Progress progress(job.debug == 0);
  const Hierarchy hierarchy = read_hierarchy(job.train);
  const int64_t held_out =
      std::min(job.held_out, static_cast<int64_t>(unique_pairs(hierarchy.lines).size()) / 10);
  Split split = split_pairs(hierarchy, job.split, held_out, job.training.seed);
  report_split(hierarchy, split, progress);
  if (held_out == 0) {
    progress.note("note: with no pairs held out the threshold is chosen on those learned from");
    split.development = label_pairs(split.train, hierarchy, job.training.seed);
  }

  Matrix vectors = initial_order_vectors(split.train, hierarchy.concepts.size(), job.training.size,
                                         job.training.seed);
  Watch watch(split, vectors, log.get(), progress);
  train_order(split.train, job.training, vectors,
              [&](const OrderState& state) { watch.look(state); });
  progress.note(format("trained in %.2f s", watch.seconds()));
  report_quality(job, hierarchy, split, watch.best(), watch.threshold(), progress);

  scale_to_threshold(watch.best(), watch.threshold().penalty);
  write_vectors(hierarchy.concepts, watch.best(), {}, output);
  if (log) log->commit();
  output.commit();
  progress.note(format("wrote %s vectors of %ld numbers to %s",
                       grouped(hierarchy.concepts.size()).c_str(),
                       static_cast<long>(job.training.size),
                       job.output == "-" ? "standard output" : job.output.c_str()));
}

}  // namespace acevec
