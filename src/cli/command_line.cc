#include "cli/command_line.h"

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "base/spelling.h"
#include "cli/cxxopts_parser.h"
#include "cli/foreign_options.h"

namespace acevec {
namespace {

bool looks_like_option(std::string_view argument) {
  return argument.size() >= 2 && argument[0] == '-' &&
         (std::isalpha(static_cast<unsigned char>(argument[1])) != 0 || argument[1] == '-');
}

std::string without_dashes(const std::string& argument) {
  return argument.substr(std::min(argument.find_first_not_of('-'), argument.size()));
}

[[noreturn]] void refuse_unknown(const CommandLine& command, const std::string& argument) {
  const std::string name = without_dashes(argument);
  std::string advice = foreign_advice(command, name);
  if (advice.empty()) {
    std::vector<std::string> names;
    for (const Switch& one : switches_of(command)) names.emplace_back(one.name);
    for (const OptionRow& option : command.table().rows()) names.push_back(option.name);
    const std::vector<std::string> near = near_spellings(name, names, 1);
    advice = near.empty() ? "see --help for the list" : "did you mean -" + near[0] + "?";
  }
  throw UsageError(format("unknown option %s; %s", argument.c_str(), advice.c_str()));
}

// The value of option `name`: the argument after number `at`, which moves on to it.
const std::string& take_value(const CommandLine& command, const std::string& name,
                              const std::vector<std::string>& arguments, size_t& at) {
  if (at + 1 == arguments.size()) {
    throw UsageError(format("option -%s needs a value; see --help", name.c_str()));
  }
  const std::string& value = arguments[++at];
  if (looks_like_option(value) && command.table().find(without_dashes(value)) != nullptr) {
    throw UsageError(
        format("option -%s needs a value, and %s is an option; if you mean it, write "
               "-%s=%s",
               name.c_str(), value.c_str(), name.c_str(), value.c_str()));
  }
  return value;
}

// The switch of that name; null when there is none.
const Switch* find_switch(const CommandLine& command, const std::string& name) {
  for (const Switch& one : switches_of(command)) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

// word2vec's "-size 100" as cxxopts takes it, "--size 100" in two words whatever the value looks
// like, and after "--" all that is no option. Of flags, which may stand alone, the value is added.
// Nothing follows a switch, of which `asked` gets the name.
std::vector<std::string> to_long_form(const CommandLine& command,
                                      const std::vector<std::string>& arguments,
                                      std::string_view& asked) {
  std::vector<std::string> result{"acevec"};
  std::vector<std::string> positional{"--"};
  bool options_ended = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--" && !options_ended) {
      options_ended = true;
      continue;
    }
    if (options_ended || !looks_like_option(argument)) {
      if (command.about().positional.empty()) {
        throw UsageError(
            format("unexpected argument \"%s\"; options start with a dash, and a value "
                   "with spaces needs quotes",
                   argument.c_str()));
      }
      positional.push_back(argument);
      continue;
    }
    const size_t equals = argument.find('=');
    const std::string dashed = argument.substr(0, equals);
    const std::string name = without_dashes(dashed);
    if (const Switch* one = find_switch(command, name)) {
      asked = one->name;
      return {};
    }
    const OptionRow* option = command.table().find(name);
    if (option == nullptr) refuse_unknown(command, dashed);
    result.push_back("--" + name);
    if (equals != std::string::npos) {
      result.push_back(argument.substr(equals + 1));
    } else if (option->kind == Kind::kFlag) {
      const std::string next = i + 1 < arguments.size() ? arguments[i + 1] : "-";
      const bool valued =
          next == "0" || next == "1" ||
          (command.about().positional.empty() && !looks_like_option(next) && next != "-");
      result.push_back(valued ? next : "1");
      if (valued) ++i;
    } else {
      result.push_back(take_value(command, name, arguments, i));
    }
  }
  result.insert(result.end(), positional.begin(), positional.end());
  return result;
}

// Sets a row to what was typed, with the row's name in what is said of a text that it refuses.
void set(OptionRow& option, const std::string& typed) {
  try {
    option.set(typed);
  } catch (const Error& refusal) {
    throw UsageError(format("option -%s cannot be \"%s\"; %s", option.name.c_str(), typed.c_str(),
                            refusal.what()));
  }
  option.given = true;
}

}  // namespace

std::span<const Switch> switches_of(const CommandLine& command) {
  static constexpr Switch kSwitches[] = {
      {"h", "print a short help"}, {"help", "print this help"}, {"version", "print the version"}};
  return std::span(kSwitches).first(command.about().name.empty() ? 3 : 2);
}

std::string_view CommandLine::parse(const std::vector<std::string>& arguments) {
  std::string_view asked;
  const std::vector<std::string> words = to_long_form(*this, arguments, asked);
  if (!asked.empty()) return asked;
  std::vector<const char*> pointers;
  pointers.reserve(words.size());
  for (const std::string& word : words) pointers.push_back(word.c_str());
  try {
    cxxopts::Options parser = make_parser(*this);
    const auto parsed = parser.parse(static_cast<int>(pointers.size()), pointers.data());
    for (OptionRow& option : table_.rows()) {
      if (parsed.count(option.name) > 1) {
        throw UsageError(format("option -%s is given twice; give it once", option.name.c_str()));
      }
      if (parsed.count(option.name) > 0) set(option, parsed[option.name].as<std::string>());
    }
    if (!about_.positional.empty() && parsed.count("arguments") > 0) {
      positional_ = parsed["arguments"].as<std::vector<std::string>>();
    }
    return {};
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {  // cxxopts renamed its exceptions between versions
    throw UsageError(format("%s; see --help", error.what()));
  }
}

std::string called(std::string_view name) {
  return name.empty() ? "acevec" : "acevec " + std::string(name);
}

}  // namespace acevec
