// The files that a run writes during training: log, snapshots, checkpoint.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "train/run_log.h"
#include "train/run_settings.h"
#include "train/snapshots.h"

namespace acevec {

// All are opened before any work, so that a mistake shows at once.
struct RunFiles {
  // `resumed`: the checkpoint that the run is resumed from, if it is. Throws Error when one cannot
  // be written, or would go over something that is not this run's.
  RunFiles(const RunSettings& settings, const TaskDescription& description,
           const std::string& resumed = "");

  std::unique_ptr<FileLock> checkpoint;  // so that no other run writes there
  std::optional<RunLog> log;
  std::optional<Snapshots> snapshots;
};

}  // namespace acevec
