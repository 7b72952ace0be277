// Runs a job.
#pragma once

#include "train/job.h"

namespace acevec {

// From the beginning and without a record.
inline void run_job(Job& job, const RunSettings& settings) {
  std::optional<CheckpointReader> none;
  run_job(job, settings, none, [] { return Json(); });
}

}  // namespace acevec
