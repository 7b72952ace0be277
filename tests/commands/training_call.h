// A call of a training command, up to where it would train.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "commands/commands.h"
#include "commands/training_command.h"
#include "temporary_folder.h"

namespace acevec {

struct TrainingCall {
  // `typed`: the options beside -output.
  TrainingCall(Maker make, std::vector<std::string> typed) : made(make()) {
    typed.push_back("-output=" + folder.path("output"));
    made->parse(typed);
    dynamic_cast<TrainingCommand&>(*made).resolve();
  }

  // The value that the option has now, as it would be typed; "-" while it has no effect.
  std::string value(const std::string& option) const {
    const OptionRow& row = *made->table().find(option);
    return row.has_effect() ? row.value() : "-";
  }

  TemporaryFolder folder;
  std::unique_ptr<CommandLine> made;
};

}  // namespace acevec
