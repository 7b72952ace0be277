// Models of kg, with the checksum made right: what is accepted has a row for each name, and triples
// of them.

#include <zlib.h>

#include "fuzz.h"
#include "tasks/kg/model_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace acevec;
  std::string bytes(view_of(data, size));
  const uint32_t sum = static_cast<uint32_t>(crc32_z(0, data, size));
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  const MemoryFile file(bytes);
  accepted([&] {
    const KgFile read = read_kg(file.path());
    REQUIRE_ALWAYS(read.model.entities.rows() == read.entities.size());
    REQUIRE_ALWAYS(read.model.relations.rows() == read.relations.size());
    for (const Triple& triple : read.known) {
      REQUIRE_ALWAYS(triple.head >= 0 && triple.head < read.entities.size());
      REQUIRE_ALWAYS(triple.relation >= 0 && triple.relation < read.relations.size());
      REQUIRE_ALWAYS(triple.tail >= 0 && triple.tail < read.entities.size());
    }
  });
  return 0;
}
