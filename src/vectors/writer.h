// Vectors out: word2vec's text and binary formats.
#pragma once

#include "base/output_file.h"
#include "math/matrix.h"
#include "text/vocabulary.h"

namespace acevec {

// Writes "words size" and a row per word: its bytes, a space, and the numbers; as little-endian
// floats in binary, else as the shortest decimals that read back to the same floats.
// Throws Error when a number is not finite, and when the file cannot be written.
void write_vectors(const Vocabulary& vocabulary, const Matrix& vectors, bool binary,
                   OutputFile& file);

}  // namespace acevec
