#include "commands/run_arguments.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/same_file.h"
#include "cli/file_options.h"
#include "cli/run_record.h"
#include "train/schedule.h"

namespace acevec {
namespace {

bool is_no_file(const std::string& path) {
  return path == "-" || is_special_file(path);
}

// Snapshots go beside -output, which must be a file, and not over another file of the run.
void check_snapshots(const std::string& output, const CommandLine& command) {
  if (is_no_file(output)) {
    throw UsageError("-save-every needs a file for -output, to put snapshots beside it");
  }
  const std::vector<RunFile> files = files_of(command);
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
  if (path.empty() || !is_no_file(path)) return;
  throw UsageError(
      format("-checkpoint needs a file, and %s is not one; give another name", path.c_str()));
}

}  // namespace

OptionRow& declare_threads(std::optional<int>& threads, OptionTable& table) {
  return table.integer("threads", threads, {1, 4096},
                       "threads (default: as many as the machine has)");
}

OptionRow& declare_debug(int& debug, OptionTable& table) {
  return table
      .integer("debug", debug, {0, 2},
               "0: errors only, 1: progress, 2: also details of time and memory")
      .unrecorded();
}

OptionRow& declare_patience(RunArguments& arguments, OptionTable& table, std::string_view help) {
  return table.integer("patience", arguments.settings.patience, {0, 1000000}, help);
}

void declare_run(RunArguments& arguments, OptionTable& table, Parallel parallel) {
  RunSettings& run = arguments.settings;
  const auto has_output = [&run] { return !run.output.empty(); };
  table.group(kRun);
  declare_threads(arguments.threads, table)
      .changeable()
      .common("default: as many as the machine has");
  table.integer("seed", run.plan.seed, {0, kMaxCount},
                parallel == Parallel::kStep
                    ? "random seed; the same seed gives byte-identical output"
                    : "random seed; with one thread the same seed gives byte-identical output");
  table
      .output_file(
          "log", run.log,
          "write losses, learning rate and more after each 1% of the run, as tab-separated "
          "rows; a file with content is never overwritten")
      .need("-output", has_output);
  table
      .parsed(
          "save-every", "N|10m|1%", "", run.save_every, interval_of,
          "save a snapshot every N tokens, pairs or triples, every 10 minutes (also 30s, 2h), or "
          "each 1% of the run, to -output with a number before its ending (v-0001.bin)")
      .need("-output", has_output)
      .changeable();
  table.output_file("checkpoint", run.checkpoint, "save the state of the run here, for -resume")
      .need("-output", has_output);
  table
      .parsed("checkpoint-every", "N|10m|1%", "10m", run.checkpoint_every, interval_of,
              "how often to save it")
      .need("-checkpoint", [&run] { return !run.checkpoint.empty(); })
      .changeable();
  table
      .input_file("resume", arguments.resume,
                  "resume the run of this checkpoint with its options; only files, threads, "
                  "learning rate, logging, saving and, for a run that has ended, a larger -iter "
                  "may be given")
      .unrecorded();
  table
      .parsed("max-memory", "500M|4G", "", run.max_memory, bytes_of,
              "refuse to train if more memory is needed (default: what is available)")
      .changeable();
  run.debug = 1;
  declare_debug(run.debug, table).changeable();
}

int threads_of(const std::optional<int>& threads) {
  const int count = threads.value_or(machine_threads());
  require_threads(count);
  return count;
}

void resolve_run(RunArguments& arguments, CommandLine& command) {
  RunSettings& run = arguments.settings;
  arguments.threads = threads_of(arguments.threads);
  run.plan.threads = *arguments.threads;
  run.command = called(command.about().name);
  check_checkpoint(run.checkpoint);
  if (run.save_every) check_snapshots(run.output, command);
  run.record = record_path(run.output);
  refuse_foreign_record(run.record);
  run.arguments = given_arguments(command);
  arguments.command = repeating_command(command);
}

}  // namespace acevec
