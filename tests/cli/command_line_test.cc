// Tests of cli/command_line: ways of writing an option, checks of values, the help text.

#include "cli/command_line.h"

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/help.h"
#include "refusal.h"

namespace acevec {
namespace {

constexpr CommandText kPlain{"", "acevec -file FILE", "What it does.\n"};
constexpr CommandText kWithWords{"nn", "acevec nn [WORD ...]", "What it does.\n"};
constexpr CommandText kWithFiles{"do", "acevec do IN OUT [OPTION VALUE ...]", "What it does.\n"};

enum class Which { kOne, kTwo };

// A command with an option of each kind.
struct Sample final : CommandLine {
  explicit Sample(const CommandText& about = kPlain) : CommandLine(about) {
    table().group("Files");
    table().text("file", "FILE", file, "a file's name");
    table().flag("binary", binary, "a flag without a default");
    table().group("Numbers");
    table().integer("count", count, {1, 10}, "a whole number");
    table().real("rate", rate, {0, 1}, "a number");
    table().choice<Which>("kind", kind, {{"one", Which::kOne}, {"two", Which::kTwo}}, "a choice");
    table().flag("quiet", quiet, "a flag");
  }
  void run() override {}

  std::string file;
  std::optional<bool> binary;
  int64_t count = 5;
  double rate = 0.5;
  Which kind = Which::kTwo;
  bool quiet = false;
};

std::unique_ptr<Sample> parse(const std::vector<std::string>& arguments,
                              const CommandText& about = kPlain) {
  auto sample = std::make_unique<Sample>(about);
  CHECK(sample->parse(arguments).empty());
  return sample;
}

std::string refusal(const std::vector<std::string>& arguments) {
  return refusal_of<UsageError>([&] { Sample().parse(arguments); });
}

}  // namespace

TEST_CASE("options not given have their defaults") {
  const auto options = parse({});
  CHECK(options->file.empty());
  CHECK(options->count == 5);
  CHECK(options->rate == 0.5);
  CHECK(options->kind == Which::kTwo);
  CHECK_FALSE(options->quiet);
  CHECK_FALSE(options->table().given(&options->count));
  CHECK(options->positional().empty());
}

TEST_CASE("one dash and two and an equals sign mean the same") {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"-count", "7", "-file", "a=b"},
        {"--count", "7", "--file", "a=b"},
        {"-count=7", "-file=a=b"},
        {"--count=7", "--file=a=b"}}) {
    const auto options = parse(arguments);
    CHECK(options->count == 7);
    CHECK(options->table().given(&options->count));
    CHECK(options->file == "a=b");
  }
}

TEST_CASE("a value may look like anything") {
  for (const char* value : {"-", "--", "-1", "-unknown", "a b", "a,b", "two\nlines", "\xff", "="}) {
    CAPTURE(value);
    CHECK(parse({"-file", value})->file == value);
    CHECK(parse({"-file=" + std::string(value)})->file == value);
  }
}

TEST_CASE("a flag stands alone or takes 0 or 1") {
  CHECK(parse({"-quiet"})->quiet);
  CHECK(parse({"-quiet", "1"})->quiet);
  CHECK_FALSE(parse({"-quiet", "0"})->quiet);
  CHECK_FALSE(parse({"--quiet=0"})->quiet);
  const auto options = parse({"-quiet", "-count", "2"});
  CHECK(options->quiet);
  CHECK(options->count == 2);
  CHECK(refusal({"-quiet", "yes"}) == "option -quiet cannot be \"yes\"; give 0 or 1");
  CHECK_FALSE(parse({"-quiet"})->binary.has_value());
}

TEST_CASE("arguments without a dash are kept where a command takes them") {
  const auto options =
      parse({"one", "-count", "3", "-1", "-quiet", "two", "--", "-count", "--", "a,b"}, kWithWords);
  CHECK(options->positional() ==
        std::vector<std::string>{"one", "-1", "two", "-count", "--", "a,b"});
  CHECK(options->count == 3);
  CHECK(options->quiet);
  CHECK(parse({"a b", ""}, kWithWords)->positional() == std::vector<std::string>{"a b", ""});
  CHECK(refusal({"word"}).starts_with("unexpected argument \"word\""));
  CHECK(refusal({"--", "word"}).starts_with("unexpected argument \"word\""));
  CHECK(refusal({"--"}) == "accepted");
}

