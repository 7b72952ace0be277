// What follows from the options of acevec sentence.

#include "commands/sentence_arguments.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "temporary_folder.h"

namespace acevec {
namespace {

constexpr CommandText kSentence{"sentence", "acevec sentence", "Trains.\n"};

struct SentenceCall final : CommandLine {
  explicit SentenceCall(const std::vector<std::string>& more) : CommandLine(kSentence) {
    declare_sentences(arguments, run_arguments, table());
    std::vector<std::string> typed{"-train", "t", "-output", folder.path("m")};
    typed.insert(typed.end(), more.begin(), more.end());
    parse(typed);
    resolve_sentences(arguments, run_arguments, *this);
  }
  void run() override {}

  TemporaryFolder folder;
  SentenceArguments arguments;
  RunArguments run_arguments;
};

}  // namespace

TEST_CASE("means are made of vectors, for features or for search") {
  const SentenceCall features({"-init", "v", "-format", "wiki", "-for", "features"});
  CHECK_FALSE(features.arguments.trains());
  const MeanJobSettings job = features.arguments.mean_job();
  CHECK(job.vectors == "v");
  CHECK(job.mean.mode == TokenMode::kWords);
  CHECK(job.mean.a == 0.01);
  CHECK_FALSE(job.mean.search);
  const MeanSettings search = SentenceCall({"-init", "v"}).arguments.mean_job().mean;
  CHECK(search.mode == TokenMode::kSpace);
  CHECK(search.a == 0.0003);
  CHECK(search.search);
  CHECK_THROWS_AS(SentenceCall({}), UsageError);
  CHECK_THROWS_AS(SentenceCall({"-init", "v", "-iter", "3"}), UsageError);
}

TEST_CASE("an encoder that is trained decides the rate, and -ace 1 adds the adversary") {
  const SentenceCall bag({"-encoder", "bag", "-ace", "1", "-ace-lambda", "0.2", "-seed", "3"});
  CHECK(bag.arguments.trains());
  CHECK(bag.arguments.shape.encoder == EncoderKind::kBag);
  CHECK(bag.run_arguments.settings.plan.rate.start == 0.005);
  REQUIRE(bag.arguments.training.adversary);
  CHECK(bag.arguments.training.adversary->lambda == 0.2);
  CHECK(bag.arguments.training.seed == 3);
  const SentenceCall gru({"-encoder", "gru", "-heldout", "0.1"});
  CHECK(gru.arguments.shape.encoder == EncoderKind::kGru);
  CHECK(gru.run_arguments.settings.plan.rate.start == 0.001);
  CHECK_FALSE(gru.arguments.training.adversary);
  CHECK(gru.run_arguments.settings.evaluate_every);
  CHECK_FALSE(gru.run_arguments.settings.keep_best);
  CHECK_THROWS_AS(SentenceCall({"-encoder", "bag", "-for", "search"}), UsageError);
}

}  // namespace acevec
