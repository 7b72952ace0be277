#include "cli/command_line.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>

#include "base/error.h"
#include "base/numbers.h"
#include "base/same_file.h"
#include "base/spelling.h"

namespace acevec {
namespace {

bool looks_like_option(std::string_view argument) {
  return argument.size() >= 2 && argument[0] == '-' &&
         (std::isalpha(static_cast<unsigned char>(argument[1])) != 0 || argument[1] == '-');
}

// Returns the name that begins all names beginning with `typed` ("output" for "out"), or else the
// one of similar spelling; empty for none.
std::string near_name(const std::string& typed, const std::vector<std::string>& names) {
  std::vector<std::string> longer;
  std::ranges::copy_if(names, std::back_inserter(longer),
                       [&](const std::string& name) { return name.starts_with(typed); });
  if (longer.empty()) longer = near_spellings(typed, names, 1);
  if (longer.empty()) return "";
  const std::string shortest = *std::ranges::min_element(longer, {}, &std::string::size);
  const bool is_common = std::ranges::all_of(
      longer, [&](const std::string& name) { return name.starts_with(shortest); });
  return is_common ? shortest : "";
}

// Returns the switch of that name, or null.
const Switch* find_switch(const CommandLine& command, const std::string& name) {
  const std::span<const Switch> switches = switches_of(command);
  const auto one = std::ranges::find(switches, name, &Switch::name);
  return one == switches.end() ? nullptr : &*one;
}

// Returns what to type in place of an unknown option; empty if nothing is near.
std::string advice_for(const CommandLine& command, const std::string& name) {
  std::string advice = foreign_advice(command, name);
  if (!advice.empty()) return advice;
  std::vector<std::string> names;
  for (const Switch& one : switches_of(command)) names.emplace_back(one.name);
  for (const OptionRow& option : command.table().rows()) names.push_back(option.name);
  const std::string near = near_name(name, names);
  return near.empty() ? "" : "did you mean -" + near + "?";
}

// Refuses the unknown options among the arguments, all at once. At least the first is one.
[[noreturn]] void refuse_unknown(const CommandLine& command,
                                 std::span<const std::string> arguments) {
  std::vector<std::string> unknown, advice;
  for (size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    if (!looks_like_option(arguments[i])) continue;
    const std::string dashed = arguments[i].substr(0, arguments[i].find('='));
    const std::string name = without_dashes(dashed);
    if (const OptionRow* known = command.table().find(name)) {
      if (known->kind != Kind::kFlag && dashed == arguments[i]) ++i;  // skips its value
    } else if (find_switch(command, name) == nullptr) {
      unknown.push_back(dashed);
      advice.push_back(advice_for(command, name));
    }
  }
  const bool adds = command.about().name == "nn";  // -man may be meant as part of a sum
  const std::string last =
      adds ? "see --help for the list, or write a sum with blanks: king - man + woman"
           : "see --help for the list";
  if (unknown.size() == 1) {
    throw UsageError("unknown option " + unknown[0] + "; " +
                     (advice[0].empty() ? last : advice[0]));
  }
  for (size_t i = 0; i < unknown.size(); ++i) {
    if (!advice[i].empty()) unknown[i] += " (" + advice[i] + ")";
  }
  throw UsageError("unknown options " + joined(unknown, ", ") + "; " + last);
}

// Returns whether `argument` is meant as the value of a flag, valid or not: a number, true, off,
// ...
bool looks_like_value_of_flag(const std::string& argument) {
  constexpr std::string_view kWords[] = {"true", "false", "yes", "no", "on", "off"};
  return number_of<double>(argument).has_value() || std::ranges::count(kWords, argument) > 0;
}

// Returns the value of an option, which is the argument after number `at`, and advances `at`. A
// flag may stand alone. An option of several files takes several arguments, unless the command has
// operands.
std::string take_value(const CommandLine& command, const OptionRow& option,
                       const std::vector<std::string>& arguments, size_t& at) {
  const bool is_last = at + 1 == arguments.size();
  if (option.kind == Kind::kFlag) {
    const std::string next = is_last ? "-" : arguments[at + 1];
    const bool valued = looks_like_value_of_flag(next) ||
                        (!command.operands().any() && !looks_like_option(next) && next != "-");
    return valued ? arguments[++at] : "1";
  }
  const std::string& name = option.name;
  if (is_last) throw UsageError(format("option -%s needs a value; see --help", name.c_str()));
  const std::string& value = arguments[++at];
  if (looks_like_option(value) && command.table().find(without_dashes(value)) != nullptr) {
    throw UsageError(
        format("option -%s needs a value, and %s is an option; if you mean it, write -%s=%s",
               name.c_str(), value.c_str(), name.c_str(), value.c_str()));
  }
  if (option.kind != Kind::kInputFiles || command.operands().any()) return value;
  std::string files = value;
  const auto is_file = [](const std::string& next) {
    return !looks_like_option(next) && exists(next);
  };
  while (at + 1 < arguments.size() && is_file(arguments[at + 1])) files += ',' + arguments[++at];
  return files;
}

// The parts of a command line.
struct Typed {
  std::string_view asked;  // a switch; the other members are then unused
  std::multimap<std::string, std::string> options;
  std::vector<std::string> positional;  // including everything after "--"
};

// Splits a command line. A value may be written "-size 100", "--size 100" or "-size=100".
Typed take_apart(const CommandLine& command, const std::vector<std::string>& arguments) {
  Typed typed;
  bool options_ended = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--" && !options_ended) {
      options_ended = true;
      continue;
    }
    if (options_ended || !looks_like_option(argument)) {
      if (!command.operands().any()) {
        const bool is_text = command.table().find("train") != nullptr && exists(argument) &&
                             !typed.options.contains("train");
        throw UsageError(format("unexpected argument \"%s\"; %s", argument.c_str(),
                                is_text ? ("give it as -train " + argument).c_str()
                                        : "options start with a dash, a value with spaces needs "
                                          "quotes, and several files have commas between"));
      }
      typed.positional.push_back(argument);
      continue;
    }
    const size_t equals = argument.find('=');
    const std::string dashed = argument.substr(0, equals);
    const std::string name = without_dashes(dashed);
    if (const Switch* one = find_switch(command, name)) {
      typed.asked = one->name;
      return typed;
    }
    const OptionRow* option = command.table().find(name);
    if (option == nullptr) refuse_unknown(command, std::span(arguments).subspan(i));
    typed.options.emplace(name, equals == std::string::npos
                                    ? take_value(command, *option, arguments, i)
                                    : argument.substr(equals + 1));
  }
  return typed;
}

