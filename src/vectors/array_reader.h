// Arrays of numbers whose words stand in a second file: numpy's .npy, TensorBoard's projector.
#pragma once

#include <memory>
#include <string>

#include "vectors/row_reader.h"

namespace acevec {

// `format`: kNpy (floats of 2, 4 or 8 bytes, little-endian, row by row) or kTsv. Its words are
// in the file of words_path(), one a line. Throws Error when a file cannot be read or is something
// else; at the end, when the two do not have as many rows.
std::unique_ptr<RowReader> open_array(const std::string& path, VectorFormat format);

}  // namespace acevec
