// Exports a sentence model as a folder of files that sentence-transformers (StaticEmbedding) and
// Model2Vec load. These take the plain mean of the rows of a sentence's words.
#pragma once

#include <string>
#include <vector>

#include "math/matrix.h"
#include "tasks/sentence/model.h"

namespace acevec {

struct StaticEmbedding {
  std::vector<std::string> words;  // distinct, UTF-8; word i has row i + 1
  Matrix rows;                     // `size` numbers each; row 0, of unknown words, is zeros
};

// For known words the mean of a sentence's rows has the direction of its vector. The word "[UNK]"
// is left out, and so are words that equal another after conversion to UTF-8. Throws Error for
// gated units and for two networks, whose vectors are not means of one row per word.
StaticEmbedding static_embedding(const SentenceModel& model);

// The paths of the files in `folder`.
std::vector<std::string> static_embedding_files(const std::string& folder);

// Writes these files, and creates the folder if necessary. All files are complete before the first
// one appears. `mode`: the model's tokenization. Throws Error on failure.
void write_static_embedding(const StaticEmbedding& embedding, TokenMode mode,
                            const std::string& folder);

}  // namespace acevec
