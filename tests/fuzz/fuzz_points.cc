// Points in any form and, behind the first "\xFFlabels", their labels: what is accepted has a
// finite row for each point, and a class.

#include <algorithm>

#include "fuzz.h"
#include "tasks/metric/points.h"

namespace acevec {
namespace {

void check(const Points& points) {
  REQUIRE_ALWAYS(points.count() >= 1 && points.values.columns() >= 1);
  REQUIRE_ALWAYS(points.names.empty() || std::ssize(points.names) == points.count());
  int64_t numbers = 1;
  for (const int64_t length : points.shape) numbers *= length;
  REQUIRE_ALWAYS(numbers == points.values.columns());
  REQUIRE_ALWAYS(points.values.finite());
}

}  // namespace
}  // namespace acevec

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace acevec;
  constexpr std::string_view kLabels = "\xFFlabels";
  const std::string_view bytes = view_of(data, size);
  const size_t end = std::min(bytes.find(kLabels), bytes.size());
  const MemoryFile points(bytes.substr(0, end));
  const MemoryFile labels(bytes.substr(std::min(end + kLabels.size(), bytes.size())));
  accepted([&] { check(read_points(points.path())); });
  accepted([&] {
    Names classes;
    const LabelledPoints read = Labels(labels.path(), classes).read(points.path());
    check(read.points);
    REQUIRE_ALWAYS(std::ssize(read.labels) == read.points.count());
    for (const int32_t label : read.labels) REQUIRE_ALWAYS(label >= 0 && label < classes.size());
  });
  return 0;
}
