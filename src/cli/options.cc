#include "cli/options.h"

// A word such as "," is one argument, not an empty list.
#define CXXOPTS_VECTOR_DELIMITER '\0'
#include <cxxopts.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "base/error.h"
#include "base/parallel.h"
#include "cli/foreign_options.h"
#include "cli/spelling.h"

namespace acevec {
namespace {

const Option* find(const Command& command, std::string_view name) {
  const auto row = std::find_if(command.table.begin(), command.table.end(),
                                [&](const Option& option) { return option.name == name; });
  return row == command.table.end() ? nullptr : &*row;
}

bool looks_like_option(std::string_view argument) {
  return argument.size() >= 2 && argument[0] == '-' &&
         (std::isalpha(static_cast<unsigned char>(argument[1])) != 0 || argument[1] == '-');
}

std::string without_dashes(const std::string& argument) {
  return argument.substr(std::min(argument.find_first_not_of('-'), argument.size()));
}

[[noreturn]] void refuse_unknown(const Command& command, const std::string& argument) {
  const std::string name = without_dashes(argument);
  std::string advice = foreign_advice(command, name);
  if (advice.empty()) {
    std::vector<std::string> names;
    for (const Switch& one : switches_of(command)) names.emplace_back(one.name);
    for (const Option& option : command.table) names.emplace_back(option.name);
    const std::vector<std::string> near = near_spellings(name, names, 1);
    advice = near.empty() ? "see --help for the list" : "did you mean -" + near[0] + "?";
  }
  throw UsageError(format("unknown option %s; %s", argument.c_str(), advice.c_str()));
}

// The value of option `name`: the argument after number `at`, which moves on to it.
const std::string& take_value(const Command& command, const std::string& name,
                              const std::vector<std::string>& arguments, size_t& at) {
  if (at + 1 == arguments.size()) {
    throw UsageError(format("option -%s needs a value; see --help", name.c_str()));
  }
  const std::string& value = arguments[++at];
  if (looks_like_option(value) && find(command, without_dashes(value)) != nullptr) {
    throw UsageError(
        format("option -%s needs a value, and %s is an option; if you mean it, write "
               "-%s=%s",
               name.c_str(), value.c_str(), name.c_str(), value.c_str()));
  }
  return value;
}

// word2vec's "-size 100" as cxxopts takes it, "--size 100" in two words whatever the value looks
// like, and after "--" all that is no option. Of flags, which may stand alone, the value is added.
std::vector<std::string> to_long_form(const Command& command,
                                      const std::vector<std::string>& arguments) {
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
      if (command.positional.empty()) {
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
    if (name == "help" || name == "h") {
      result.emplace_back("--help");
      continue;
    }
    if (name == "version" && command.name.empty()) {
      result.emplace_back("--version");
      continue;
    }
    const Option* option = find(command, name);
    if (option == nullptr) refuse_unknown(command, dashed);
    result.push_back("--" + name);
    if (equals != std::string::npos) {
      result.push_back(argument.substr(equals + 1));
    } else if (option->kind == Kind::kFlag) {
      const std::string next = i + 1 < arguments.size() ? arguments[i + 1] : "-";
      const bool valued = next == "0" || next == "1" ||
                          (command.positional.empty() && !looks_like_option(next) && next != "-");
      result.push_back(valued ? next : "1");
      if (valued) ++i;
    } else {
      result.push_back(take_value(command, name, arguments, i));
    }
  }
  result.insert(result.end(), positional.begin(), positional.end());
  return result;
}

template <class Number>
std::optional<Number> parse_number(std::string_view typed) {
  Number number{};
  const auto [end, error] = std::from_chars(typed.data(), typed.data() + typed.size(), number);
  if (error != std::errc{} || end != typed.data() + typed.size()) return std::nullopt;
  return number;
}

bool is_choice(std::string_view choices, std::string_view typed) {
  for (size_t start = 0; start <= choices.size();) {
    const size_t end = std::min(choices.find('|', start), choices.size());
    if (choices.substr(start, end - start) == typed) return true;
    start = end + 1;
  }
  return false;
}

void check(const Option& option, const std::string& typed) {
  const std::string name(option.name);
  const auto refuse = [&](const std::string& wanted) {
    throw UsageError(format("option -%s cannot be \"%s\"; give %s", name.c_str(), typed.c_str(),
                            wanted.c_str()));
  };
  switch (option.kind) {
    case Kind::kFlag:
      if (typed != "0" && typed != "1") refuse("0 or 1");
      break;
    case Kind::kInteger: {
      const auto number = parse_number<int64_t>(typed);
      if (!number || static_cast<double>(*number) < option.low ||
          static_cast<double>(*number) > option.high) {
        refuse(format("a whole number from %.0f to %.0f", option.low, option.high));
      }
      break;
    }
    case Kind::kReal: {
      const auto number = parse_number<double>(typed);
      if (!number || !(*number >= option.low && *number <= option.high)) {
        refuse(format("a number from %g to %g", option.low, option.high));
      }
      break;
    }
    case Kind::kChoice:
      if (!is_choice(option.choices, typed)) refuse("one of " + std::string(option.choices));
      break;
    case Kind::kText:
    case Kind::kInputFile:
    case Kind::kInputFiles:
    case Kind::kOutputFile:
      if (typed.empty()) refuse("a value");
      break;
  }
}

// cxxopts leaves a blank where it breaks a line.
std::string without_trailing_blanks(const std::string& text) {
  std::string result;
  for (const char c : text) {
    while (c == '\n' && result.ends_with(' ')) result.pop_back();
    result += c;
  }
  return result;
}

cxxopts::Options make_parser(const Command& command) {
  cxxopts::Options parser("acevec", std::string(command.summary));
  parser.custom_help(std::string(command.usage.substr(command.usage.find(' ') + 1)));
  parser.set_width(100);
  for (const Option& option : command.table) {
    const auto value = cxxopts::value<std::string>();
    if (!option.fallback.empty()) value->default_value(std::string(option.fallback));
    parser.add_options(std::string(option.group))(
        std::string(option.name), std::string(option.help), value,
        std::string(option.kind == Kind::kFlag ? "0|1" : option.argument));
  }
  for (const Switch& one : switches_of(command)) {
    parser.add_options("Other")(std::string(one.name), std::string(one.help));
  }
  if (!command.positional.empty()) {
    parser.add_options("positional")("arguments", std::string(command.positional),
                                     cxxopts::value<std::vector<std::string>>());
    parser.parse_positional({"arguments"});
    parser.positional_help("");  // the usage line has it
  }
  return parser;
}

}  // namespace

std::span<const Switch> switches_of(const Command& command) {
  static constexpr Switch kSwitches[] = {{"help", "print this help"}, {"version", "print the version"}};
  return std::span(kSwitches).first(command.name.empty() ? 2 : 1);
}

Options::Options(const Command& command, const std::vector<std::string>& arguments) {
  const std::vector<std::string> words = to_long_form(command, arguments);
  std::vector<const char*> pointers;
  pointers.reserve(words.size());
  for (const std::string& word : words) pointers.push_back(word.c_str());
  try {
    cxxopts::Options parser = make_parser(command);
    const auto parsed = parser.parse(static_cast<int>(pointers.size()), pointers.data());
    wants_help_ = parsed.count("help") > 0;
    wants_version_ = command.name.empty() && parsed.count("version") > 0;
    for (const Option& option : command.table) {
      const std::string name(option.name);
      if (parsed.count(name) > 1) {
        throw UsageError(format("option -%s is given twice; give it once", name.c_str()));
      }
      if (parsed.count(name) > 0) given_.insert(name);
      values_[name] = given(name) || !option.fallback.empty() ? parsed[name].as<std::string>() : "";
      if (given(name)) check(option, values_[name]);
    }
    if (!command.positional.empty() && parsed.count("arguments") > 0) {
      positional_ = parsed["arguments"].as<std::vector<std::string>>();
    }
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {  // cxxopts renamed its exceptions between versions
    throw UsageError(format("%s; see --help", error.what()));
  }
}

const std::string& Options::text(std::string_view name) const {
  return values_.find(name)->second;
}

void Options::assume(std::string_view name, std::string_view value) {
  if (!given(name)) values_.find(name)->second = value;
}

void Options::decide(std::string_view name, std::string_view value) {
  values_.find(name)->second = value;
  given_.emplace(name);
}

int64_t Options::integer(std::string_view name) const {
  return parse_number<int64_t>(text(name)).value_or(0);
}

double Options::real(std::string_view name) const {
  return parse_number<double>(text(name)).value_or(0);
}

void refuse_choice(const Options& options, std::string_view name) {
  throw std::logic_error(format("acevec lacks code for -%s %s; report the command",
                                std::string(name).c_str(), options.text(name).c_str()));
}

int threads_of(const Options& options) {
  const int threads =
      options.given("threads") ? static_cast<int>(options.integer("threads")) : machine_threads();
  require_threads(threads);
  return threads;
}

int debug_of(const Options& options) {
  return options.flag("quiet") ? 0 : static_cast<int>(options.integer("debug"));
}

void refuse_idle(const Options& options, std::string_view name, std::string_view needed) {
  if (!options.given(name)) return;
  throw UsageError(format("-%s does nothing without %s; add that or leave it out",
                          std::string(name).c_str(), std::string(needed).c_str()));
}

std::string brief_summary(const Command& command) {
  return std::string(command.summary.substr(0, command.summary.find_first_of(".:;,\n")));
}

std::string help_text(const Command& command) {
  std::vector<std::string> groups;
  for (const Option& option : command.table) {
    const std::string group(option.group);
    if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
  }
  groups.emplace_back("Other");
  return without_trailing_blanks(make_parser(command).help(groups));
}

}  // namespace acevec
