// A sentence model as the files of a folder that sentence-transformers (StaticEmbedding) and
// Model2Vec load. They take the plain mean of the rows of a sentence's words.
#pragma once

#include <string>
#include <vector>

#include "math/matrix.h"
#include "tasks/sentence/model.h"

namespace acevec {

struct StaticEmbedding {
  std::vector<std::string> words;  // UTF-8, each once; word i has row i + 1
  Matrix rows;                     // `size` numbers each; row 0, of unknown words, is zeros
};

// The mean of a sentence's rows has the direction of its vector, for words that the model knows.
// The word "[UNK]" is left out, and so is a word that equals another after conversion to UTF-8.
// Throws Error for gated units, and for two networks, whose vectors are no mean of one row per
// word.
StaticEmbedding static_embedding(const SentenceModel& model);

// The paths of the files in `folder`.
std::vector<std::string> static_embedding_files(const std::string& folder);

// Writes these files, and makes the folder if there is none. All files are finished before the
// first appears under its name. `mode`: of the model's tokens. Throws Error when that fails.
void write_static_embedding(const StaticEmbedding& embedding, TokenMode mode,
                            const std::string& folder);

}  // namespace acevec
