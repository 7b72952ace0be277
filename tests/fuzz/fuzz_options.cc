// Command lines, an argument a line: the first line chooses the command, the others are parsed and
// checked as a run would check them, without running anything.

#include <algorithm>
#include <string>
#include <vector>

#include "commands/commands.h"
#include "fuzz.h"

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

void check(CommandLine& command, const std::vector<std::string>& arguments) {
  command.parse(arguments);
  for (const OptionRow& row : command.table().rows()) {
    if (row.kind != Kind::kInteger && row.kind != Kind::kReal) continue;
    const std::string value = row.value();
    if (value.empty()) continue;
    const double number = std::stod(value);
    REQUIRE_ALWAYS(number >= row.low && number <= row.high);
  }
  command.table().refuse_idle();
}

}  // namespace
}  // namespace acevec

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace acevec;
  if (size == 0) return 0;
  const CommandLines commands = all_commands();
  CommandLine& command = *commands[data[0] % commands.size()];
  accepted([&] { check(command, lines_of_arguments(view_of(data + 1, size - 1))); });
  return 0;
}
