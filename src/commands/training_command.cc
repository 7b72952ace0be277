#include "commands/training_command.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/numbers.h"
#include "base/same_file.h"
#include "cli/file_options.h"
#include "cli/run_record.h"
#include "cluster/checkpoint_parts.h"
#include "commands/commands.h"
#include "commands/shared_options.h"
#include "train/checkpoint.h"
#include "train/schedule.h"
#include "train/task_runner.h"

namespace acevec {
namespace {

bool is_no_file(const std::string& path) {
  return path == "-" || is_special_file(path);
}

// Snapshots go beside -output, which must be a file, and must not replace another file of the run.
void check_snapshots(const std::string& output, const CommandLine& command) {
  if (is_no_file(output)) {
    throw UsageError("-save-every needs a file for -output, to put snapshots beside it");
  }
  const std::vector<RunFile> files = files_of(command);
  for (const RunFile& base : files) {
    if (base.name != "-output" && base.name != "the words of -output") continue;
    for (const RunFile& file : files) {
      if (!is_snapshot(file.path, base.path)) continue;
      throw UsageError(format(
          "%s %s has a name that -save-every may write to; rename it or give another -output",
          file.name.c_str(), file.path.c_str()));
    }
  }
}

// Refuses pipes and devices: a checkpoint must be readable again from its beginning.
void check_checkpoint(const std::string& path) {
  if (path.empty() || !is_no_file(path)) return;
  throw UsageError(
      format("-checkpoint needs a file, and %s is not one; give another name", path.c_str()));
}

std::string name_in(const std::string& argument) {
  return argument.substr(1, argument.find('=') - 1);
}

std::string value_in(const std::string& argument) {
  return argument.substr(argument.find('=') + 1);
}

// Refuses fewer epochs than the resumed run has, if it recorded them, before its text is read.
void check_epochs(const std::string& saved, const std::string& now, const std::string& path) {
  const std::optional<int64_t> before = number_of<int64_t>(saved);
  if (before && number_of<int64_t>(now) < before) refuse_fewer_epochs(path, *before);
}

// Returns the arguments of the run that wrote the checkpoint, overridden by those typed now.
std::vector<std::string> merged(const CommandLine& typed, const std::string& resumed,
                                CheckpointReader& file) {
  const OptionTable& table = typed.table();
  const auto given = [&](std::string_view name) {
    const OptionRow* row = table.find(name);
    return row != nullptr && row->given;
  };
  std::vector<std::string> arguments;
  for (const std::string& saved : load_arguments(called(typed.about().name), file)) {
    const std::string name = name_in(saved);
    if (name == "iter" && given(name)) {
      check_epochs(value_in(saved), table.find(name)->value(), resumed);
    }
    if (!given(name) && name != "checkpoint") arguments.push_back(saved);
  }
  for (const std::string& now : given_arguments(typed)) {
    const std::string name = name_in(now);
    if (!table.find(name)->may_change) {
      throw UsageError(
          format("-%s cannot change in a run that is resumed; leave it out, or start a new run",
                 name.c_str()));
    }
    arguments.push_back(now);
  }
  if (!given("checkpoint")) arguments.push_back("-checkpoint=" + resumed);
  return arguments;
}

}  // namespace

OptionRow& declare_patience(RunArguments& arguments, OptionTable& table, std::string_view help) {
  return table.integer("patience", arguments.settings.patience, {0, 1000000}, help);
}

void declare_run(RunArguments& arguments, OptionTable& table, Parallel parallel) {
  RunSettings& run = arguments.settings;
  table.group(kRun);
  declare_threads(arguments.threads, table)
      .changeable()
      .common("default: as many as the machine has");
  table.integer("seed", run.plan.seed, {0, kMaxCount},
                parallel == Parallel::kStep
                    ? "random seed; the same seed gives byte-identical output"
                    : "random seed; with one thread the same seed gives byte-identical output");
  table
      .output_file("log", run.log,
                   "write losses, learning rate and more after each 1% of the run, as "
                   "tab-separated rows; a file with content is never overwritten")
      .need("-output");
  table
      .parsed("save-every", "N|10m|1%", "", run.save_every, interval_of,
              "save a snapshot every N tokens, pairs or triples, every 10 minutes (also 30s, 2h), "
              "or each 1% of the run, to -output with a number before its ending (v-0001.bin)")
      .need("-output")
      .changeable();
  table.output_file("checkpoint", run.checkpoint, "save the state of the run here, for -resume")
      .need("-output");
  table
      .parsed("checkpoint-every", "N|10m|1%", "10m", run.checkpoint_every, interval_of,
              "how often to save it")
      .need("-checkpoint")
      .changeable();
  table
      .input_file(
          "resume", arguments.resume,
          "resume the run of this checkpoint with its options; only files, threads, learning rate, "
          "logging, saving and, for a run that has ended, a larger -iter may be given")
      .unrecorded();
  table
      .parsed("max-memory", "500M|4G", "", run.max_memory, bytes_of,
              "refuse to train if more memory is needed")
      .default_later("what is available")
      .changeable();
  run.debug = 1;
  declare_debug(run.debug, table).changeable();
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

std::vector<RunFile> TrainingCommand::more_files() const {
  const std::string path = record_path(run_arguments_.settings.output);
  if (path.empty()) return {};
  return {{"the settings beside -output", path, true, true}};
}

void TrainingCommand::train_job(Job& job, std::optional<CheckpointReader>& checkpoint) const {
  run_job(job, run_arguments_.settings, checkpoint,
          [&] { return run_record(*this, run_arguments_.command); });
  if (run_arguments_.settings.debug == 0) return;
  for (const OptionRow& row : table().rows()) {
    const std::string path = row.value();
    const bool is_said = row.name == "output" || row.name == "log" || row.name == "checkpoint";
    if (row.kind != Kind::kOutputFile || is_said || path.empty() || path == "-") continue;
    print_message(format("wrote %s (-%s)", path.c_str(), row.name.c_str()));
  }
}

std::string TrainingCommand::decide(const void* field) {
  OptionRow& row = table().row_of(field);
  row.given = true;
  run_arguments_.settings.arguments.push_back("-" + row.name + "=" + row.value());
  return "  -" + row.name + " " + row.short_value();
}

void TrainingCommand::run() {
  std::optional<CheckpointReader> checkpoint;
  if (run_arguments_.resume.empty()) {
    resolve();
    return train(checkpoint);
  }
  checkpoint.emplace(part_to_resume(run_arguments_.resume, peers()));
  const CommandLines commands = all_commands();  // with no options given
  auto& resumed = dynamic_cast<TrainingCommand&>(command_of(commands, words_of(about().name)));
  resumed.parse(merged(*this, run_arguments_.resume, *checkpoint));
  check_files(resumed);
  resumed.resolve();
  resumed.train(checkpoint);
}

}  // namespace acevec
