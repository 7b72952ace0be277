// Tests of base/options: ways of writing an option, checks of values, the help text.

#include "cli/options.h"

#include <doctest/doctest.h>

#include "base/error.h"

namespace acevec {
namespace {

const Option kTable[] = {
    text("Files", "file", "FILE", "", "a file's name"),
    flag("Files", "binary", "", "a flag without a default"),
    integer("Numbers", "count", "5", 1, 10, "a whole number"),
    real("Numbers", "rate", "0.5", 0, 1, "a number"),
    choice("Numbers", "kind", "one|two", "two", "a choice"),
    flag("Numbers", "quiet", "0", "a flag"),
};
const Command kCommand{"", "acevec -file FILE", "What it does.\n", "", kTable};
const Command kWithWords{"nn", "acevec nn [WORD ...]", "What it does.\n", "words", kTable};

Options parse(const std::vector<std::string>& arguments) {
  return {kCommand, arguments};
}

std::string refusal(const std::vector<std::string>& arguments, const Command& command = kCommand) {
  try {
    const Options options(command, arguments);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("options not given have their defaults") {
  const Options options = parse({});
  CHECK(options.text("file").empty());
  CHECK(options.integer("count") == 5);
  CHECK(options.real("rate") == 0.5);
  CHECK(options.text("kind") == "two");
  CHECK_FALSE(options.flag("quiet"));
  CHECK_FALSE(options.given("count"));
  CHECK_FALSE(options.wants_help());
  CHECK(options.positional().empty());
}

TEST_CASE("one dash and two and an equals sign mean the same") {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"-count", "7", "-file", "a=b"},
        {"--count", "7", "--file", "a=b"},
        {"-count=7", "-file=a=b"},
        {"--count=7", "--file=a=b"}}) {
    const Options options = parse(arguments);
    CHECK(options.integer("count") == 7);
    CHECK(options.given("count"));
    CHECK(options.text("file") == "a=b");
  }
}

TEST_CASE("a value may look like anything") {
  for (const char* value : {"-", "--", "-1", "-unknown", "a b", "a,b", "two\nlines", "\xff", "="}) {
    CAPTURE(value);
    CHECK(parse({"-file", value}).text("file") == value);
    CHECK(parse({"-file=" + std::string(value)}).text("file") == value);
  }
}

TEST_CASE("a flag stands alone or takes 0 or 1") {
  CHECK(parse({"-quiet"}).flag("quiet"));
  CHECK(parse({"-quiet", "1"}).flag("quiet"));
  CHECK_FALSE(parse({"-quiet", "0"}).flag("quiet"));
  CHECK_FALSE(parse({"--quiet=0"}).flag("quiet"));
  const Options options = parse({"-quiet", "-count", "2"});
  CHECK(options.flag("quiet"));
  CHECK(options.integer("count") == 2);
  CHECK(refusal({"-quiet", "yes"}) == "option -quiet cannot be \"yes\"; give 0 or 1");
  CHECK_FALSE(parse({"-quiet"}).given("binary"));
}

TEST_CASE("arguments without a dash are kept where a command takes them") {
  const Options options(kWithWords,
                        {"one", "-count", "3", "-1", "-quiet", "two", "--", "-count", "--", "a,b"});
  CHECK(options.positional() ==
        std::vector<std::string>{"one", "-1", "two", "-count", "--", "a,b"});
  CHECK(options.integer("count") == 3);
  CHECK(options.flag("quiet"));
  CHECK(Options(kWithWords, {"a b", ""}).positional() == std::vector<std::string>{"a b", ""});
  CHECK(refusal({"word"}).starts_with("unexpected argument \"word\""));
  CHECK(refusal({"--", "word"}).starts_with("unexpected argument \"word\""));
  CHECK(refusal({"--"}) == "accepted");
}

TEST_CASE("help is asked for in four ways") {
  for (const char* help : {"-help", "--help", "-h", "--h"}) CHECK(parse({help}).wants_help());
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
  CHECK(parse({"-count", "1"}).integer("count") == 1);
  CHECK(parse({"-count", "10"}).integer("count") == 10);
  CHECK(parse({"-rate", "1e-4"}).real("rate") == 1e-4);
  CHECK(parse({"-rate", "1"}).real("rate") == 1.0);
}

TEST_CASE("choices are exact") {
  CHECK(parse({"-kind", "one"}).text("kind") == "one");
  for (const char* value : {"One", "on", "one|two", "|", "", "three"}) {
    CAPTURE(value);
    CHECK(refusal({"-kind", value}).ends_with("give one of one|two"));
  }
}

TEST_CASE("a choice stands for its own value, and one that stands for nothing throws") {
  CHECK(chosen<int>(parse({"-kind", "one"}), "kind", {{"one", 1}, {"two", 2}}) == 1);
  CHECK(chosen<int>(parse({}), "kind", {{"one", 1}, {"two", 2}}) == 2);
  CHECK_THROWS_AS(chosen<int>(parse({}), "kind", {{"one", 1}}), std::logic_error);
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
  const std::string help = help_text(kCommand);
  for (const Option& option : kTable) {
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
