// Writes vectors without words: the rows of encoders, in the order of their input.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "base/output_file.h"
#include "cli/options.h"
#include "math/matrix.h"
#include "vectors/format.h"

namespace acevec {

// Rows for a command's table.
constexpr Option plain_output_row(std::string_view group) {
  return output_file(group, "output", "write the vectors here (default: standard output)");
}
constexpr Option plain_format_row(std::string_view group) {
  return choice(group, "format", "text|tsv|npy", "",
                "text: numbers separated by spaces; tsv: by tabs; npy: numpy's array (default: by "
                "the ending of -output; .txt, .vec or none is text)");
}

// numpy's array has the number of rows in its head: the head is written again at the end, or, where
// the output is a pipe, the rows wait in a temporary file until then.
class PlainRows {
 public:
  // To `path`, standard output if it is empty. Throws Error when it cannot be written.
  PlainRows(const std::string& path, VectorFormat format);

  // To -output in -format, as the rows above have them. Throws Error when it cannot be written.
  explicit PlainRows(const Options& options);

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
