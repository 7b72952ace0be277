#include <cstdint>
#include <iterator>

#include "base/error.h"
#include "base/numbers.h"
#include "cli/help.h"

namespace acevec {
namespace {

constexpr const char* kKindNames[] = {"flag",   "integer",    "real",        "text",
                                      "choice", "input_file", "input_files", "output_file"};
static_assert(std::size(kKindNames) == static_cast<size_t>(Kind::kOutputFile) + 1);

void put_row(const OptionRow& option, const std::string& place, Json& all) {
  all.put(place, {{"name", option.name},
                  {"kind", kKindNames[static_cast<size_t>(option.kind)]},
                  {"argument", option.argument},
                  {"group", option.group},
                  {"help", option.help},
                  {"default", json_value(option, option.fallback)},
                  {"default_text", option.default_text()}});
  if (option.kind == Kind::kInteger) {
    all.put(place, {{"low", static_cast<int64_t>(option.low)},
                    {"high", static_cast<int64_t>(option.high)}});
  } else if (option.kind == Kind::kReal) {
    all.put(place, {{"low", option.low}, {"high", option.high}});
  }
  if (option.kind == Kind::kChoice) {
    int number = 0;
    for (const std::string_view word : split(option.argument, "|")) {
      all.put(place + "/choices/" + std::to_string(number++), std::string(word));
    }
  }
  all.put_empty_list(place + "/defaults");
  for (size_t i = 0; i < option.defaults.size(); ++i) {
    const ConditionalDefault& one = option.defaults[i];
    all.put(place + "/defaults/" + std::to_string(i),
            {{"when", one.when.what}, {"value", one.shown}});
  }
  all.put_empty_list(place + "/needs");
  for (size_t i = 0; i < option.needs.size(); ++i) {
    all.put(place + "/needs/" + std::to_string(i), option.needs[i].what);
  }
}

void put_command(const CommandLine& command, const std::string& place, Json& all) {
  const CommandText& about = command.about();
  all.put(place, {{"name", std::string(about.name)},
                  {"usage", std::string(about.usage)},
                  {"summary", std::string(about.summary)}});
  all.put_empty_list(place + "/options");
  int number = 0;
  for (const OptionRow& option : command.table().rows()) {
    put_row(option, place + "/options/" + std::to_string(number++), all);
  }
}

}  // namespace

Json::Value json_value(const OptionRow& option, const std::string& value) {
  if (value.empty()) return nullptr;
  if (option.kind == Kind::kFlag) return value == "1";
  if (option.kind == Kind::kInteger) return *number_of<int64_t>(value);
  if (option.kind == Kind::kReal) return *number_of<double>(value);
  return value;
}

std::string options_json(const CommandLines& commands) {
  Json all;
  all.put("/acevec", version());
  int number = 0;
  for (const auto& command : commands) {
    put_command(*command, "/commands/" + std::to_string(number++), all);
  }
  return all.text(1);
}

}  // namespace acevec
