// A file of words and counts, as -read-vocab takes it: what is read is written and read again.

#include "fuzz.h"
#include "text/vocabulary.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace acevec;
  const MemoryFile file(view_of(data, size));
  accepted([&] {
    const std::vector<WordCount> words = read_vocabulary(file.path());
    const Vocabulary vocabulary(words, 0, 0);
    REQUIRE_ALWAYS(vocabulary.size() == static_cast<int32_t>(words.size()));
    REQUIRE_ALWAYS(vocabulary.total() >= 0);
    std::string lines;
    for (int32_t id = 0; id < vocabulary.size(); ++id) {
      REQUIRE_ALWAYS(id == 0 || vocabulary.count(id - 1) >= vocabulary.count(id));
      lines += vocabulary.word(id) + ' ' + std::to_string(vocabulary.count(id)) + '\n';
    }
    const MemoryFile again(lines);
    REQUIRE_ALWAYS(read_vocabulary(again.path()).size() == words.size());
  });
  return 0;
}
