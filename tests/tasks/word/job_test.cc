// The job of word vectors as a library: a text in memory, no command line.

#include "tasks/word/job.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "math/aligned.h"
#include "temporary_folder.h"
#include "vectors/best_rows.h"
#include "vectors/word_vectors.h"

namespace acevec {
namespace {

TEST_CASE("word vectors are learned from a text in memory, and asked for a neighbour") {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "a cat drinks milk\na dog drinks milk\nmy car needs fuel\n";
  WordJobSettings settings;
  settings.content = text;
  settings.skip_gram.size = 10;
  settings.skip_gram.sample = 0;
  RunSettings run;
  run.plan = {.epochs = 20, .rate = {0.1, 0}};
  const TemporaryFolder folder;
  run.output = folder.path("vectors");
  run_job(*make_word_job(settings, run), run);
  const UnitVectors vectors(read_vectors(run.output));
  NeighbourQuery query{std::vector<float>(10), {vectors.find("cat")}};
  vectors.look_up("cat", query.vector.data());
  CHECK(vectors.words()[static_cast<size_t>(nearest(vectors.rows(), {query}, 1, 1)[0][0].id)] ==
        "dog");
}

TEST_CASE("a text in memory that nothing can be learned from is refused") {
  for (const char* text : {"", "one one one"}) {
    WordJobSettings settings;
    settings.content = text;
    RunSettings run;
    const std::unique_ptr<Job> job = make_word_job(settings, run);
    CHECK_THROWS_AS(run_job(*job, run), Error);
  }
}

int64_t planned_bytes(const SkipGramSettings& settings) {
  return word_memory(150000, settings).total();
}

TEST_CASE("what is kept besides has its place in the plan") {
  SkipGramSettings settings;
  const int64_t row = padded(settings.size) * 4;
  const int64_t plain = planned_bytes(settings);
  CHECK(plain > 2 * 150000 * row);
  CHECK(word_memory(150000, settings, 1000).total() == plain + 1000 * row);
  CHECK(word_memory(150000, settings, 0, true).total() == plain + 2 * 150000 * row);
  CHECK(word_memory(150000, settings, 0, false, true).total() > plain);
  settings.threads = 2;
  CHECK(planned_bytes(settings) > plain);
  settings.threads = 1;
  settings.optimizer = OptimizerKind::kAdam;
  CHECK(planned_bytes(settings) >= plain + 4 * 150000 * row);  // two moments of both matrices
  settings.optimizer = OptimizerKind::kSgd;
  settings.subwords = {3, 6, 200000};
  CHECK(planned_bytes(settings) > plain + 150000 * row);  // all words composed
  CHECK(word_memory(10, settings).advice == "lower -size, -bucket or -max-vocab");
}

TEST_CASE("an adversary over all words takes less than 200 MB for 150 k words, 2 threads") {
  SkipGramSettings settings;
  settings.threads = 2;
  const int64_t noise_only = planned_bytes(settings);
  settings.adversary.emplace();
  settings.adversary->sampler = Sampler::kLearned;
  const int64_t candidates = planned_bytes(settings);
  CHECK(candidates > noise_only + settings.adversary->filter_bytes);
  settings.adversary->softmax = AdversarySettings::Softmax::kFull;
  CHECK(planned_bytes(settings) > candidates);
  CHECK(planned_bytes(settings) - noise_only < 200000000);
}

}  // namespace
}  // namespace acevec
