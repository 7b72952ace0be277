// Writes vector files row by row, so that memory does not grow with the file, in all formats but
// fastText's model, which has more than vectors: see vectors/fasttext.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/output_file.h"
#include "base/temporary_file.h"
#include "math/matrix.h"
#include "text/vocabulary.h"
#include "vectors/format.h"
#include "vectors/word_vectors.h"

namespace acevec {

// Appends a row to `line`, in any format: text numbers as the shortest decimals that read back to
// the same floats, binary ones little-endian. An empty word, and the words of npy and tsv, which
// are in another file, are omitted with the blank after them. `type` is for npy.
void append_row(VectorFormat format, std::string_view word, const float* row, int64_t columns,
                std::string& line, NumberType type = NumberType::kFloat32);

// A vector file, with its words file if the format has one (words_path()). Both are opened at once,
// so that a long job can open them before it begins.
class RowWriter {
 public:
  // `type`: npy's number type. Without words, a row has only its numbers; text is then kGlove.
  // Throws Error when a file cannot be written.
  RowWriter(const std::string& path, VectorFormat format, NumberType type = NumberType::kFloat32,
            bool with_words = true);

  // Must be called before the first row. `rows`: the number of rows, or the maximum if not `exact`;
  // −1 when unknown. A header whose number of rows is not exact is rewritten at the end, if there
  // is room for it and the file is not a pipe; otherwise the rows wait in a temporary file. Throws
  // Error.
  void begin(int64_t rows, int64_t columns, bool exact = true);

  // Throws Error when the format cannot hold the word, when a number is too large for its type, and
  // when the disk is full.
  void write(std::string_view word, const float* row);

  // Writes rows without words, formatted by `threads` threads. Throws Error when the disk is full.
  void write(const Matrix& rows, int threads);

  // A summary for messages: "3 vectors of size 2 to v.bin (word2vec binary)".
  std::string written() const;

  // Returns whether the format can hold the word.
  bool can_hold(std::string_view word) const;

  // Throws Error when the format cannot hold the word; `row`: its row number, from 1.
  void check(std::string_view word, int64_t row) const;

  // finish() syncs everything to disk; commit() puts the files in place. Both throw Error like
  // OutputFile's.
  void finish();
  void commit();

 private:
  void write_bytes(std::string_view bytes);

  std::string path_;
  OutputFile file_;
  std::optional<OutputFile> words_;
  VectorFormat format_;
  NumberType type_;
  int64_t columns_ = 0;
  int64_t rows_ = 0;
  std::string line_;
  size_t open_head_ = 0;                // bytes of a header to rewrite; 0: none
  std::optional<ScratchFile> waiting_;  // rows, until their number is known
  int64_t waiting_bytes_ = 0;           // bytes in waiting_
  std::string block_;                   // the rows after those in waiting_
};

// Writes a row per word, in any format: first the words of the vocabulary, then those of `more`,
// which has as many columns, except words that the format cannot hold. Other threads may be
// training `vectors`. Throws Error when a number is not finite, and when the file cannot be
// written.
void write_vectors(const Vocabulary& vocabulary, const Matrix& vectors,
                   const std::optional<WordVectors>& more, RowWriter& file);

}  // namespace acevec
