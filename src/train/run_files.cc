#include "train/run_files.h"

#include "base/checkpoint_file.h"
#include "base/output_file.h"

namespace acevec {

RunFiles::RunFiles(const RunSettings& settings, const TaskDescription& description,
                   const std::string& resumed) {
  if (!settings.checkpoint.empty()) {
    checkpoint = claim_checkpoint(settings.checkpoint, settings.checkpoint_suffix, resumed);
  }
  if (!settings.log.empty()) {
    log.emplace(settings.log, settings.log_every, description, !resumed.empty());
  }
  if (settings.save_every) {
    snapshots.emplace(settings.output, *settings.save_every);
    const OutputFile proof(snapshot_path(settings.output, 1));
  }
}

}  // namespace acevec
