// Models of acevec metric, with a right head and checksum around the parts: what is accepted
// encodes points.

#include "container.h"
#include "fuzz.h"
#include "tasks/metric/encoder.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace acevec;
  const MemoryFile file(completed(view_of(data, size)));
  accepted([&] {
    const Encoder encoder = read_encoder(file.path());
    const Matrix vectors = encode(encoder, Matrix(2, encoder.shape.inputs), 1);
    REQUIRE_ALWAYS(vectors.rows() == 2 && vectors.columns() == encoder.shape.size);
  });
  return 0;
}
