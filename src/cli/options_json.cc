#include "cli/options_json.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "base/numbers.h"
#include "base/version.h"

namespace acevec {
namespace {

using Json = nlohmann::ordered_json;

std::string kind_name(Kind kind) {
  switch (kind) {
    case Kind::kFlag:
      return "flag";
    case Kind::kInteger:
      return "integer";
    case Kind::kReal:
      return "real";
    case Kind::kText:
      return "text";
    case Kind::kChoice:
      return "choice";
    case Kind::kInputFile:
      return "input_file";
    case Kind::kInputFiles:
      return "input_files";
    case Kind::kOutputFile:
      return "output_file";
  }
  refuse_case("kind");
}

Json json_row(const OptionRow& option) {
  Json row;
  row["name"] = option.name;
  row["kind"] = kind_name(option.kind);
  row["argument"] = option.kind == Kind::kFlag ? "0|1" : option.argument;
  row["group"] = option.group;
  row["help"] = option.help;
  row["default"] = json_value(option, option.fallback);
  if (option.kind == Kind::kInteger) {
    row["low"] = static_cast<int64_t>(option.low);
    row["high"] = static_cast<int64_t>(option.high);
  } else if (option.kind == Kind::kReal) {
    row["low"] = option.low;
    row["high"] = option.high;
  }
  if (option.kind == Kind::kChoice) {
    std::istringstream words(option.choices);
    for (std::string word; std::getline(words, word, '|');) row["choices"].push_back(word);
  }
  row["needs"] = Json::array();
  for (const Need& need : option.needs) row["needs"].push_back(need.what);
  return row;
}

Json json_command(const CommandLine& command) {
  const CommandText& about = command.about();
  Json result;
  result["name"] = about.name;
  result["usage"] = about.usage;
  result["summary"] = about.summary;
  result["positional"] = about.positional.empty() ? Json(nullptr) : Json(about.positional);
  result["options"] = Json::array();
  for (const OptionRow& option : command.table().rows()) {
    result["options"].push_back(json_row(option));
  }
  return result;
}

}  // namespace

Json json_value(const OptionRow& option, const std::string& value) {
  if (value.empty()) return nullptr;
  switch (option.kind) {
    case Kind::kFlag:
      return value == "1";
    case Kind::kInteger:
      return *number_of<int64_t>(value);
    case Kind::kReal:
      return *number_of<double>(value);
    case Kind::kText:
    case Kind::kChoice:
    case Kind::kInputFile:
    case Kind::kInputFiles:
    case Kind::kOutputFile:
      break;
  }
  return value;
}

std::string options_json(const CommandLines& commands) {
  Json result;
  result["acevec"] = version();
  result["commands"] = Json::array();
  for (const auto& command : commands) result["commands"].push_back(json_command(*command));
  return result.dump(1) + "\n";
}

}  // namespace acevec
