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

TEST_CASE(
    "fewer processes exchange less often and take shorter steps, and an interval of any length has "
    "its bounds") {
  const ExchangeArguments usual;
  CHECK(exchange_settings(usual, 8, 1).every == 10000);
  CHECK(exchange_settings(usual, 4, 2).every == 80000);
  CHECK(exchange_settings(usual, 2, 1).every == 80000);
  CHECK(exchange_settings(usual, 2, 1).rate_times == 2);
  CHECK(exchange_settings(usual, 4, 1).rate_times == 3);
  CHECK(exchange_settings(usual, 8, 1).rate_times == 4);
  CHECK(exchange_settings(usual, 100, 1).rate_times == 4);
  ExchangeArguments longest;
  longest.every = 9'000'000'000'000'000;
  for (const int threads : {1, 2, 2000, 1'000'000}) {
    const int64_t every = exchange_settings(longest, 2, threads).every;
    CHECK(every > 8'000'000'000'000'000);
    CHECK(every <= *longest.every);
  }
}

}  // namespace acevec
