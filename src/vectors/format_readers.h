// The readers of the formats of files of vectors, which open_rows() chooses from.
#pragma once

#include <memory>
#include <string>

#include "text/look_ahead.h"
#include "vectors/row_reader.h"

namespace acevec {

// word2vec's text and binary formats, and GloVe's text without a first line; the content tells them
// apart.
std::unique_ptr<RowReader> open_word2vec(std::unique_ptr<LookAhead> input);

// Arrays of numbers whose words stand in a second file, words_path(), one a line. `format`: kNpy
// (numpy's, floats of 2, 4 or 8 bytes, little-endian, row by row) or kTsv (TensorBoard's
// projector). Throws Error when a file cannot be read or is something else; at the end, when the
// two do not have as many rows.
std::unique_ptr<RowReader> open_array(const std::string& path, VectorFormat format);

// Whether the next bytes are those that fastText's binary model begins with.
bool begins_fasttext(LookAhead& input);

// Reads models of versions 11 and 12, of skip-gram, CBOW and classifiers (whose labels are left
// out), quantized or not. The rows are those of the words, each composed of the word's own row and
// its n-grams'; the matrix that predicts is passed over. All rows are in memory from the first one
// on. Throws Error when it is something else, damaged or of another version; reading throws it when
// the rows need more memory than there is.
std::unique_ptr<RowReader> open_fasttext(std::unique_ptr<LookAhead> input);

}  // namespace acevec
