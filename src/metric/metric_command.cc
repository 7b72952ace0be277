#include "metric/metric_command.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/line_file.h"
#include "base/output_file.h"
#include "base/progress.h"
#include "cli/run_record.h"
#include "metric/evaluation.h"
#include "metric/model_file.h"
#include "metric/settings.h"
#include "train/run.h"
#include "train/run_report.h"

namespace acevec {
namespace {

// May change when a run is resumed, besides what may change in every run.
constexpr std::string_view kMayChange[] = {"rate", "test", "test-labels", "triplets"};

// All that a run reads.
struct Sets {
  Classes classes;
  LabelledPoints train, valid, test;
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
        format("note: %s of names that no point has", counted(set.unknown, "label").c_str()));
  }
}

// Points of a set that are to be kept, or those that are not.
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

// A share of the training points, each of them at random, becomes the points of evaluation.
void hold_out(double share, uint64_t seed, Sets& sets) {
  std::vector<uint8_t> out;
  for (int64_t i = 0; i < sets.train.points.count(); ++i) {
    out.push_back(Random(seed, Stream::kMetricHeldOut, i).uniform() < static_cast<float>(share));
  }
  sets.valid = part_of(sets.train, out, 1);
  sets.train = part_of(sets.train, out, 0);
}

void require_same_columns(const LabelledPoints& train, const LabelledPoints& other,
                          const std::string& path) {
  const int64_t columns = train.points.values.columns();
  if (other.points.values.columns() == columns) return;
  throw Error(format("the points of %s have %s, those of -train %ld; give points of one kind",
                     path.c_str(), counted(other.points.values.columns(), "number").c_str(),
                     static_cast<long>(columns)));
}

// Classes of one point will do where training changes points: then each is its own positive.
void require_classes(const LabelledPoints& train, const MetricSettings& settings) {
  std::vector<int32_t> labels = train.labels;
  std::sort(labels.begin(), labels.end());
  if (labels.front() == labels.back()) {
    throw Error("the training points are all of one class; give points of several");
  }
  const bool changed =
      settings.shift > 0 || settings.dropout.inputs > 0 || settings.dropout.hidden > 0;
  if (!changed && std::adjacent_find(labels.begin(), labels.end()) == labels.end()) {
    throw Error(
        "each training point is a class of its own, so none has a positive; give classes of "
        "several points");
  }
}

// Tells of an accuracy that can only be 0.
void note_strangers(const char* name, const LabelledPoints& set, const LabelledPoints& train,
                    Progress& progress) {
  if (set.points.count() == 0 || share_class(train.labels, set.labels)) return;
  progress.note(format(
      "note: %s has no point of a class that the training points have; its accuracy is 0", name));
}

void require_images(const LabelledPoints& train, int64_t shift) {
  if (shift == 0 || train.points.shape.size() >= 2) return;
  throw Error(
      "-shift moves images, and a point of -train has one dimension; leave it out, or give "
      "an array with height and width");
}

Sets read_sets(const MetricJob& job, Progress& progress) {
  Sets sets;
  const Stopwatch watch;
  sets.train = read_labelled(job.train, job.labels, sets.classes);
  const auto read_more = [&](const std::string& path, const std::string& labels,
                             LabelledPoints& set) {
    if (path.empty()) return;
    set = read_labelled(path, labels.empty() ? job.labels : labels, sets.classes);
    if (labels.empty()) set.unknown = sets.train.unknown = 0;  // they are of both
    require_same_columns(sets.train, set, path);
  };
  read_more(job.valid, job.valid_labels, sets.valid);
  read_more(job.test, job.test_labels, sets.test);
  progress.note(format(
      "read %s of %s in %.2f s",
      counted(sets.train.points.count() + sets.valid.points.count() + sets.test.points.count(),
              "point")
          .c_str(),
      counted(sets.classes.count(), "class").c_str(), watch.seconds()));
  if (job.heldout > 0) {
    hold_out(job.heldout, job.training.seed, sets);
    if (sets.valid.points.count() == 0) throw Error("no point is held out; raise -heldout");
  }
  if (sets.train.points.count() < 2) throw Error("too few points to train on; give more");
  report_points("train", sets.train, progress);
  if (sets.valid.points.count() > 0) report_points("valid", sets.valid, progress);
  if (sets.test.points.count() > 0) report_points("test", sets.test, progress);
  require_classes(sets.train, job.training);
  note_strangers("valid", sets.valid, sets.train, progress);
  note_strangers("test", sets.test, sets.train, progress);
  require_images(sets.train, job.training.shift);
  return sets;
}

