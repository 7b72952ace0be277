#include "cli/options.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/error.h"
#include "base/parallel.h"
#include "vectors/query_words.h"

namespace acevec {
namespace {

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
  const auto refuse = [&](const std::string& wanted) { throw Error("give " + wanted); };
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

}  // namespace

OldCommandLine::OldCommandLine(const Command& command, void (*carry_out)(const Options&))
    : CommandLine(text_),
      command_(command),
      text_{command.name, command.usage, command.summary, command.positional, command.files},
      run_(carry_out) {
  for (const Option& option : command.table) {
    std::string& field = values_[std::string(option.name)];
    field = option.fallback;
    table().group(option.group);
    OptionRow& row = table().text(option.name, option.argument, field, option.help);
    row.kind = option.kind;
    row.low = option.low;
    row.high = option.high;
    row.choices = option.choices;
    row.set = [&field, &option](const std::string& typed) {
      check(option, typed);
      field = typed;
    };
  }
}

OldCommandLine::OldCommandLine(const Command& command, const Options& options)
    : OldCommandLine(command, nullptr) {
  for (OptionRow& row : table().rows()) {
    values_[row.name] = options.text(row.name);
    row.given = options.given(row.name);
  }
  set_positional(options.positional());
}

std::vector<RunFile> OldCommandLine::more_files() const {
  return command_.more_files == nullptr ? std::vector<RunFile>() : command_.more_files(options());
}

Options OldCommandLine::options() const {
  Options options;
  for (const OptionRow& row : table().rows()) {
    options.values_[row.name] = values_.at(row.name);
    if (row.given) options.given_.insert(row.name);
  }
  options.positional_ = positional();
  return options;
}

Options::Options(const Command& command, const std::vector<std::string>& arguments) {
  OldCommandLine line(command, nullptr);
  const bool wants_help = !line.parse(arguments).empty();
  *this = line.options();
  wants_help_ = wants_help;
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

bool for_query_words(const Options& options,
                     const std::function<void(const std::vector<std::string>&)>& answer) {
  const std::vector<std::string>& arguments = options.positional();
  return for_query_words(std::vector<std::string>(arguments.begin() + 1, arguments.end()), answer);
}

PlainRows::PlainRows(const Options& options)
    : PlainRows(options.text("output"),
                plain_format({options.text("output"), options.given("format")
                                                          ? std::optional(chosen<VectorFormat>(
                                                                options, "format",
                                                                {{"text", VectorFormat::kText},
                                                                 {"tsv", VectorFormat::kTsv},
                                                                 {"npy", VectorFormat::kNpy}}))
                                                          : std::nullopt})) {}

}  // namespace acevec
