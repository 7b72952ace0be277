#include "cli/run_record.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "train/job.h"

namespace acevec::run_record_test {
namespace {

constexpr CommandText kWork{"work", "acevec work", "Works.\n"};

struct Sample final : CommandLine {
  explicit Sample(const std::vector<std::string>& arguments) : CommandLine(kWork) {
    table().group("Files");
    table().text("output", "FILE", output, "where to");
    table().group("Work");
    table().integer("size", size, {1, 1000}, "how much");
    table().real("rate", rate, {0, 1}, "how fast");
    table().flag("twice", twice, "again").need("-size above 1", [this] { return size > 1; });
    table().flag("quiet", quiet, "silent").unrecorded();
    parse(arguments);
  }
  void run() override {}

  std::string output;
  int64_t size = 100;
  std::optional<double> rate;
  bool twice = false;
  bool quiet = false;
};

}  // namespace

TEST_CASE("the repeating command has what was given and what differs") {
  Sample sample({"-output", "-odd", "-twice", "-quiet"});
  CHECK(repeating_command(sample) == "acevec work -output=-odd -twice 1");
  sample.size = 50;   // as a preset would have it
  sample.rate = 0.5;  // what follows from others follows again
  CHECK(repeating_command(sample) == "acevec work -output=-odd -size 50 -twice 1");
  sample.size = 1;  // then -twice has no effect
  CHECK(repeating_command(sample) == "acevec work -output=-odd -size 1");
}

TEST_CASE("a checkpoint holds what was given, as it is now") {
  Sample sample({"-rate", "1e-3", "-twice"});
  CHECK(given_arguments(sample) == std::vector<std::string>{"-rate=1e-3", "-twice=1"});
  sample.rate = 0.25;
  CHECK(given_arguments(sample) == std::vector<std::string>{"-rate=0.25", "-twice=1"});
}

TEST_CASE("records have every option with its type") {
  const Sample sample({"-output", "a \"b\"\xff", "-size", "7"});
  const Json record = run_record(sample, "again");
  const auto back = nlohmann::json::parse(record.text(kRecordIndent));
  CHECK(back["command"] == "again");
  CHECK(back["settings"]["size"] == 7);
  CHECK(back["settings"]["rate"].is_null());
  CHECK(back["settings"]["twice"] == false);
  CHECK(back["settings"]["output"] == "a \"b\"\xef\xbf\xbd");
}

TEST_CASE("settings are shown in lines that fit") {
  Sample sample({"-output", std::string(95, 'x'), "-size", "1"});
  sample.rate = 1e-3;
  const auto lines = [&](size_t width) {
    const std::string table = settings_table(sample, width);
    return table.substr(table.find('\n'));
  };
  const std::string output = "\n  -output " + std::string(95, 'x');
  CHECK(lines(100) == output + "\n  -size 1 -rate 0.001");
  CHECK(lines(21) == output + "\n  -size 1 -rate 0.001");
  CHECK(lines(20) == output + "\n  -size 1\n    -rate 0.001");
  CHECK(lines(1) == lines(20));
}

TEST_CASE("words are quoted as a shell wants them") {
  CHECK(shell_quoted("a-b/c.txt") == "a-b/c.txt");
  CHECK(shell_quoted("") == "''");
  CHECK(shell_quoted("two words") == "'two words'");
  CHECK(shell_quoted("it's") == "'it'\\''s'");
  CHECK(shell_quoted("$HOME*") == "'$HOME*'");
  CHECK(shell_quoted("żółw") == "'żółw'");
  CHECK(shell_quoted("a\nb") == "$'a\\012b'");
  CHECK(shell_quoted("\xff'\\1") == "$'\\377\\'\\\\1'");
}

}  // namespace acevec::run_record_test
