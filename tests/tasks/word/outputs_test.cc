// The files of a training: what is in them, and that they appear together or not at all.

#include "tasks/word/model.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "base/error.h"
#include "temporary_folder.h"

namespace acevec {
namespace {

// Vectors of two words and of their contexts, and one of a word that is not trained.
struct Written {
  TemporaryFolder folder;
  Vocabulary words{{{"a", 3}, {"b", 2}}, 1, 0};
  SkipGramModel model{2, 3, OptimizerKind::kSgd, 1};
  InitialVectors untrained{WordVectors{{"old"}, Matrix(1, 3)}, std::nullopt};
  Outputs outputs;
  std::optional<OutputFile> record;

  Written() {
    OutputPaths paths;
    paths.contexts = folder.path("c");
    paths.model = folder.path("m");
    outputs.open(folder.path("v"), paths);
    record.emplace(folder.path("r"));
  }
  void write() { outputs.write(words, model, untrained, FastTextTraining{}, record); }
};

}  // namespace

TEST_CASE("the files of a training have its words, then those that are not trained") {
  Written written;
  written.untrained.words->vectors.row(0)[1] = 7;
  written.model.contexts.row(1)[2] = 5;
  CHECK(written.outputs.unwritable(written.untrained) == 0);
  written.write();
  CHECK(written.folder.entries() == 4);
  const WordVectors vectors = read_vectors(written.folder.path("v"));
  CHECK(vectors.words == std::vector<std::string>{"a", "b", "old"});
  CHECK(vectors.vectors.row(1)[2] == written.model.words.row(1)[2]);
  CHECK(vectors.vectors.row(2)[1] == 7);
  const WordVectors contexts = read_vectors(written.folder.path("c"));
  CHECK(contexts.words == std::vector<std::string>{"a", "b"});
  CHECK(contexts.vectors.row(1)[2] == 5);
}

TEST_CASE("where one file cannot be written none appears") {
  Written written;
  written.model.contexts.row(0)[0] = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_AS(written.write(), Error);
  for (const char* name : {"v", "c", "m", "r"}) CHECK(written.folder.read(name).empty());
}

TEST_CASE("words that are not trained and that the format cannot hold are left out") {
  Written written;
  written.untrained.words->words = {"two words"};
  CHECK(written.outputs.unwritable(written.untrained) == 1);
  written.write();
  const WordVectors vectors = read_vectors(written.folder.path("v"));
  CHECK(vectors.words == std::vector<std::string>{"a", "b"});
}

}  // namespace acevec
