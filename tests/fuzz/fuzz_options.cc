// Command lines, an argument a line: the first line chooses the command, the others are parsed and
// checked as a run would check them, without running anything.

#include <algorithm>
#include <vector>

#include "commands.h"
#include "fuzz.h"
#include "noise/noise_options.h"
#include "order/settings.h"
#include "word/settings.h"

namespace acevec {
namespace {

std::vector<std::string> lines_of_arguments(std::string_view text) {
  std::vector<std::string> arguments;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    arguments.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  // A real command line ends its arguments where they have a NUL.
  for (std::string& argument : arguments) argument = argument.c_str();
  return arguments;
}

void check(const Command& command, const std::vector<std::string>& arguments) {
  Options options(command, arguments);
  for (const Option& row : command.table) {
    const std::string& value = options.text(row.name);
    if (value.empty()) continue;
    if (row.kind == Kind::kInteger) {
      const auto number = static_cast<double>(options.integer(row.name));
      REQUIRE_ALWAYS(number >= row.low && number <= row.high);
    } else if (row.kind == Kind::kReal) {
      const double number = options.real(row.name);
      REQUIRE_ALWAYS(number >= row.low && number <= row.high);
    }
  }
  if (&command == &kTrainCommand) read_train_settings(options);
  if (&command == &kOrderCommand) read_order_job(options);
  if (command.name == "noise") read_noise_settings(options);
}

}  // namespace
}  // namespace acevec

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace acevec;
  if (size == 0) return 0;
  const std::span<const CommandEntry> commands = all_commands();
  const Command& command = *commands[data[0] % commands.size()].command;
  accepted([&] { check(command, lines_of_arguments(view_of(data + 1, size - 1))); });
  return 0;
}
