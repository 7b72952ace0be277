// Analogy questions: what is accepted has three words a question, and answers.

#include "fuzz.h"
#include "vectors/analogies.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace acevec;
  const MemoryFile file(view_of(data, size));
  accepted([&] {
    size_t questions = 0;
    for (const AnalogySection& section : read_analogies(file.path())) {
      questions += section.questions.size();
      const auto require_word = [](const std::string& word) {
        REQUIRE_ALWAYS(!word.empty());
        REQUIRE_ALWAYS(word.find_first_of(" \t\n") == std::string::npos);
      };
      for (const AnalogyQuestion& question : section.questions) {
        REQUIRE_ALWAYS(!question.answers.empty());
        for (const std::string& word : question.words) require_word(word);
        for (const std::string& word : question.answers) require_word(word);
      }
    }
    REQUIRE_ALWAYS(questions > 0);
  });
  return 0;
}
