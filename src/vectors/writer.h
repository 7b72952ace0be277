// Vectors out: word2vec's text and binary formats.
#pragma once

#include <optional>

#include "base/output_file.h"
#include "math/matrix.h"
#include "text/vocabulary.h"
#include "vectors/reader.h"

namespace acevec {

// Writes "words size" and a row per word: its bytes, a space, and the numbers; as little-endian
// floats in binary, else as the shortest decimals that read back to the same floats. First come the
// words of the vocabulary, then those of `more`, which have as many columns. Other threads may
// train `vectors` meanwhile.
// Throws Error when a number is not finite, and when the file cannot be written.
void write_vectors(const Vocabulary& vocabulary, const Matrix& vectors,
                   const std::optional<WordVectors>& more, bool binary, OutputFile& file);

}  // namespace acevec
