#include "cli/file_options.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/output_file.h"
#include "base/same_file.h"

namespace acevec {
namespace {

// Returns whether the operand `name` of the usage line is an output.
bool is_output(std::string_view name) {
  return name == "OUT" || name == "FOLDER";
}

// The path, with "-" replaced by the device of the standard stream.
std::string real_path(const RunFile& file) {
  if (file.path != "-") return file.path;
  return file.written ? "/dev/stdout" : "/dev/stdin";
}

bool is_stream(const RunFile& file) {
  return file.path == "-";
}

bool goes_on(const RunFile& a, const RunFile& b) {
  return (a.name == "-checkpoint" && b.name == "-resume") ||
         (a.name == "-resume" && b.name == "-checkpoint");
}

bool collide(const RunFile& a, const RunFile& b) {
  if (goes_on(a, b)) return false;
  if (is_stream(a) && is_stream(b) && a.written == b.written) return true;
  const std::string path = real_path(a);
  if (!same_file(path, real_path(b))) return false;
  std::error_code failed;
  switch (std::filesystem::status(path, failed).type()) {
    case std::filesystem::file_type::character:
      return false;
    case std::filesystem::file_type::fifo:
    case std::filesystem::file_type::socket:  // the two directions of one connection
      return a.written == b.written;
    default:
      return a.written || b.written || a.name == b.name;
  }
}

bool prints(const CommandLine& command) {
  const auto& files = command.operands().files;
  const auto& rows = command.table().rows();
  return std::ranges::none_of(files, is_output) &&
         std::ranges::find(rows, Kind::kOutputFile, &OptionRow::kind) == rows.end();
}

void refuse_same(const RunFile& a, const RunFile& b) {
  if (!collide(a, b)) return;
  const bool in_order = b.written || !a.written;  // the message names the file that is read first
  const RunFile& first = in_order ? a : b;
  const RunFile& second = in_order ? b : a;
  const char* const path = is_stream(first) ? second.path.c_str() : first.path.c_str();
  if (first.name == second.name) {
    throw UsageError(
        format("%s has the same file twice, %s; name it once", first.name.c_str(), path));
  }
  throw UsageError(format("%s and %s are the same file, %s; give two names", first.name.c_str(),
                          second.name.c_str(), path));
}

void require_regular(const RunFile& file) {
  if (!is_special_file(file.path)) return;
  throw UsageError(format("%s would be %s, which is not a regular file; move it away",
                          file.name.c_str(), file.path.c_str()));
}

// Gives a hint where a file stands among the words after the files.
void refuse_swapped(const CommandLine& command) {
  const auto& named = command.operands().files;
  const std::vector<std::string>& given = command.positional();
  for (size_t i = 0; i < named.size(); ++i) {
    if (is_output(named[i]) || given[i] == "-" || exists(given[i])) continue;
    std::error_code unknown;
    const auto file = std::find_if(
        given.begin() + std::ssize(named), given.end(),
        [&](const std::string& word) { return std::filesystem::is_regular_file(word, unknown); });
    if (file == given.end()) continue;
    throw UsageError(format("there is no file %s, but %s is one; usage: %s", given[i].c_str(),
                            file->c_str(), std::string(command.about().usage).c_str()));
  }
}

}  // namespace

std::vector<RunFile> files_of(const CommandLine& command) {
  std::vector<RunFile> files;
  const auto& named = command.operands().files;
  for (size_t i = 0; i < named.size(); ++i) {
    files.push_back({std::string(named[i]), command.positional()[i], is_output(named[i])});
  }
  for (const OptionRow& option : command.table().rows()) {
    if (!names_file(option.kind) || !option.given) continue;
    const std::string name = "-" + option.name;
    if (option.kind == Kind::kInputFiles) {
      for (std::string& path : split_paths(option.value())) {
        files.push_back({name, std::move(path), false});
      }
    } else {
      files.push_back({name, option.value(), option.kind == Kind::kOutputFile});
    }
  }
  if (prints(command)) files.push_back({"standard output", "-", true});
  for (const OptionRow& option : command.table().rows()) {
    if (!option.of_vectors || !option.given) continue;
    add_words_file("-" + option.name, option.value(), format_of_ending(option.value()),
                   option.kind == Kind::kOutputFile, files);
  }
  for (RunFile& file : command.more_files()) files.push_back(std::move(file));
  return files;
}

void add_words_file(const std::string& name, const std::string& path,
                    std::optional<VectorFormat> format, bool written, std::vector<RunFile>& files) {
  if (path == "-" || !format || !has_words_file(*format)) return;
  files.push_back({"the words of " + name, words_path(path, *format), written, true});
}

void check_files(const CommandLine& command) {
  refuse_swapped(command);
  const std::vector<RunFile> files = files_of(command);
  for (size_t i = 0; i < files.size(); ++i) {
    if (files[i].written) refuse_packed_output(files[i].path);
    if (files[i].written && is_stream(files[i])) require_output();
    if (files[i].derived) require_regular(files[i]);
    for (size_t j = i + 1; j < files.size(); ++j) refuse_same(files[i], files[j]);
  }
  // Queries may come from standard input.
  if (prints(command)) refuse_same({"standard input", "-", false}, {"standard output", "-", true});
}

}  // namespace acevec
