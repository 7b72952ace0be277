#include "tasks/metric/job.h"

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "base/output_file.h"
#include "tasks/metric/points.h"

namespace acevec {
namespace {

// The points that a run reads.
struct Sets {
  Names classes;
  LabelledPoints train, valid;
};

void report_points(const char* name, const LabelledPoints& set, Progress& progress) {
  progress.note(format("%s: %s of %s", name, counted(set.points.count(), "point").c_str(),
                       counted(set.points.values.columns(), "number").c_str()));
  if (set.unlabelled > 0) {
    progress.note(
        format("note: left out %s without a label", counted(set.unlabelled, "point").c_str()));
  }
  if (set.unknown > 0) {
    progress.note(
        format("note: %s for names that no point has", counted(set.unknown, "label").c_str()));
  }
}

LabelledPoints part_of(const LabelledPoints& set, const std::vector<uint8_t>& marks, uint8_t mark) {
  LabelledPoints part;
  part.points.values =
      Matrix(std::count(marks.begin(), marks.end(), mark), set.points.values.columns());
  part.points.shape = set.points.shape;
  for (size_t i = 0; i < marks.size(); ++i) {
    if (marks[i] != mark) continue;
    std::copy_n(set.points.values.row(static_cast<int64_t>(i)), set.points.values.columns(),
                part.points.values.row(std::ssize(part.labels)));
    part.labels.push_back(set.labels[i]);
  }
  return part;
}

// Moves training points to the validation points, each with probability `share`.
void hold_out(double share, uint64_t seed, Sets& sets) {
  std::vector<uint8_t> out;
  for (int64_t i = 0; i < sets.train.points.count(); ++i) {
    out.push_back(Random(seed, Stream::kMetricHeldOut, i).uniform() < static_cast<float>(share));
  }
  sets.valid = part_of(sets.train, out, 1);
  LabelledPoints kept = part_of(sets.train, out, 0);
  sets.train.points = std::move(kept.points);
  sets.train.labels = std::move(kept.labels);
}

void require_same_columns(const LabelledPoints& train, const LabelledPoints& other,
                          const std::string& path) {
  const int64_t columns = train.points.values.columns();
  if (other.points.values.columns() == columns) return;
  throw Error(format("the points of %s have %s, and those of -train %ld; dimensions must match",
                     path.c_str(), counted(other.points.values.columns(), "number").c_str(),
                     static_cast<long>(columns)));
}

// Classes of a single point suffice if training shifts points: then each is its own positive.
void require_classes(const LabelledPoints& train, const MetricSettings& settings) {
  std::vector<int32_t> labels = train.labels;
  std::sort(labels.begin(), labels.end());
  if (labels.front() == labels.back()) {
    throw Error("the training points are all of one class; give points of several");
  }
  if (settings.shift == 0 && std::adjacent_find(labels.begin(), labels.end()) == labels.end()) {
    throw Error(
        "each training point is a class of its own, so none has a positive; give classes of "
        "several points");
  }
}

void require_images(const LabelledPoints& train, int64_t shift) {
  if (shift == 0 || train.points.shape.size() >= 2) return;
  throw Error(
      "-shift moves images, and a point of -train has one dimension; leave it out, or give "
      "an array with height and width");
}

Sets read_sets(const MetricJobSettings& a, Progress& progress) {
  Sets sets;
  const Stopwatch watch;
  Labels labels(a.labels, sets.classes);
  sets.train = labels.read(a.train);
  if (!a.valid.empty()) {
    const bool shared = a.valid_labels.empty();
    sets.valid = shared ? labels.read(a.valid) : Labels(a.valid_labels, sets.classes).read(a.valid);
    if (shared) sets.valid.unknown = sets.train.unknown = 0;  // labels may be of either set
    require_same_columns(sets.train, sets.valid, a.valid);
  }
  progress.note(
      format("read %s of %s in %.2f s",
             counted(sets.train.points.count() + sets.valid.points.count(), "point").c_str(),
             counted(sets.classes.size(), "class").c_str(), watch.seconds()));
  if (a.heldout > 0) {
    hold_out(a.heldout, a.training.seed, sets);
    if (sets.valid.points.count() == 0) throw Error("no point is held out; raise -heldout");
  }
  if (sets.train.points.count() < 2) throw Error("too few points to train on; give more");
  report_points("train", sets.train, progress);
  if (sets.valid.points.count() > 0) report_points("valid", sets.valid, progress);
  require_classes(sets.train, a.training);
  if (sets.valid.points.count() > 0 && !share_class(sets.train.labels, sets.valid.labels)) {
    progress.note("note: no point of valid has a class of the training points; its accuracy is 0");
  }
  require_images(sets.train, a.training.shift);
  return sets;
}

uint64_t hash_of(const LabelledPoints& set) {
  if (set.points.count() == 0) return 0;
  const uint64_t hash = hash_of_bytes(set.labels.data(), set.labels.size() * sizeof(int32_t));
  return hash_of_bytes(set.points.values.row(0), static_cast<size_t>(set.points.values.bytes()),
                       hash);
}

class MetricJob final : public Job {
 public:
  MetricJob(const MetricJobSettings& settings, RunSettings& run)
      : settings_(settings), run_(run), training_(settings.training), shape_(settings.shape) {}

