// Files of vectors out, a row at a time: memory does not grow with the file. The formats are all
// but fastText's model, which is more than vectors: vectors/fasttext_model.h.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/output_file.h"
#include "vectors/format.h"

namespace acevec {

// Appends a row to `line`, in any format: numbers in text as the shortest decimals that read back
// to the same floats, in binary little-endian. The words of npy and tsv stand elsewhere. `type` is
// for npy.
void append_row(VectorFormat format, std::string_view word, const float* row, int64_t columns,
                std::string& line, NumberType type = NumberType::kFloat32);

// What stands before the rows: nothing in some formats.
std::string file_head(VectorFormat format, int64_t rows, int64_t columns,
                      NumberType type = NumberType::kFloat32);

// A file of vectors, with the file of words that may belong to it (words_path()). Both are opened
// at once, so that a long job can open them before it begins.
class RowWriter {
 public:
  // `type`: of npy's numbers. Throws Error when a file cannot be written.
  RowWriter(const std::string& path, VectorFormat format, NumberType type = NumberType::kFloat32);

  // To be called before the first row. `rows`: how many will be written; −1 when that is not known:
  // rows then wait in a temporary file if the format has their number in its head. Throws Error.
  void begin(int64_t rows, int64_t columns);

  // Throws Error when the word cannot stand in this format, a number is too large for its type, and
  // when the disk is full.
  void write(std::string_view word, const float* row);

  // What was written, for messages: "3 vectors of size 2 to v.bin (word2vec binary)".
  std::string written() const;

  // Throws Error when `word`, of row number `row` from 1, cannot stand in this format.
  void check(std::string_view word, int64_t row) const;

  // Brings everything to the disk; commit() makes the files appear. Both as of OutputFile. Throw
  // Error.
  void finish();
  void commit();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void check_halves(const float* row) const;
  void put(std::string_view bytes);

  std::string path_;
  OutputFile file_;
  std::optional<OutputFile> words_;
  std::unique_ptr<std::FILE, Close> waiting_;  // rows, until their number is known
  VectorFormat format_;
  NumberType type_;
  int64_t columns_ = 0;
  int64_t rows_ = 0;
  std::string line_;
};

}  // namespace acevec