TEST_CASE("files that the usage names are all given, and nothing else") {
  const auto refusal = [](const std::vector<std::string>& arguments) {
    return refusal_of<UsageError>([&] { Sample(kWithFiles).parse(arguments); });
  };
  const std::string usage = "; usage: acevec do IN OUT [OPTION VALUE ...]";
  CHECK(refusal({"a", "-count", "3", "b"}) == "accepted");
  CHECK(refusal({"-count", "3"}) == "IN is missing" + usage);
  CHECK(refusal({"a"}) == "OUT is missing" + usage);
  CHECK(refusal({"", "b"}) == "IN is missing" + usage);
  CHECK(refusal({"a", "b", "c"}) == "\"c\" is one argument too many" + usage);
  CHECK(Sample(kWithFiles).parse({"-help"}) == "help");
}

TEST_CASE("what is asked for instead of a run is told, whatever stands around it") {
  for (const char* dashes : {"-", "--"}) {
    CAPTURE(dashes);
    for (const char* name : {"h", "help", "version"})
      CHECK(Sample().parse({std::string(dashes) + name}) == name);
    CHECK(Sample().parse({"-count", "3", std::string(dashes) + "help", "-nonsense"}) == "help");
  }
  CHECK_THROWS_AS(Sample(kWithWords).parse({"-version"}), UsageError);
}

TEST_CASE("numbers outside their range and words that are no numbers are refused") {
  const std::string whole = "; give a whole number from 1 to 10";
  for (const char* value : {"0", "11", "-3", "x", "", "5x", "1.0", "1e0", " 5", "5 ", "+5",
                            "99999999999999999999", "-99999999999999999999"}) {
    CAPTURE(value);
    CHECK(refusal({"-count", value}) ==
          "option -count cannot be \"" + std::string(value) + "\"" + whole);
  }
  const std::string number = "; give a number from 0 to 1";
  for (const char* value :
       {"-0.1", "1.1", "nan", "-nan", "inf", "-inf", "1e999", "0,5", "", "0.5f"}) {
    CAPTURE(value);
    CHECK(refusal({"-rate", value}) ==
          "option -rate cannot be \"" + std::string(value) + "\"" + number);
  }
  CHECK(parse({"-count", "1"})->count == 1);
  CHECK(parse({"-count", "10"})->count == 10);
  CHECK(parse({"-rate", "1e-4"})->rate == 1e-4);
  CHECK(parse({"-rate", "1"})->rate == 1.0);
}

TEST_CASE("choices are whole words, in any case") {
  CHECK(parse({"-kind", "one"})->kind == Which::kOne);
  CHECK(parse({"-kind", "One"})->kind == Which::kOne);
  for (const char* value : {"on", "one|two", "|", "", "three"}) {
    CAPTURE(value);
    CHECK(refusal({"-kind", value}).ends_with("give one of one|two"));
  }
}

TEST_CASE("usage errors name the option and what to do") {
  CHECK(refusal({"-cuont", "3"}) == "unknown option -cuont; did you mean -count?");
  CHECK(refusal({"--zzz=3"}) == "unknown option --zzz; see --help for the list");
  CHECK(refusal({"---"}) == "unknown option ---; see --help for the list");
  CHECK(refusal({"--=1"}) == "unknown option --; see --help for the list");
  CHECK(refusal({"-count"}) == "option -count needs a value; see --help");
  CHECK(refusal({"-file", "-count", "3"}) ==
        "option -file needs a value, and -count is an option; if you mean it, write -file=-count");
  CHECK(refusal({"-count", "3", "--count=4"}) == "option -count is given twice; give it once");
  CHECK(refusal({"-file", ""}) == "option -file cannot be \"\"; give a value");
}

TEST_CASE("the help text comes from the table") {
  const Sample sample;
  const std::string help = help_text(sample, {});
  for (const OptionRow& option : sample.table().rows()) {
    CAPTURE(option.name);
    CHECK(help.find("--" + std::string(option.name) + " ") != std::string::npos);
    CHECK(help.find(option.help) != std::string::npos);
  }
  for (const char* part : {"What it does.", "-file FILE", "Files", "Numbers", "(default: 5)",
                           "(default: 0.5)", "one|two", "--help"}) {
    CAPTURE(part);
    CHECK(help.find(part) != std::string::npos);
  }
  CHECK(help.find(" \n") == std::string::npos);
  CHECK(help.ends_with("\n"));
}

}  // namespace acevec
