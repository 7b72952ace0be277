// Training that starts from given vectors: -init and -init-context.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tasks/word/model.h"
#include "text/vocabulary.h"
#include "vectors/word_vectors.h"

namespace acevec {

// Vectors from files, of one size.
struct InitialVectors {
  std::optional<WordVectors> words;
  std::optional<WordVectors> contexts;
};

// Reads the files; an empty path gives none. Throws Error when one cannot be read or has
// vectors of another size than `size` (0: any size).
InitialVectors read_initial_vectors(const std::string& words, const std::string& contexts,
                                    int64_t size);

// Moves the vectors of the vocabulary's words to their rows of `model`. What stays in `initial` are
// the words that are not in the vocabulary, in their files' order: training does not touch them,
// and they are written behind those it does. Words that no file has keep the model's usual start.
// Returns the words that got their vectors.
std::vector<int32_t> start_from(InitialVectors& initial, const Vocabulary& vocabulary,
                                SkipGramModel& model);

}  // namespace acevec
