#include "commands/training_command.h"

#include "base/error.h"
#include "cli/file_options.h"
#include "cli/run_record.h"
#include "commands/commands.h"
#include "train/checkpoint.h"

namespace acevec {
namespace {

std::string name_in(const std::string& argument) {
  return argument.substr(1, argument.find('=') - 1);
}

// The arguments of the run that wrote the checkpoint, with those typed now in their place.
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

std::vector<RunFile> TrainingCommand::more_files() const {
  const std::string path = record_path(run_arguments_.settings.output);
  if (path.empty()) return {};
  return {{"the settings beside -output", path, true, true}};
}

void TrainingCommand::train_job(Job& job, std::optional<CheckpointReader>& checkpoint) const {
  run_job(job, run_arguments_.settings, checkpoint,
          [&] { return run_record(*this, run_arguments_.command); });
}

void TrainingCommand::decide(const void* field) {
  OptionRow& row = table().row_of(field);
  row.given = true;
  run_arguments_.settings.arguments.push_back("-" + row.name + "=" + row.value());
}

void TrainingCommand::run() {
  std::optional<CheckpointReader> checkpoint;
  if (run_arguments_.resume.empty()) return train(checkpoint);
  checkpoint.emplace(part_to_read(run_arguments_.resume));
  const CommandLines commands = all_commands();  // with no option given
  auto& resumed = dynamic_cast<TrainingCommand&>(command_of(commands, words_of(about().name)));
  resumed.parse(merged(*this, run_arguments_.resume, *checkpoint));
  check_files(resumed);
  resumed.train(checkpoint);
}

}  // namespace acevec
