// Tests of cli/file_options, for all commands there are: a new one has the check without asking.

#include "cli/file_options.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "commands/commands.h"
#include "temporary_folder.h"

namespace acevec {
namespace {

// A place for a file on a command line.
struct Place {
  std::string option;  // empty: an argument without a dash
  size_t argument;
  bool written;
};

std::vector<Place> places_of(const CommandLine& command) {
  std::vector<Place> places;
  const auto& files = command.operands().files;
  for (size_t i = 0; i < files.size(); ++i)
    places.push_back({"", i, files[i] == "OUT" || files[i] == "FOLDER"});
  for (const OptionRow& option : command.table().rows()) {
    const bool written = option.kind == Kind::kOutputFile;
    if (!names_file(option.kind)) continue;
    places.push_back({"-" + std::string(option.name), 0, written});
  }
  return places;
}

using Filled = std::pair<Place, std::string>;  // and its path

// Command number `which` with paths in some places, and others where there must be one.
std::unique_ptr<CommandLine> filled_in(size_t which, const std::vector<Filled>& filled) {
  std::unique_ptr<CommandLine> command = std::move(all_commands()[which]);
  std::vector<std::string> arguments;
  for (size_t i = 0; i < command->operands().files.size(); ++i)
    arguments.push_back("other" + std::to_string(i));
  for (const auto& [place, path] : filled) {
    if (place.option.empty()) {
      arguments[place.argument] = path;
    } else {
      arguments.insert(arguments.end(), {place.option, path});
    }
  }
  command->parse(arguments);
  return command;
}

bool goes_on(const Place& a, const Place& b) {
  return a.option == "-checkpoint" && b.option == "-resume";
}

}  // namespace

TEST_CASE("no command writes to a file that it reads, or twice to one") {
  const TemporaryFolder folder;
  const std::string file = folder.write("file", "");
  std::filesystem::create_symlink("file", folder.path("soft"));
  std::filesystem::create_hard_link(file, folder.path("hard"));
  int pairs = 0;
  const CommandLines commands = all_commands();
  for (size_t which = 0; which < commands.size(); ++which) {
    const std::vector<Place> places = places_of(*commands[which]);
    for (size_t i = 0; i < places.size(); ++i) {
      for (size_t j = i + 1; j < places.size(); ++j) {
        if (!places[i].written && !places[j].written) {
          CHECK_NOTHROW(check_files(*filled_in(which, {{places[i], file}, {places[j], file}})));
          continue;
        }
        for (const std::string& other :
             {file, folder.path("./file"), folder.path("soft"), folder.path("hard")}) {
          const auto command = filled_in(which, {{places[i], file}, {places[j], other}});
          CAPTURE(command->about().name);
          CAPTURE(places[i].option);
          CAPTURE(places[j].option);
          CAPTURE(other);
          if (goes_on(places[i], places[j])) {
            CHECK_NOTHROW(check_files(*command));
          } else {
            CHECK_THROWS_WITH_AS(check_files(*command), doctest::Contains("are the same file"),
                                 UsageError);
          }
          ++pairs;
        }
        CHECK_NOTHROW(check_files(*filled_in(which, {{places[i], file}, {places[j], file + "2"}})));
        CHECK_NOTHROW(
            check_files(*filled_in(which, {{places[i], "/dev/null"}, {places[j], "/dev/null"}})));
      }
    }
  }
  CHECK(pairs > 100);
}

TEST_CASE("several files stand with commas between, and each is one of the run") {
  const TemporaryFolder folder;
  using Paths = std::vector<std::string>;
  CHECK(split_paths("a") == Paths{"a"});
  CHECK(split_paths("a,b.gz,-") == Paths{"a", "b.gz", "-"});
  CHECK(split_paths(folder.write("a,b", "")) == Paths{folder.path("a,b")});
  for (const char* typed : {"", ",", "a,", ",a", "a,,b"}) {
    CAPTURE(typed);
    CHECK_THROWS_AS(split_paths(typed), Error);
  }
  const std::string a = folder.write("a", "");
  const std::string b = folder.write("b", "");
  const auto check = [&](const std::string& train, const std::string& output) {
    const auto command = std::move(all_commands()[0]);
    command->parse({"-train", train, "-output", output});
    check_files(*command);
  };
  CHECK_NOTHROW(check(a + ",-," + b, folder.path("c")));
  const std::string both = a + "," + b;
  for (const std::string& output : {a, b, folder.path("./b")}) {
    CHECK_THROWS_WITH_AS(check(both, output), doctest::Contains("are the same file"), UsageError);
  }
  CHECK_THROWS_WITH_AS(check(both + "," + a, folder.path("c")),
                       doctest::Contains("has the same file twice"), UsageError);
  CHECK_THROWS_WITH_AS(check("-," + a + ",-", folder.path("c")),
                       doctest::Contains("has the same file twice"), UsageError);
}

TEST_CASE("no command writes gzip") {
  const CommandLines commands = all_commands();
  for (size_t which = 0; which < commands.size(); ++which) {
    for (const Place& place : places_of(*commands[which])) {
      if (!place.written) continue;
      CAPTURE(place.option);
      CHECK_THROWS_WITH_AS(check_files(*filled_in(which, {{place, "out.gz"}})),
                           doctest::Contains("cannot write gzip files"), UsageError);
    }
  }
}

}  // namespace acevec
