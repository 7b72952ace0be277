// The job of word vectors as a library: a text in memory, no command line.

#include "tasks/word/job.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "temporary_folder.h"
#include "vectors/best_rows.h"
#include "vectors/word_vectors.h"
#include "whole_job.h"

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

}  // namespace
}  // namespace acevec
