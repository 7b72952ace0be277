// Writes vectors without words: the rows of encoders, in the order of their input.
#pragma once

#include <string>
#include <string_view>

#include "math/matrix.h"
#include "vectors/row_writer.h"

namespace acevec {

class PlainRows {
 public:
  // To `path`, standard output if it is empty, as text, tsv or npy. Throws Error when it cannot be
  // written.
  PlainRows(const std::string& path, VectorFormat format);

  // The bytes of rows first .. last − 1. Safe to call from several threads.
  std::string bytes_of(const Matrix& rows, int64_t first, int64_t last) const;

  // Adds bytes of so many rows. Throws Error when the disk is full.
  void write(std::string_view bytes, int64_t rows);
  void write(const Matrix& rows);

  // Makes the file appear. `columns`: of each row, for a file without any.
  void commit(int64_t columns);

 private:
  VectorFormat format_;
  RowBody body_;
  int64_t rows_ = 0;
};

}  // namespace acevec
