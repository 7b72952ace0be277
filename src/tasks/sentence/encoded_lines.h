// A text's lines and their vectors, which are kept in a file beside the text so that the next
// question need not wait for them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "math/matrix.h"
#include "tasks/sentence/line_encoder.h"

namespace acevec {

// The lines of a file that are not empty, equal ones once.
struct TextLines {
  // "-" is standard input. Throws Error as LineReader does.
  explicit TextLines(const std::string& path);

  std::vector<std::string> texts;
  std::vector<int64_t> numbers;  // of the first line in the file that has the text, from 1
  uint64_t hash = 0;             // of all texts, in order
};

// What kept vectors must be of.
struct EncodedIdentity {
  uint64_t model;  // see model_fingerprint()
  uint64_t text;
  int64_t lines;
  int64_t columns;

  bool operator==(const EncodedIdentity&) const = default;
};

// Where a text's vectors are kept: "TEXT.nn".
std::string kept_vectors_path(const std::string& text);

// The vectors in such a file, a row for each line, of length 1. None when they are of another model
// or text. Throws Error when it is another file, or damaged.
std::optional<Matrix> read_kept_vectors(const std::string& path, const EncodedIdentity& wanted);

// Throws Error when the file cannot be written, and when another program's file is there.
void keep_vectors(const std::string& path, const EncodedIdentity& identity, const Matrix& vectors);

// A row of length 1 for each line, 0 where nothing is known; what was left out is reported.
Matrix encode_lines(const std::vector<std::string>& texts, int64_t columns,
                    const LineEncoder& encoder);

}  // namespace acevec
