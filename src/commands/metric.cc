// acevec metric: trains an encoder of labelled points.

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/line_file.h"
#include "base/output_file.h"
#include "base/progress.h"
#include "cli/run_record.h"
#include "commands/commands.h"
#include "commands/metric_arguments.h"
#include "commands/training_command.h"
#include "tasks/metric/evaluation.h"
#include "tasks/metric/model_file.h"
#include "train/run.h"
#include "train/run_report.h"

namespace acevec {
namespace {

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
  if (settings.shift == 0 && std::adjacent_find(labels.begin(), labels.end()) == labels.end()) {
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

Sets read_sets(const MetricArguments& a, Progress& progress) {
  Sets sets;
  const Stopwatch watch;
  sets.train = read_labelled(a.train, a.labels, sets.classes);
  const auto read_more = [&](const std::string& path, const std::string& labels,
                             LabelledPoints& set) {
    if (path.empty()) return;
    set = read_labelled(path, labels.empty() ? a.labels : labels, sets.classes);
    if (labels.empty()) set.unknown = sets.train.unknown = 0;  // they are of both
    require_same_columns(sets.train, set, path);
  };
  read_more(a.valid, a.valid_labels, sets.valid);
  read_more(a.test, a.test_labels, sets.test);
  progress.note(format(
      "read %s of %s in %.2f s",
      counted(sets.train.points.count() + sets.valid.points.count() + sets.test.points.count(),
              "point")
          .c_str(),
      counted(sets.classes.count(), "class").c_str(), watch.seconds()));
  if (a.heldout > 0) {
    hold_out(a.heldout, a.training.seed, sets);
    if (sets.valid.points.count() == 0) throw Error("no point is held out; raise -heldout");
  }
  if (sets.train.points.count() < 2) throw Error("too few points to train on; give more");
  report_points("train", sets.train, progress);
  if (sets.valid.points.count() > 0) report_points("valid", sets.valid, progress);
  if (sets.test.points.count() > 0) report_points("test", sets.test, progress);
  require_classes(sets.train, a.training);
  note_strangers("valid", sets.valid, sets.train, progress);
  note_strangers("test", sets.test, sets.train, progress);
  require_images(sets.train, a.training.shift);
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
void report_test(const MetricSettings& training, const Sets& sets, const Encoder& encoder,
                 nlohmann::ordered_json& record, Progress& progress) {
  if (sets.test.points.count() == 0) return;
  const Matrix known = encode(encoder, sets.train.points.values, training.threads);
  const Matrix asked = encode(encoder, sets.test.points.values, training.threads);
  const MetricScores scores = score_vectors({known, sets.train.labels}, {asked, sets.test.labels},
                                            training.neighbours, training.threads);
  progress.note(format("test: accuracy of %s %.4f, of class means %.4f; Recall@1 %.4f, @5 %.4f",
                       counted(training.neighbours, "neighbour").c_str(), scores.knn, scores.means,
                       scores.recall1, scores.recall5));
  record["test"] = {{"knn", scores.knn},
                    {"means", scores.means},
                    {"recall1", scores.recall1},
                    {"recall5", scores.recall5}};
}

// Opens the file of triplets, if one is wanted; a run that is resumed goes on with it.
void open_triplets(const std::string& path, bool resumed, std::optional<LineFile>& triplets) {
  if (path.empty()) return;
  triplets.emplace(path, resumed ? kTripletColumns : std::string_view{});
  if (triplets->empty()) triplets->write(kTripletColumns);
}

nlohmann::ordered_json numbers_of(const Sets& sets) {
  return {{"train", sets.train.points.count()},
          {"valid", sets.valid.points.count()},
          {"test", sets.test.points.count()},
          {"numbers", sets.train.points.values.columns()},
          {"classes", sets.classes.count()}};
}

constexpr CommandText kMetric{
    "metric",
    "acevec metric -train FILE -labels FILE -output FILE [OPTION VALUE ...]",
    "Learns an encoder of labelled points that brings classes together. acevec metric encode and "
    "eval\nuse it.\n",
    {},
    {},
    "other embeddings"};

class MetricCommand final : public TrainingCommand {
 public:
  MetricCommand() : TrainingCommand(kMetric) { declare_metric(arguments_, run_arguments, table()); }

 protected:
  std::unique_ptr<TrainingCommand> fresh() const override {
    return std::make_unique<MetricCommand>();
  }
  void train(std::optional<CheckpointReader>& checkpoint) override;

 private:
  MetricArguments arguments_;
};

void MetricCommand::train(std::optional<CheckpointReader>& checkpoint) {
  resolve_metric(arguments_, run_arguments, *this);
  // What the points decide is not recorded.
  MetricSettings training = arguments_.training;
  EncoderShape shape = arguments_.shape;
  RunSettings& run_settings = run_arguments.settings;
  const TaskDescription description = describe_metric(training);
  std::optional<CheckpointWriter> output(std::in_place, run_settings.output);
  std::optional<OutputFile> record_file;
  if (!run_arguments.record.empty()) record_file.emplace(run_arguments.record);
  std::optional<LineFile> triplets;
  open_triplets(arguments_.triplets, checkpoint.has_value(), triplets);
  RunFiles files(run_settings, description, checkpoint ? checkpoint->path() : "");

  Progress progress(run_settings.debug == 0);
  const Sets sets = read_sets(arguments_, progress);
  shape.inputs = sets.train.points.values.columns();
  // No batch is larger than an epoch, in which each class may have one point twice.
  training.batch = std::min(training.batch, 2 * (sets.train.points.count() + sets.classes.count()));
  check_memory(metric_memory(sets.train, sets.valid, shape, training, run_settings.keep_best,
                             run_settings.plan.threads),
               run_settings, progress);
  Encoder encoder(shape);
  start_encoder(encoder, sets.train.points.values, training.seed);
  const auto save = [&encoder](const std::string& path) {
    CheckpointWriter file(path);
    write_encoder(encoder, file);
    file.commit();
  };
  MetricTask task(
      {sets.train, sets.valid, training, encoder, save, triplets ? &*triplets : nullptr});
  if (sets.valid.points.count() > 0) {
    run_settings.evaluate_every = Interval{.units = task.units()};
  }
  const std::vector<Identity> identities = identities_of(sets);
  Run run({task, description, run_settings, identities, files, progress});
  run.train(checkpoint);
  if (run.epoch_sums().loss.count == 0) {
    progress.note("note: no batch had points of two classes, so nothing was learned; raise -batch");
  }
  nlohmann::ordered_json record = run_record(*this, run_arguments.command);
  record["points"] = numbers_of(sets);
  add_training(run, record);
  report_test(training, sets, encoder, record, progress);
  write_encoder(encoder, *output);
  if (record_file) record_file->write(record_text(record));
  commit_together(record_file, output);
  report_written(format("an encoder to vectors of size %ld", static_cast<long>(shape.size)),
                 run_settings, files, progress);
}

}  // namespace

std::unique_ptr<CommandLine> make_metric() {
  return std::make_unique<MetricCommand>();
}

}  // namespace acevec
