// Models of sentences, with a right head and checksum around the parts: what is accepted can be
// used.

#include "container.h"
#include "fuzz.h"
#include "tasks/sentence/encoder.h"
#include "tasks/sentence/model.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace acevec;
  const MemoryFile file(completed(view_of(data, size)));
  accepted([&] {
    const SentenceModel model = read_sentence_model(file.path());
    Matrix vectors(2, model.columns());
    SentenceEncoder(model).encode({{}, {0, model.vocabulary.size() - 1}}, vectors, 0);
    for (int64_t k = 0; k < model.columns(); ++k) REQUIRE_ALWAYS(vectors.row(0)[k] == 0);
  });
  return 0;
}
