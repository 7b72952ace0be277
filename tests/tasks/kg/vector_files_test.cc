// Vectors of entities and relations as files.

#include "tasks/kg/vector_files.h"

#include <doctest/doctest.h>
#include "base/error.h"
#include "temporary_folder.h"

namespace acevec::kg_vector_files_test {

TEST_CASE("relations' inverses follow under names of their own, and names have no blanks") {
  const TemporaryFolder folder;
  KgModel model({ScoreKind::kTransD, 2, true}, 2, 1);  // rows have more numbers than vectors
  model.entities.row(1)[0] = 0.5F;
  model.relations.row(0)[1] = 2;
  model.relations.row(1)[1] = -2;
  Names entities, relations;
  entities.add("new york");
  entities.add("rome");
  relations.add("lies in");
  GraphVectorFiles files;
  files.open({folder.path("e.txt"), folder.path("r.glove")});
  files.write(entities, relations, model);
  commit_together(files.entities, files.relations);
  CHECK(folder.read("e.txt") == "2 2\nnew_york 0 0\nrome 0.5 0\n");
  CHECK(folder.read("r.glove") == "lies_in 0 2\nlies_in_reverse 0 -2\n");
}

TEST_CASE("a file that is not wanted is not written, and an unknown ending is refused") {
  const TemporaryFolder folder;
  GraphVectorFiles files;
  files.open({});
  CHECK_FALSE(files.entities);
  CHECK_THROWS_AS(files.open({folder.path("e.xyz"), ""}), UsageError);
  CHECK(folder.entries() == 0);
}

}  // namespace acevec::kg_vector_files_test
