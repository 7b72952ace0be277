#include "metric/encode_command.h"

#include <cstdio>

#include "base/error.h"
#include "base/message.h"
#include "base/progress.h"
#include "metric/evaluation.h"
#include "metric/model_file.h"
#include "metric/points.h"
#include "vectors/plain_rows.h"

namespace acevec {
namespace {

constexpr std::string_view kEncoding = "Encoding";
constexpr std::string_view kEvaluation = "Evaluation";

const Option kEncodeTable[] = {
    input_file(kEncoding, "points",
               "encode these: an IDX file, an .npy array or a file of vectors (default: standard "
               "input)"),
    plain_output_row(kEncoding),
    plain_format_row(kEncoding),
    threads_row(kEncoding),
};

const Option kEvalTable[] = {
    input_file(kEvaluation, "train", "points whose classes are known, as for acevec metric"),
    input_file(kEvaluation, "labels", "their classes"),
    input_file(kEvaluation, "test", "points to classify"),
    input_file(kEvaluation, "test-labels", "their classes (default: by name, those of -labels)"),
    integer(kEvaluation, "neighbours", "5", 1, 1000, "known points that vote on a point's class"),
    threads_row(kEvaluation),
};

constexpr FileArgument kFiles[] = {{"MODEL", Kind::kInputFile}};

Encoder encoder_of(const Options& options, const char* usage) {
  if (options.positional().size() != 1) {
    throw UsageError(format("one model is needed; call %s", usage));
  }
  return read_encoder(options.positional()[0]);
}

void require_inputs(const Encoder& encoder, const Points& points, const std::string& name) {
  if (points.values.columns() == encoder.shape.inputs) return;
  throw Error(
      format("the points of %s have %s, and the model takes %ld; give points of the kind "
             "that it was trained on",
             name.c_str(), counted(points.values.columns(), "number").c_str(),
             static_cast<long>(encoder.shape.inputs)));
}

Matrix vectors_of(const Encoder& encoder, const LabelledPoints& set, const std::string& name,
                  int threads) {
  require_inputs(encoder, set.points, name);
  if (set.unlabelled > 0) {
    print_message(format("acevec: note: left out %s of %s without a label",
                         counted(set.unlabelled, "point").c_str(), name.c_str()));
  }
  return encode(encoder, set.points.values, threads);
}

}  // namespace

const Command kMetricEncodeCommand{"metric encode",
                                   "acevec metric encode MODEL [OPTION VALUE ...]",
                                   "Encodes points, one row per point, in order.\n",
                                   "a model",
                                   kEncodeTable,
                                   kFiles};

const Command kMetricEvalCommand{
    "metric eval",
    "acevec metric eval MODEL -train FILE -labels FILE -test FILE [OPTION VALUE ...]",
    "Prints how well a model brings classes together: how many test points their nearest known "
    "points\nand the means of classes classify correctly, and how many have a test point of their "
    "class among the\n1 and 5 nearest.\n",
    "a model",
    kEvalTable,
    kFiles};

void run_metric_encode(const Options& options) {
  PlainRows output(options);
  const Encoder encoder = encoder_of(options, "acevec metric encode MODEL <points >vectors");
  const std::string& typed = options.text("points");
  const Points points = read_points(typed.empty() ? "-" : typed);
  require_inputs(encoder, points, typed.empty() || typed == "-" ? "standard input" : typed);
  output.write(encode(encoder, points.values, threads_of(options)));
  output.commit(encoder.shape.size);
}

void run_metric_eval(const Options& options) {
  for (const char* name : {"train", "labels", "test"}) {
    if (!options.text(name).empty()) continue;
    throw UsageError(format("no -%s; give points and labels of -train and of -test", name));
  }
  const Encoder encoder = encoder_of(options, "acevec metric eval MODEL");
  const int threads = threads_of(options);
  Classes classes;
  const LabelledPoints train =
      read_labelled(options.text("train"), options.text("labels"), classes);
  const LabelledPoints test =
      read_labelled(options.text("test"),
                    options.text(options.given("test-labels") ? "test-labels" : "labels"), classes);
  if (!share_class(train.labels, test.labels)) {
    throw Error(
        "no point of -test has a class that points of -train have; give labels of one kind");
  }
  const Matrix known = vectors_of(encoder, train, options.text("train"), threads);
  const Matrix asked = vectors_of(encoder, test, options.text("test"), threads);
  const MetricScores scores = score_vectors({known, train.labels}, {asked, test.labels},
                                            options.integer("neighbours"), threads);
  std::printf("points\tknn\tmeans\trecall@1\trecall@5\n%ld\t%.4f\t%.4f\t%.4f\t%.4f\n",
              static_cast<long>(test.points.count()), scores.knn, scores.means, scores.recall1,
              scores.recall5);
}

}  // namespace acevec
