// Writes the vectors that training has learned.
#pragma once

#include <optional>

#include "math/matrix.h"
#include "text/vocabulary.h"
#include "vectors/row_writer.h"
#include "vectors/word_vectors.h"

namespace acevec {

// Writes a row per word, in any of the formats. First come the words of the vocabulary, then those
// of `more`, which have as many columns, without those that the format cannot hold. Other threads
// may train `vectors` meanwhile. Throws Error when a number is not finite, and when the file cannot
// be written.
void write_vectors(const Vocabulary& vocabulary, const Matrix& vectors,
                   const std::optional<WordVectors>& more, RowWriter& file);

}  // namespace acevec
