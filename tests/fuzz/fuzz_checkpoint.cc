// Checkpoints: the file as it is, and then with a right head and checksum around it, since hardly
// any change of bytes would come through those.

#include <vector>

#include "base/checkpoint_file.h"
#include "container.h"
#include "fuzz.h"
#include "math/matrix.h"
#include "train/checkpoint.h"
#include "train/task_runner.h"

namespace acevec {
namespace {

// What training reads first of a checkpoint; parts of every kind, one after the other.
void read_all(const std::string& path) {
  CheckpointReader file(path);
  for (const std::string& argument : load_arguments("acevec", file)) {
    REQUIRE_ALWAYS(argument.starts_with('-'));
  }
  check_identities({{"the text has changed", "2 tokens", 1}}, file);
  Sums sums;
  load_sums(sums, 2, file);
  std::vector<double> values;
  file.get("values", values);
  Matrix matrix(2, 3);
  matrix.load("matrix", file);
}

}  // namespace
}  // namespace acevec

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace acevec;
  const std::string_view bytes = view_of(data, size);
  for (const std::string& file : {std::string(bytes), completed(bytes)}) {
    const MemoryFile memory(file);
    accepted([&] { read_all(memory.path()); });
  }
  return 0;
}
