// A file of order pairs: what is accepted has no cycle and no pair of a concept with itself.

#include "fuzz.h"
#include "tasks/order/hierarchy.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace acevec;
  const MemoryFile file(view_of(data, size));
  accepted([&] {
    const Hierarchy hierarchy = read_hierarchy(file.path());
    const int32_t concepts = hierarchy.concepts.size();
    REQUIRE_ALWAYS(!hierarchy.lines.empty());
    for (const OrderPair& pair : hierarchy.lines) {
      REQUIRE_ALWAYS(pair.specific >= 0 && pair.specific < concepts);
      REQUIRE_ALWAYS(pair.general >= 0 && pair.general < concepts);
      REQUIRE_ALWAYS(pair.specific != pair.general);
    }
    REQUIRE_ALWAYS(find_cycle(concepts, hierarchy.lines).empty());
  });
  return 0;
}
