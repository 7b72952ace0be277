#include "commands/word_arguments.h"

#include <doctest/doctest.h>

#include <string>

#include "commands/commands.h"
#include "temporary_folder.h"

namespace acevec {
namespace {

constexpr CommandText kWords{"", "acevec", "Trains.\n"};

struct Words final : CommandLine {
  Words() : CommandLine(kWords) { declare_words(arguments, run_arguments, table()); }
  void run() override {}

  WordArguments arguments;
  RunArguments run_arguments;
};

}  // namespace

TEST_CASE("what was typed goes before the preset") {
  const TemporaryFolder folder;
  Words words;
  words.parse({"-train", "text", "-output", folder.path("v"), "-preset", "paper", "-window", "3"});
  resolve_words(words.arguments, words.run_arguments, words);
  CHECK(words.arguments.skip_gram.window == 3);
  CHECK(words.arguments.skip_gram.negatives == 6);
}

}  // namespace acevec
