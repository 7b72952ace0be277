#include "train/run_files.h"

#include <filesystem>

#include "base/error.h"
#include "base/output_file.h"

namespace acevec {
namespace {

void check_checkpoint(const std::string& path, const std::string& resumed) {
  if (std::filesystem::exists(path) && (resumed.empty() || !same_file(path, resumed))) {
    throw Error(
        format("%s is there already; go on with -resume %s, remove it, or give -checkpoint "
               "another name",
               path.c_str(), path.c_str()));
  }
  const OutputFile proof(path);
}

}  // namespace

RunFiles::RunFiles(const RunSettings& settings, const TaskDescription& description,
                   const std::string& resumed) {
  if (!settings.log.empty()) {
    log.emplace(settings.log, settings.log_every, description, !resumed.empty());
  }
  if (settings.save_every) {
    snapshots.emplace(settings.output, *settings.save_every);
    const OutputFile proof(snapshot_path(settings.output, 1));
  }
  if (!settings.checkpoint.empty()) check_checkpoint(settings.checkpoint, resumed);
}

}  // namespace acevec
