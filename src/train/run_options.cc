#include "train/run_options.h"

#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "base/memory.h"
#include "base/same_file.h"
#include "cli/file_options.h"
#include "cli/run_record.h"
#include "train/checkpoint.h"
#include "train/snapshots.h"

namespace acevec {
namespace {

bool is_no_file(const std::string& path) {
  return path == "-" || is_special_file(path);
}

// Snapshots go beside -output, which must be a file, and not over another file of the run.
void check_snapshots(const Command& command, const Options& options) {
  const std::string& output = options.text("output");
  if (is_no_file(output)) {
    throw UsageError("-save-every needs a file for -output, to put snapshots beside it");
  }
  const std::vector<RunFile> files = files_of(command, options);
  for (const RunFile& base : files) {
    if (base.name != "-output" && base.name != "the words of -output") continue;
    for (const RunFile& file : files) {
      if (!is_snapshot(file.path, base.path)) continue;
      throw UsageError(
          format("%s %s has a name that -save-every may write to; rename it or give "
                 "another -output",
                 file.name.c_str(), file.path.c_str()));
    }
  }
}

// A checkpoint is read again, from its beginning.
void check_checkpoint(const std::string& path) {
  if (!is_no_file(path)) return;
  throw UsageError(
      format("-checkpoint needs a file, and %s is not one; give another name", path.c_str()));
}

}  // namespace

void add_record(const Options& options, std::vector<RunFile>& files) {
  const std::string path = record_path(options.text("output"));
  if (!path.empty()) files.push_back({"the settings beside -output", path, true, true});
}

std::string free_record_path(const Options& options) {
  std::string path = record_path(options.text("output"));
  refuse_foreign_record(path);
  return path;
}

RunSettings read_run_settings(const Command& command, Options& options) {
  options.assume("threads", std::to_string(threads_of(options)));
  const auto needs = [&](const char* name, const char* needed) {
    if (!options.given(needed)) refuse_idle(options, name, std::string("-") + needed);
  };
  for (const char* name : {"log", "save-every", "checkpoint"}) needs(name, "output");
  needs("log-every", "log");
  needs("checkpoint-every", "checkpoint");
  RunSettings settings;
  settings.plan.threads = static_cast<int>(options.integer("threads"));
  settings.plan.seed = static_cast<uint64_t>(options.integer("seed"));
  settings.output = options.text("output");
  settings.log = options.text("log");
  settings.log_every = parse_interval("log-every", options.text("log-every"));
  settings.checkpoint = options.text("checkpoint");
  settings.checkpoint_every = parse_interval("checkpoint-every", options.text("checkpoint-every"));
  if (!settings.checkpoint.empty()) check_checkpoint(settings.checkpoint);
  if (options.given("max-memory")) {
    settings.max_memory = parse_bytes("max-memory", options.text("max-memory"));
  }
  if (options.given("save-every")) {
    settings.save_every = parse_interval("save-every", options.text("save-every"));
    check_snapshots(command, options);
  }
  settings.debug = debug_of(options);
  settings.command = called(command.name);
  settings.arguments = given_arguments(command, options);
  return settings;
}

bool has_effect_in_run(std::string_view name, const Options& options) {
  if (name == "debug" || name == "quiet" || name == "resume") return false;
  if (name == "log-every") return options.given("log");
  if (name == "checkpoint-every") return options.given("checkpoint");
  return true;
}

}  // namespace acevec
