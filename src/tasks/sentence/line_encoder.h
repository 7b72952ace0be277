// Encodes lines on all threads.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "math/matrix.h"
#include "tasks/sentence/corpus.h"
#include "tasks/sentence/encoder.h"
#include "text/source.h"
#include "vectors/plain_rows.h"

namespace acevec {

// All lines of a file, empty ones too, in batches.
class WholeLines {
 public:
  // "-" is standard input. Throws Error as Source does.
  explicit WholeLines(const std::string& path) : source_(path) {}

  // Replaces `lines` by the next ones, without their ends (\n or \r\n), as many as are there
  // without waiting (8 MiB of text, about), at least one. Valid until the next call. False at the
  // end of the file. Throws Error as Source does, and when a line is longer than 16 MiB.
  bool next(std::vector<std::string_view>& lines);

 private:
  void add(std::string_view line, std::vector<std::string_view>& lines);

  Source source_;
  std::string text_;
  size_t used_ = 0;     // of text_, by the last batch
  int64_t number_ = 0;  // of the last line, from 1
  bool ended_ = false;
};

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
      : model_(model), reader_(model.vocabulary, model.shape.mode), threads_(threads) {}

  // Row i of `vectors`, which gets as many rows as there are lines, is the vector of lines[i].
  LineCounts encode(const std::vector<std::string_view>& lines, Matrix& vectors) const;

  // The same, to a file.
  LineCounts encode(const std::vector<std::string_view>& lines, PlainRows& output) const;

 private:
  int threads_for(size_t pieces) const;
  LineCounts encode_piece(std::span<const std::string_view> lines, Matrix& vectors,
                          int64_t first) const;

  const SentenceModel& model_;
  SentenceReader reader_;
  int threads_;
};

// Tells on standard error what was left out, where there was something.
void report_lines(const LineCounts& counts);

}  // namespace acevec
