// Encodes lines on all threads.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "math/matrix.h"
#include "tasks/sentence/corpus.h"
#include "tasks/sentence/encoder.h"
#include "text/lines.h"
#include "vectors/row_writer.h"

namespace acevec {

// Lines to be encoded are of any length that a machine writes, and each has its row.
inline constexpr LineRules kEveryLine{.longest = 16 << 20, .empty_too = true};

// What could not be understood of the lines.
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

  // The same, to a file.
  LineCounts encode(const std::vector<std::string>& lines, PlainRows& output) const;

 private:
  int threads_for(size_t pieces) const;
  LineCounts encode_piece(std::span<const std::string> lines, Matrix& vectors, int64_t first) const;

  const SentenceModel& model_;
  SentenceReader reader_;
  int threads_;
};

// Tells on standard error what was left out, where there was something.
void report_lines(const LineCounts& counts);

}  // namespace acevec