  TaskDescription describe() const override { return describe_metric(training_); }
  // A resumed run appends to its file of triplets.
  void open(bool resumed) override {
    open_if(output_, run_.output);
    open_if(triplets_, settings_.triplets, resumed ? kTripletColumns : std::string_view{});
    if (triplets_ && triplets_->empty()) triplets_->write(kTripletColumns);
  }

  bool read(Progress& progress) override {
    sets_ = read_sets(settings_, progress);
    shape_.inputs = sets_.train.points.values.columns();
    // No batch is larger than an epoch, in which each class may repeat one point.
    training_.batch =
        std::min(training_.batch, 2 * (sets_.train.points.count() + sets_.classes.size()));
    return true;
  }

  MemoryUse memory() const override {
    return memory_of_training("on " + counted(sets_.train.points.count(), "point"), shape_.size,
                              "lower -hidden or -batch");
  }

  Task& start(Progress& progress) override {
    const Points& points = sets_.train.points;
    encoder_.emplace(shape_);
    start_encoder(*encoder_, points.values, training_.seed);
    own_scales_ = points.shape.size() < 2 && scale_columns(*encoder_, points.values);
    if (own_scales_) {
      progress.note("columns: their units differ, so each is divided by its own deviation");
    }
    task_.emplace(MetricTask::Parts{sets_.train, sets_.valid, training_, *encoder_,
                                    triplets_ ? &*triplets_ : nullptr});
    if (sets_.valid.points.count() > 0) {
      run_.evaluate_every = Interval{.units = task_->units()};
    }
    return *task_;
  }

  std::vector<Identity> identities() const override {
    const auto count = [](const LabelledPoints& set) {
      return counted(set.points.count(), "point");
    };
    return {
        {"the points or labels of -train have changed", count(sets_.train), hash_of(sets_.train)},
        {"the points or labels of -valid have changed", count(sets_.valid), hash_of(sets_.valid)}};
  }

  void report(const Run& run, Json& record, Progress& progress) override {
    if (run.epoch_sums().loss.count == 0) {
      progress.note(
          "note: no batch had points of two classes, so nothing was learned; raise -batch");
    }
    record.put("/points", {{"train", sets_.train.points.count()},
                           {"valid", sets_.valid.points.count()},
                           {"numbers", shape_.inputs},
                           {"classes", sets_.classes.size()},
                           {"own_scales", own_scales_}});
  }

  std::string write(std::optional<OutputFile>& record) override {
    if (output_) write_encoder(*encoder_, *output_);
    commit_together(record, output_);
    return format("an encoder to vectors of size %ld", static_cast<long>(shape_.size));
  }

 private:
  const MetricJobSettings& settings_;
  RunSettings& run_;
  MetricSettings training_;  // adjusted to the points, which is not recorded
  EncoderShape shape_;
  std::optional<CheckpointWriter> output_;
  std::optional<LineFile> triplets_;
  Sets sets_;
  bool own_scales_ = false;  // each column has one
  std::optional<Encoder> encoder_;
  std::optional<MetricTask> task_;
};

}  // namespace

std::unique_ptr<Job> make_metric_job(const MetricJobSettings& settings, RunSettings& run) {
  return std::make_unique<MetricJob>(settings, run);
}

}  // namespace acevec
