// Analogy questions: what is accepted has four words a question.

#include "fuzz.h"
#include "vectors/analogies.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace acevec;
  const MemoryFile file(view_of(data, size));
  accepted([&] {
    size_t questions = 0;
    for (const AnalogySection& section : read_analogies(file.path())) {
      questions += section.questions.size();
      for (const AnalogyQuestion& words : section.questions) {
        for (const std::string& word : words) {
          REQUIRE_ALWAYS(!word.empty());
          REQUIRE_ALWAYS(word.find_first_of(" \t\n") == std::string::npos);
        }
      }
    }
    REQUIRE_ALWAYS(questions > 0);
  });
  return 0;
}
