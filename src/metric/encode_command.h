// `acevec metric encode` and `acevec metric eval`: apply a model of acevec metric to points.
#pragma once

#include "cli/options.h"

namespace acevec {

extern const Command kMetricEncodeCommand;
extern const Command kMetricEvalCommand;

// Both throw UsageError and Error.
void run_metric_encode(const Options& options);
void run_metric_eval(const Options& options);

}  // namespace acevec
