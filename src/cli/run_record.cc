#include "cli/run_record.h"

#include <fstream>

#include "base/error.h"
#include "base/same_file.h"
#include "cli/options_json.h"
#include "cli/shell.h"

namespace acevec {
namespace {

constexpr size_t kRecordColumns = 100;
constexpr std::string_view kRecordStart = "{\n  \"acevec\":";  // by which a record is known

// Adds `word` to a text of lines, on a new one where the last has words and would become too long.
void add_wrapped(std::string& text, const std::string& word, const char* indent) {
  const size_t line = text.rfind('\n') + 1;  // 0 when there is none
  if (text.back() != ' ' && text.size() - line + 1 + word.size() > kRecordColumns) {
    text += '\n';
    text += indent;
  }
  text += ' ' + word;
}

bool is_shown(const OptionRow& option) {
  return option.recorded && option.has_effect();
}

}  // namespace

std::string repeating_command(const CommandLine& command) {
  std::string line = called(command.about().name);
  for (const OptionRow& option : command.table().rows()) {
    const std::string value = option.value();
    const bool differs = !option.fallback.empty() && value != option.fallback;
    if (!is_shown(option) || !(option.given || differs)) continue;
    // A value that looks like an option has to stand behind an equals sign.
    const char* separator = value.starts_with('-') && value.size() > 1 ? "=" : " ";
    line += " -" + option.name + separator + shell_quoted(value);
  }
  return line;
}

std::string settings_table(const CommandLine& command) {
  std::string table = std::string("acevec ") + version();
  std::string group;
  for (const OptionRow& option : command.table().rows()) {
    const std::string value = option.value();
    if (value.empty() || !is_shown(option)) continue;
    if (option.group != group) table += "\n ";
    group = option.group;
    add_wrapped(table, "-" + option.name + " " + shell_quoted(value), "   ");
  }
  return table;
}

Json run_record(const CommandLine& command, const std::string& repeat) {
  Json record;
  record.put("/acevec", version());
  record.put("/command", repeat);
  for (const OptionRow& option : command.table().rows()) {
    record.put("/settings/" + option.name, json_value(option, option.value()));
  }
  return record;
}

std::vector<std::string> given_arguments(const CommandLine& command) {
  std::vector<std::string> given;
  for (const OptionRow& option : command.table().rows()) {
    if (option.given && option.name != "resume") {
      given.push_back("-" + option.name + "=" + option.value());
    }
  }
  return given;
}

std::string record_path(const std::string& output) {
  const bool has_none = output.empty() || output == "-" || is_special_file(output);
  return has_none ? "" : output + ".json";
}

void refuse_foreign_record(const std::string& path) {
  if (path.empty() || !exists(path)) return;
  std::string start(kRecordStart.size(), '\0');
  std::ifstream(path, std::ios::binary)
      .read(start.data(), static_cast<std::streamsize>(start.size()));
  if (start != kRecordStart) {
    throw Error(
        format("%s already exists and is not a record of a run, so it is not overwritten; rename "
               "it or give another -output",
               path.c_str()));
  }
}

}  // namespace acevec
