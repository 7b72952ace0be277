// The training job of acevec metric: reads labelled points, writes an encoder.
#pragma once

#include <memory>
#include <string>

#include "tasks/metric/encoder.h"
#include "tasks/metric/task.h"
#include "train/job.h"

namespace acevec {

struct MetricJobSettings {
  std::string train, labels;
  std::string valid, valid_labels;  // may be empty
  std::string triplets;             // may be empty
  double heldout = 0;               // share of the training points to hold out as `valid`
  EncoderShape shape;               // `inputs` is set from the points
  MetricSettings training;
};

// Both must outlive the job, which decides when `run` evaluates.
std::unique_ptr<Job> make_metric_job(const MetricJobSettings& settings, RunSettings& run);

}  // namespace acevec
