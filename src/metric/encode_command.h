// `acevec metric encode` and `acevec metric eval`: what a model of acevec metric makes of points.
#pragma once

#include "cli/options.h"

namespace acevec {

extern const Command kMetricEncodeCommand;
extern const Command kMetricEvalCommand;

// Both throw UsageError and Error.
void run_metric_encode(const Options& options);
void run_metric_eval(const Options& options);

}  // namespace acevec