// Sets a row to a typed value. Errors name the option.
void set(OptionRow& option, const std::string& typed) {
  try {
    option.set(typed);
  } catch (const Error& refusal) {
    throw UsageError(format("option -%s cannot be \"%s\"; %s", option.name.c_str(), typed.c_str(),
                            refusal.what()));
  }
  option.given = true;
}

void check_operands(const CommandLine& command) {
  const std::vector<std::string_view>& files = command.operands().files;
  const std::vector<std::string>& given = command.positional();
  const std::string usage(command.about().usage);
  for (size_t i = 0; i < files.size(); ++i) {
    if (i < given.size() && !given[i].empty()) continue;
    throw UsageError(
        format("%s is missing; usage: %s", std::string(files[i]).c_str(), usage.c_str()));
  }
  if (given.size() > files.size() && !command.operands().more) {
    const std::string input(command.about().input);
    throw UsageError(format("\"%s\" is one argument too many; %s", given[files.size()].c_str(),
                            input.empty() ? ("usage: " + usage).c_str() : input.c_str()));
  }
}

}  // namespace

Operands operands_of(const CommandText& about) {
  Operands operands;
  for (const std::string_view word : split(about.usage.substr(called(about.name).size()), " ")) {
    if (word.empty()) continue;
    if (word == "[FILE]") {
      operands.files.push_back("FILE");
      operands.may_read_input = true;
      continue;
    }
    if (word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") != std::string_view::npos) {
      operands.more = word != "[OPTION" && !word.starts_with('-') && !word.starts_with("[-");
      break;
    }
    operands.files.push_back(word);
  }
  return operands;
}

std::span<const Switch> switches_of(const CommandLine& command) {
  static constexpr Switch kSwitches[] = {
      {"h", "print a short help"}, {"help", "print this help"}, {"version", "print the version"}};
  return std::span(kSwitches).first(command.about().name.empty() ? 3 : 2);
}

std::string_view CommandLine::parse(const std::vector<std::string>& arguments) {
  Typed typed = take_apart(*this, arguments);
  if (!typed.asked.empty()) return typed.asked;
  positional_ = std::move(typed.positional);
  if (operands_.may_read_input && positional_.size() + 1 == operands_.files.size()) {
    positional_.emplace_back("-");
  }
  check_operands(*this);
  for (OptionRow& option : table_.rows()) {
    const size_t times = typed.options.count(option.name);
    if (times > 1) {
      throw UsageError(format("option -%s is given twice; give it once", option.name.c_str()));
    }
    if (times == 1) set(option, typed.options.find(option.name)->second);
  }
  table_.fill_defaults();
  return {};
}

std::string called(std::string_view name) {
  return name.empty() ? "acevec" : "acevec " + std::string(name);
}

std::vector<std::string> words_of(std::string_view name) {
  if (name.empty()) return {};
  const std::vector<std::string_view> words = split(name, " ");
  return {words.begin(), words.end()};
}

bool starts_with(const std::vector<std::string>& arguments, const std::vector<std::string>& words) {
  return arguments.size() >= words.size() &&
         std::equal(words.begin(), words.end(), arguments.begin());
}

CommandLine& command_of(const CommandLines& commands, const std::vector<std::string>& arguments) {
  CommandLine* chosen = commands[0].get();
  for (const auto& command : commands) {
    const bool is_longer = command->about().name.size() > chosen->about().name.size();
    if (is_longer && starts_with(arguments, words_of(command->about().name))) {
      chosen = command.get();
    }
  }
  return *chosen;
}

std::string without_dashes(const std::string& argument) {
  return argument.substr(std::min(argument.find_first_not_of('-'), argument.size()));
}

}  // namespace acevec
