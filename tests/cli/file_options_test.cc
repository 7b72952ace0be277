// Tests of cli/file_options, for all commands there are: a new one has the check without asking.

#include "cli/file_options.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "commands.h"
#include "temporary_folder.h"

namespace acevec {
namespace {

// A place for a file on a command line.
struct Place {
  std::string option;  // empty: an argument without a dash
  size_t argument;
  bool written;
};

std::vector<Place> places_of(const Command& command) {
  std::vector<Place> places;
  for (size_t i = 0; i < command.files.size(); ++i) {
    places.push_back({"", i, command.files[i].kind == Kind::kOutputFile});
  }
  for (const Option& option : command.table) {
    const bool written = option.kind == Kind::kOutputFile;
    if (!names_file(option.kind)) continue;
    places.push_back({"-" + std::string(option.name), 0, written});
  }
  return places;
}

using Filled = std::pair<Place, std::string>;  // and its path

// A command line with paths in some places, and others where there must be one.
Options options_of(const Command& command, const std::vector<Filled>& filled) {
  std::vector<std::string> arguments;
  for (size_t i = 0; i < command.files.size(); ++i)
    arguments.push_back("other" + std::to_string(i));
  for (const auto& [place, path] : filled) {
    if (place.option.empty()) {
      arguments[place.argument] = path;
    } else {
      arguments.insert(arguments.end(), {place.option, path});
    }
  }
  return {command, arguments};
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
  for (const CommandEntry& entry : all_commands()) {
    const Command& command = *entry.command;
    const std::vector<Place> places = places_of(command);
    for (size_t i = 0; i < places.size(); ++i) {
      for (size_t j = i + 1; j < places.size(); ++j) {
        if (!places[i].written && !places[j].written) continue;
        for (const std::string& other :
             {file, folder.path("./file"), folder.path("soft"), folder.path("hard")}) {
          const Options options = options_of(command, {{places[i], file}, {places[j], other}});
          CAPTURE(command.name);
          CAPTURE(places[i].option);
          CAPTURE(places[j].option);
          CAPTURE(other);
          if (goes_on(places[i], places[j])) {
            CHECK_NOTHROW(check_files(command, options));
          } else {
            CHECK_THROWS_WITH_AS(check_files(command, options),
                                 doctest::Contains("are the same file"), UsageError);
          }
          ++pairs;
        }
        CHECK_NOTHROW(check_files(
            command, options_of(command, {{places[i], file}, {places[j], file + "2"}})));
        CHECK_NOTHROW(check_files(
            command, options_of(command, {{places[i], "/dev/null"}, {places[j], "/dev/null"}})));
      }
    }
  }
  CHECK(pairs > 100);
}

TEST_CASE("several files stand with commas between, and each is one of the run") {
  const TemporaryFolder folder;
  using Paths = std::vector<std::string>;
  CHECK(paths_of("a") == Paths{"a"});
  CHECK(paths_of("a,b.gz,-") == Paths{"a", "b.gz", "-"});
  CHECK(paths_of(folder.write("a,b", "")) == Paths{folder.path("a,b")});
  for (const char* typed : {"", ",", "a,", ",a", "a,,b"}) {
    CAPTURE(typed);
    CHECK_THROWS_AS(paths_of(typed), UsageError);
  }
  const std::string a = folder.write("a", "");
  const std::string b = folder.write("b", "");
  const auto check = [&](const std::string& train, const std::string& output) {
    const Command& command = *all_commands()[0].command;
    check_files(command, Options(command, {"-train", train, "-output", output}));
  };
  CHECK_NOTHROW(check(a + ",-," + b, folder.path("c")));
  const std::string both = a + "," + b;
  for (const std::string& output : {a, b, folder.path("./b")}) {
    CHECK_THROWS_WITH_AS(check(both, output), doctest::Contains("are the same file"), UsageError);
  }
  CHECK_THROWS_WITH_AS(check(both + "," + a, folder.path("c")),
                       doctest::Contains("are the same file"), UsageError);
  CHECK_THROWS_WITH_AS(check("-," + a + ",-", folder.path("c")),
                       doctest::Contains("are the same file"), UsageError);
}

TEST_CASE("no command writes gzip") {
  for (const CommandEntry& entry : all_commands()) {
    for (const Place& place : places_of(*entry.command)) {
      if (!place.written) continue;
      CAPTURE(place.option);
      const Options options = options_of(*entry.command, {{place, "out.gz"}});
      CHECK_THROWS_WITH_AS(check_files(*entry.command, options),
                           doctest::Contains("writes no gzip files"), UsageError);
    }
  }
}

}  // namespace acevec
