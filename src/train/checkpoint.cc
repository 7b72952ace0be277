#include "train/checkpoint.h"

#include <algorithm>

#include "base/error.h"
#include "cli/file_options.h"

namespace acevec {
namespace {

// Options that leave the result of one thread as it is: where things come from (that they are the
// same things is checked), where they go to, and what is said meanwhile. And more epochs, for a run
// that has ended (see TaskRunner::load).
constexpr std::string_view kMayChange[] = {
    "train",      "output",           "binary",  "log",   "log-every", "save-every", "resume",
    "checkpoint", "checkpoint-every", "threads", "debug", "quiet",     "max-memory", "iter"};

bool is_among(std::string_view name, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string argument(std::string_view name, const std::string& value) {
  return "-" + std::string(name) + "=" + value;
}

std::string name_of(const std::string& text, const CheckpointReader& file) {
  if (text.starts_with('-')) return text.substr(1, text.find('=') - 1);
  throw Error(
      format("%s is damaged: it holds an option without a name; use another", file.path().c_str()));
}

}  // namespace

std::vector<std::string> given_arguments(const Command& command, const Options& options) {
  std::vector<std::string> given;
  for (const Option& option : command.table) {
    if (!options.given(option.name) || option.name == "resume") continue;
    given.push_back(argument(option.name, options.text(option.name)));
  }
  return given;
}

void save_arguments(std::string_view command, const std::vector<std::string>& arguments,
                    CheckpointWriter& file) {
  file.put("command", std::string(command));
  file.put("options", static_cast<int64_t>(arguments.size()));
  for (const std::string& text : arguments) file.put("option", text);
}

std::vector<std::string> load_arguments(std::string_view command, CheckpointReader& file) {
  std::string wrote;
  if (file.next_is("process")) file.get("process", wrote);  // has been looked at
  file.get("command", wrote);
  if (wrote != command) {
    throw Error(format("%s is a checkpoint of %s; resume it with %s -resume", file.path().c_str(),
                       wrote.c_str(), wrote.c_str()));
  }
  std::vector<std::string> arguments;
  const auto count = file.get<int64_t>("options");
  for (int64_t i = 0; i < count; ++i) {
    std::string text;
    file.get("option", text);
    name_of(text, file);
    arguments.push_back(std::move(text));
  }
  return arguments;
}

Start start_of(const Command& command, const Options& typed,
               std::span<const std::string_view> may_change, const std::string& part) {
  if (!typed.given("resume")) return {typed, std::nullopt};
  const std::string& resumed = typed.text("resume");
  CheckpointReader file(part.empty() ? resumed : part);
  std::string wrote;
  if (file.next_is("process")) file.get("process", wrote);  // has been looked at
  file.get("command", wrote);
  if (wrote != called(command.name)) {
    throw Error(format("%s is a checkpoint of %s; resume it with %s -resume", file.path().c_str(),
                       wrote.c_str(), wrote.c_str()));
  }
  std::vector<std::string> arguments;
  const auto count = file.get<int64_t>("options");
  for (int64_t i = 0; i < count; ++i) {
    std::string text;
    file.get("option", text);
    const std::string name = name_of(text, file);
    const bool said_otherwise = typed.given(name) || (name == "quiet" && typed.given("debug"));
    if (!said_otherwise && name != "checkpoint") arguments.push_back(text);
  }
  for (const std::string& text : given_arguments(command, typed)) {
    const std::string name = name_of(text, file);
    if (!is_among(name, kMayChange) && !is_among(name, may_change)) {
      throw UsageError(
          format("-%s cannot change in a run that is resumed; leave it out, or start a new run",
                 name.c_str()));
    }
    arguments.push_back(text);
  }
  if (!typed.given("checkpoint")) arguments.push_back(argument("checkpoint", resumed));
  Options options(command, arguments);
  check_files(command, options);
  return {std::move(options), std::move(file)};
}

void save_identities(const std::vector<Identity>& identities, CheckpointWriter& file) {
  for (const Identity& identity : identities) {
    file.put("identity", identity.hash);
    file.put("identity detail", identity.detail);
  }
}

void check_identities(const std::vector<Identity>& now, CheckpointReader& file) {
  for (const Identity& identity : now) {
    const auto hash = file.get<uint64_t>("identity");
    std::string before;
    file.get("identity detail", before);
    if (hash == identity.hash) continue;
    const std::string details =
        identity.detail.empty() ? "" : " (" + identity.detail + "; before: " + before + ")";
    throw Error(format("%s%s since %s was written; give the original, or start a new run",
                       identity.change.c_str(), details.c_str(), file.path().c_str()));
  }
}

}  // namespace acevec
