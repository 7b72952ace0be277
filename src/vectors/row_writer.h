// Files of vectors out, a row at a time: memory does not grow with the file. The formats are all
// but fastText's model, which is more than vectors: vectors/fasttext.h.
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

// Appends a row to `line`, in any format: numbers in text as the shortest decimals that read back
// to the same floats, in binary little-endian. The words of npy and tsv are elsewhere; an empty
// word is left out, with the blank behind it. `type` is for npy.
void append_row(VectorFormat format, std::string_view word, const float* row, int64_t columns,
                std::string& line, NumberType type = NumberType::kFloat32);

// A file of vectors, with the file of words that may belong to it (words_path()). Both are opened
// at once, so that a long job can open them before it begins.
class RowWriter {
 public:
  // `type`: of npy's numbers. Without words a row is its numbers; text is kGlove then. Throws Error
  // when a file cannot be written.
  RowWriter(const std::string& path, VectorFormat format, NumberType type = NumberType::kFloat32,
            bool with_words = true);

  // To be called before the first row. `rows`: their number, or the most if not `exact`; −1 when it
  // is not known. A head that has their number is then written again at the end, if there is room
  // for it and the file is no pipe; otherwise the rows wait in a temporary file. Throws Error.
  void begin(int64_t rows, int64_t columns, bool exact = true);

  // Throws Error when the word cannot stand in this format, a number is too large for its type, and
  // when the disk is full.
  void write(std::string_view word, const float* row);

  // Writes rows without words, whose bytes `threads` threads make. Throws Error when the disk is
  // full.
  void write(const Matrix& rows, int threads);

  // A summary for messages: "3 vectors of size 2 to v.bin (word2vec binary)".
  std::string written() const;

  // Whether the word can stand in this format.
  bool can_hold(std::string_view word) const;

  // Throws Error when it cannot; `row`: its number, from 1.
  void check(std::string_view word, int64_t row) const;

  // finish() brings everything to the disk; commit() makes the files appear. Both throw Error as
  // OutputFile's do.
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
  size_t open_head_ = 0;                // bytes of a head that was written with another number
  std::optional<ScratchFile> waiting_;  // rows, until their number is known
  int64_t waiting_bytes_ = 0;           // there
  std::string block_;                   // rows that follow these
};

// Writes a row per word, in any of the formats. First come the words of the vocabulary, then those
// of `more`, which have as many columns, without those that the format cannot hold. Other threads
// may train `vectors` meanwhile. Throws Error when a number is not finite, and when the file cannot
// be written.
void write_vectors(const Vocabulary& vocabulary, const Matrix& vectors,
                   const std::optional<WordVectors>& more, RowWriter& file);

}  // namespace acevec
