// XML of any bytes, as -format wiki reads it: articles or a refusal.

#include "fuzz.h"
#include "text/text_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace acevec;
  const MemoryFile file(view_of(data, size));
  accepted([&] {
    Source source(file.path(), TextFormat::kWiki);
    const std::unique_ptr<TextReader> reader = make_text_reader(source, 100);
    int64_t expected = 0;
    for (TextChunk chunk; reader->next(chunk); ++expected) {
      REQUIRE_ALWAYS(chunk.index == expected);
      REQUIRE_ALWAYS(chunk.report.pages.articles >= 0 &&
                     chunk.report.pages.cut <= chunk.report.pages.articles);
      REQUIRE_ALWAYS(chunk.text.empty() || chunk.text.back() == '\n');
    }
  });
  return 0;
}