uint64_t hash_of(const LabelledPoints& set) {
  if (set.points.count() == 0) return 0;
  const uint64_t hash = XXH3_64bits(set.labels.data(), set.labels.size() * sizeof(int32_t));
  return XXH3_64bits_withSeed(set.points.values.row(0),
                              static_cast<size_t>(set.points.values.bytes()), hash);
}

std::vector<Identity> identities_of(const Sets& sets) {
  const auto count = [](const LabelledPoints& set) { return counted(set.points.count(), "point"); };
  return {{"the points or labels of -train have changed", count(sets.train), hash_of(sets.train)},
          {"the points or labels of -valid have changed", count(sets.valid), hash_of(sets.valid)}};
}

// Of the test points. Adds it to the record.
void report_test(const MetricJob& job, const Sets& sets, const Encoder& encoder,
                 nlohmann::ordered_json& record, Progress& progress) {
  if (sets.test.points.count() == 0) return;
  const int threads = job.run.plan.threads;
  const Matrix known = encode(encoder, sets.train.points.values, threads);
  const Matrix asked = encode(encoder, sets.test.points.values, threads);
  const MetricScores scores = score_vectors({known, sets.train.labels}, {asked, sets.test.labels},
                                            job.training.neighbours, threads);
  progress.note(format("test: accuracy of %s %.4f, of class means %.4f; Recall@1 %.4f, @5 %.4f",
                       counted(job.training.neighbours, "neighbour").c_str(), scores.knn,
                       scores.means, scores.recall1, scores.recall5));
  record["test"] = {{"knn", scores.knn},
                    {"means", scores.means},
                    {"recall1", scores.recall1},
                    {"recall5", scores.recall5}};
}

// Trains as `options` have it, from the beginning or, with a checkpoint, from there on.
void train(Options options, std::optional<CheckpointReader>& checkpoint) {
  MetricJob job = read_metric_job(options);
  const TaskDescription description = describe_metric(job.training);
  std::optional<CheckpointWriter> output(std::in_place, job.run.output);
  std::optional<OutputFile> record_file;
  if (!job.record.empty()) record_file.emplace(job.record);
  std::optional<LineFile> triplets;
  if (!job.triplets.empty()) {
    triplets.emplace(job.triplets, checkpoint ? kTripletColumns : std::string_view{});
    if (triplets->empty()) triplets->write(kTripletColumns);
  }
  RunFiles files(job.run, description, checkpoint ? checkpoint->path() : "");

  Progress progress(job.run.debug == 0);
  const Sets sets = read_sets(job, progress);
  job.shape.inputs = sets.train.points.values.columns();
  // No batch is larger than an epoch, in which each class may have one point twice.
  job.training.batch =
      std::min(job.training.batch, 2 * (sets.train.points.count() + sets.classes.count()));
  check_memory(metric_memory(sets.train, sets.valid, job.shape, job.training, job.run.keep_best,
                             job.run.plan.threads),
               job.run, progress);
  Encoder encoder(job.shape);
  start_encoder(encoder, sets.train.points.values, job.training.seed);
  MetricTask task({sets.train, sets.valid, job.training, encoder,
                   [&](const std::string& path) {
                     CheckpointWriter file(path);
                     write_encoder(encoder, file);
                     file.commit();
                   },
                   triplets ? &*triplets : nullptr});
  if (sets.valid.points.count() > 0) {
    job.run.evaluate_every = Interval{.units = job.report_every * task.units()};
  }
  const std::vector<Identity> identities = identities_of(sets);
  Run run({task, description, job.run, identities, files, progress});
  run.train(checkpoint);
  if (run.epoch_sums().loss.count == 0) {
    progress.note("note: no batch had points of two classes, so nothing was learned; raise -batch");
  }
  nlohmann::ordered_json record = run_record(kMetricCommand, options, job.command);
  record["points"] = {{"train", sets.train.points.count()},
                      {"valid", sets.valid.points.count()},
                      {"test", sets.test.points.count()},
                      {"numbers", job.shape.inputs},
                      {"classes", sets.classes.count()}};
  add_training(run, record);
  report_test(job, sets, encoder, record, progress);
  write_encoder(encoder, *output);
  if (record_file) record_file->write(record_text(record));
  commit_together(record_file, output);
  report_written(format("an encoder to vectors of size %ld", static_cast<long>(job.shape.size)),
                 job.run, files, progress);
}

}  // namespace

void run_metric(const Options& options) {
  Start start = start_of(kMetricCommand, options, kMayChange);
  train(start.options, start.checkpoint);
}

}  // namespace acevec
