// Triples of names, ids or RDF, to learn from and, behind a byte 1, to validate with; of names also
// with commas and in other columns: what is accepted names only what is known.

#include <algorithm>

#include "fuzz.h"
#include "tasks/kg/graph.h"

namespace acevec {
namespace {

void check(const Graph& graph, const TripleFile& file) {
  const auto is_known = [](int32_t id, const Names& names) { return id >= 0 && id < names.size(); };
  for (const Triple& triple : file.triples) {
    REQUIRE_ALWAYS(is_known(triple.head, graph.entities));
    REQUIRE_ALWAYS(is_known(triple.relation, graph.relations));
    REQUIRE_ALWAYS(is_known(triple.tail, graph.entities));
  }
  REQUIRE_ALWAYS(std::is_sorted(file.triples.begin(), file.triples.end()));
  const auto kept = static_cast<int64_t>(file.triples.size());
  REQUIRE_ALWAYS(file.unseen >= 0 && file.unseen <= kept);
  REQUIRE_ALWAYS(file.repeated >= 0);
}

}  // namespace
}  // namespace acevec

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace acevec;
  const std::string_view bytes = view_of(data, size);
  const size_t end = std::min(bytes.find('\x01'), bytes.size());
  const MemoryFile train(bytes.substr(0, end));
  const MemoryFile valid(bytes.substr(std::min(end + 1, bytes.size())));
  const TripleFormat commas{.delimiter = ',', .columns = {}};
  const TripleFormat columns{.delimiter = ' ', .columns = TripleColumns{.places = {3, 0, 1}}};
  for (const TripleFormat& layout : {TripleFormat(), commas, columns}) {
    accepted([&] {
      const Graph graph = read_graph(train.path(), valid.path(), "", layout);
      REQUIRE_ALWAYS(!graph.train.triples.empty() && graph.train.unseen == 0);
      check(graph, graph.train);
      check(graph, graph.valid);
    });
  }
  return 0;
}
