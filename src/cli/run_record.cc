#include "cli/run_record.h"

#include <algorithm>
#include <fstream>

#include "base/error.h"
#include "base/same_file.h"
#include "base/utf8.h"
#include "cli/help.h"

namespace acevec {
namespace {

constexpr std::string_view kRecordStart = "{\n  \"acevec\":";  // identifies a record

bool is_shown(const OptionRow& option) {
  return option.recorded && option.has_effect();
}

bool is_plain(unsigned char c) {
  constexpr std::string_view kPlain = "%+,-./:=@_";
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         kPlain.find(static_cast<char>(c)) != std::string_view::npos;
}

bool is_control(unsigned char c) {
  return c < 32 || c == 127;
}

}  // namespace

std::string shell_quoted(std::string_view word) {
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return std::string(word);
  std::string result;
  if (is_utf8(word) && std::ranges::none_of(word, is_control)) {
    for (const char c : word) result += c == '\'' ? "'\\''" : std::string(1, c);
    return "'" + result + "'";
  }
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_control(byte) || byte > 127) {
      result += format("\\%03o", static_cast<unsigned>(byte));
    } else if (c == '\\' || c == '\'') {
      result += std::string("\\") + c;
    } else {
      result += c;
    }
  }
  return "$'" + result + "'";
}

std::string repeating_command(const CommandLine& command) {
  std::string line = called(command.about().name);
  for (const OptionRow& option : command.table().rows()) {
    const std::string value = option.value();
    const bool differs = !option.fallback.empty() && value != option.fallback;
    if (!is_shown(option) || !(option.given || differs)) continue;
    // A value that looks like an option needs an equals sign.
    const char* separator = value.starts_with('-') && value.size() > 1 ? "=" : " ";
    line += " -" + option.name + separator + shell_quoted(value);
  }
  return line;
}

std::string settings_table(const CommandLine& command, size_t width) {
  std::string table = std::string("acevec ") + version();
  std::string group;
  for (const OptionRow& option : command.table().rows()) {
    const std::string value = option.short_value();
    if (value.empty() || !is_shown(option)) continue;
    if (option.group != group) table += "\n  ";
    group = option.group;
    append_words(table, {"-" + option.name + " " + shell_quoted(value)}, 4, width);
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
