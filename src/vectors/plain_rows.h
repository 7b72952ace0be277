// Writes vectors without words: the rows of encoders, in the order of their input.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "base/output_file.h"
#include "math/matrix.h"
#include "vectors/format.h"

namespace acevec {

// numpy's array has the number of rows in its head: the head is written again at the end, or, where
// the output is a pipe, the rows wait in a temporary file until then.
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
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  OutputFile file_;
  VectorFormat format_;
  std::unique_ptr<std::FILE, Close> waiting_;
  int64_t rows_ = 0;
};

}  // namespace acevec
