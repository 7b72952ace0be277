// Models of acevec kg, with a right head and checksum around the parts: what is accepted has a row
// for each name, and triples of them.

#include "container.h"
#include "fuzz.h"
#include "tasks/kg/model.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace acevec;
  const MemoryFile file(completed(view_of(data, size)));
  accepted([&] {
    const KgFile read = read_kg(file.path());
    REQUIRE_ALWAYS(read.model.entities.rows() == read.entities.size());
    REQUIRE_ALWAYS(read.model.relation_count() == read.relations.size());
    for (const Triple& triple : read.known) {
      REQUIRE_ALWAYS(triple.head >= 0 && triple.head < read.entities.size());
      REQUIRE_ALWAYS(triple.relation >= 0 && triple.relation < read.relations.size());
      REQUIRE_ALWAYS(triple.tail >= 0 && triple.tail < read.entities.size());
    }
  });
  return 0;
}
