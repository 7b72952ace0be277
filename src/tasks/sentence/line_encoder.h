// Encodes lines of text on all threads, and keeps a text's vectors in a file beside it for the next
// query.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "math/matrix.h"
#include "tasks/sentence/corpus.h"
#include "tasks/sentence/encoder.h"
#include "text/lines.h"
#include "vectors/row_writer.h"

namespace acevec {

// Lines to encode may be long, and each has its row, empty ones too.
inline constexpr LineRules kEveryLine{.longest = 16 << 20, .empty_too = true};

// Counts of lines and tokens without known words.
struct LineCounts {
  int64_t lines = 0;
  int64_t empty = 0;           // no word of the vocabulary: their vectors are 0
  int64_t unknown_tokens = 0;  // left out

  LineCounts& operator+=(const LineCounts& other);
};

class LineEncoder {
 public:
  LineEncoder(const SentenceModel& model, int threads)
      : model_(model),
        reader_(model.vocabulary, model.shape.mode, model.shape.unknown),
        threads_(threads) {}

  // Row i of `vectors`, which gets as many rows as there are lines, is the vector of lines[i].
  LineCounts encode(const std::vector<std::string>& lines, Matrix& vectors) const;

  // The same, written to a file.
  LineCounts encode(const std::vector<std::string>& lines, PlainRows& output) const;

 private:
  LineCounts encode_piece(std::span<const std::string> lines, Matrix& vectors, int64_t first) const;

  const SentenceModel& model_;
  SentenceReader reader_;
  int threads_;
};

// Prints on standard error what was left out, if anything was.
void report_lines(const LineCounts& counts);

// The lines of a file that have a letter or a digit; equal lines count once.
struct TextLines {
  // "-" is standard input. Throws Error as LineReader does.
  explicit TextLines(const std::string& path);

  std::vector<std::string> texts;
  std::vector<int64_t> numbers;  // of the first line in the file that has the text, from 1
  uint64_t hash = 0;             // of all texts, in order
};

// Identifies the model and text of kept vectors.
struct EncodedIdentity {
  uint64_t model;  // see model_fingerprint()
  uint64_t text;
  int64_t lines;
  int64_t columns;

  bool operator==(const EncodedIdentity&) const = default;
};

// The file that keeps a text's vectors: "TEXT.nn".
std::string kept_vectors_path(const std::string& text);

// The vectors in such a file, a row for each line, of length 1. None when they belong to another
// model or text. Throws Error when the file is something else, or damaged.
std::optional<Matrix> read_kept_vectors(const std::string& path, const EncodedIdentity& wanted);

// Writes such a file. Throws Error when that fails, and when another program's file is there.
void keep_vectors(const std::string& path, const EncodedIdentity& identity, const Matrix& vectors);

// Returns a row of length 1 for each line, or zeros for a line without known words, and reports
// what was left out.
Matrix encode_lines(const std::vector<std::string>& texts, int64_t columns,
                    const LineEncoder& encoder);

}  // namespace acevec
