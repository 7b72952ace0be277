// acevec metric encode and acevec metric eval: apply a model of acevec metric to points.

#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/progress.h"
#include "base/same_file.h"
#include "commands/answers.h"
#include "commands/commands.h"
#include "commands/shared_options.h"
#include "commands/vector_files.h"
#include "tasks/metric/encoder.h"
#include "tasks/metric/evaluation.h"
#include "tasks/metric/points.h"
#include "vectors/row_writer.h"

namespace acevec {
namespace {

void require_inputs(const Encoder& encoder, const Points& points, const std::string& path) {
  if (points.values.columns() == encoder.shape.inputs) return;
  throw Error(
      format("%s has points of %s, and the model takes %ld; give points of the kind that it was "
             "trained on",
             input_name(path).c_str(), counted(points.values.columns(), "number").c_str(),
             static_cast<long>(encoder.shape.inputs)));
}

Matrix vectors_of(const Encoder& encoder, const LabelledPoints& set, const std::string& path,
                  int threads) {
  require_inputs(encoder, set.points, path);
  if (set.unlabelled > 0) {
    print_message(format("acevec: note: left out %s of %s without a label",
                         counted(set.unlabelled, "point").c_str(), input_name(path).c_str()));
  }
  return encode(encoder, set.points.values, threads);
}

constexpr CommandText kMetricEncode{"metric encode",
                                    "acevec metric encode MODEL [-points FILE] [OPTION VALUE ...]",
                                    "Encodes points, one row per point, in order.\n"};

class MetricEncodeCommand final : public CommandLine {
 public:
  MetricEncodeCommand() : CommandLine(kMetricEncode) {
    table().group("Encoding");
    table()
        .input_file("points", points_,
                    "encode these: an IDX file, an .npy array or a file of vectors")
        .default_later("standard input");
    declare_plain_rows(output_, table());
    declare_threads(threads_, table());
  }

  void run() override {
    RowWriter output = plain_rows(output_);
    const Encoder encoder = read_encoder(positional()[0]);
    const std::string path = points_.empty() ? "-" : points_;
    const Points points = read_points(path);
    require_inputs(encoder, points, path);
    output.begin(-1, encoder.shape.size);
    const int threads = threads_of(threads_);
    output.write(encode(encoder, points.values, threads), threads);
    output.commit();
    report_plain_rows(output_, points.values.rows(), encoder.shape.size);
  }

 private:
  std::string points_;
  PlainRowsArguments output_;
  std::optional<int> threads_;
};

constexpr CommandText kMetricEval{
    "metric eval",
    "acevec metric eval MODEL -train FILE -labels FILE -test FILE [OPTION VALUE ...]",
    "Prints how well a model brings classes together: how many test points are "
    "classified\ncorrectly by their 5 nearest known points and by the means of classes, and how "
    "many have a test\npoint of their class among the 1 and 5 nearest.\n"};

class MetricEvalCommand final : public CommandLine {
 public:
  MetricEvalCommand() : CommandLine(kMetricEval) {
    table().group("Evaluation");
    table().input_file("train", train_, "points whose classes are known, as for acevec metric");
    table().input_file("labels", labels_, "their classes");
    table().input_file("test", test_, "points to classify");
    table()
        .input_file("test-labels", test_labels_, "their classes")
        .default_later("those of -labels, matched by name");
    declare_print_format(tsv_, table());
    declare_threads(threads_, table());
  }

  void run() override {
    for (const auto& [name, path] :
         {std::pair{"train", train_}, {"labels", labels_}, {"test", test_}}) {
      if (!path.empty()) continue;
      throw UsageError(format("no -%s; give points and labels of -train and of -test", name));
    }
    const Encoder encoder = read_encoder(positional()[0]);
    const int threads = threads_of(threads_);
    Names classes;
    Labels labels(labels_, classes);
    const LabelledPoints train = labels.read(train_);
    const LabelledPoints test =
        test_labels_.empty() ? labels.read(test_) : Labels(test_labels_, classes).read(test_);
    if (!share_class(train.labels, test.labels)) {
      throw Error(
          "no point of -test has a class that points of -train have; give labels of one kind");
    }
    const Matrix known = vectors_of(encoder, train, train_, threads);
    const Matrix asked = vectors_of(encoder, test, test_, threads);
    const MetricScores scores =
        score_vectors({known, train.labels}, {asked, test.labels}, kVoters, threads);
    print_table({{"points", "knn", "means", "recall@1", "recall@5"},
                 {std::to_string(test.points.count()), decimal(scores.knn, tsv_, 4),
                  decimal(scores.means, tsv_, 4), decimal(scores.recall1, tsv_, 4),
                  decimal(scores.recall5, tsv_, 4)}},
                tsv_);
  }

 private:
  std::string train_, labels_, test_, test_labels_;
  bool tsv_ = false;
  std::optional<int> threads_;
};

}  // namespace

const Maker make_metric_encode = make_command<MetricEncodeCommand>;
const Maker make_metric_eval = make_command<MetricEvalCommand>;

}  // namespace acevec
