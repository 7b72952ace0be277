// What is said of other programs' options is true.

#include <doctest/doctest.h>

#include <set>
#include <sstream>
#include <utility>

#include "cli/command_line.h"
#include "commands/commands.h"

namespace acevec {
namespace {

std::string advice(std::string_view command, std::string_view option) {
  for (const auto& one : all_commands()) {
    if (one->about().name == command) return foreign_advice(*one, option);
  }
  return "no such command";
}

}  // namespace

TEST_CASE("what other programs' options are said to be called is what they are called") {
  std::set<std::string> own;
  for (const auto& command : all_commands()) {
    for (const OptionRow& option : command->table().rows()) own.emplace(option.name);
  }
  std::set<std::string_view> commands;
  for (const auto& command : all_commands()) commands.insert(command->about().name);
  std::set<std::pair<std::string_view, std::string_view>> names;
  for (const ForeignOption& foreign : foreign_options()) {
    CAPTURE(foreign.name);
    CHECK(names.insert({foreign.name, foreign.command}).second);
    CHECK(foreign.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos);
    CHECK(foreign.own.empty() != foreign.absence.empty());
    std::istringstream words{std::string(foreign.own)};
    for (std::string name; std::getline(words, name, '|');) CHECK(own.contains(name));
    CHECK((foreign.command.empty() || commands.contains(foreign.command)));
  }
}

TEST_CASE("advice is for who may mean it, however the option is spelled") {
  CHECK(advice("", "dim") == "acevec calls it -size");
  CHECK(advice("kg", "lr") == "acevec calls it -rate");
  CHECK(advice("", "vector_size") == advice("", "vectorSize"));
  CHECK(advice("", "sg").ends_with("leave it out"));
  CHECK(advice("nn", "sg").empty());
  CHECK(advice("nn", "size").empty());
  CHECK(advice("nn", "topn") == "acevec calls it -top");
  CHECK(advice("sentence", "label").starts_with("labels begin"));
  CHECK(advice("", "label").starts_with("acevec sentence"));
  CHECK(advice("", "nonsense").empty());
}

}  // namespace acevec
