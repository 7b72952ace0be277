// Readers of files that have only numbers: arrays and tables.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "text/lines.h"
#include "vectors/arrays.h"
#include "vectors/row_reader.h"

namespace acevec {

// An IDX or .npy file, whose first dimension counts rows. It reads integers of 1 to 8 bytes, and
// floats of 2 (.npy only), 4 and 8 bytes. Words are empty.
class NumberArray final : public RowReader {
 public:
  // Whether the next bytes of `input` begin an IDX or .npy file.
  static bool begins(LookAhead& input);

  // `advice`: a description of a good file. Throws Error if the header is invalid, there are no
  // rows, or they have more than kMostColumns numbers.
  NumberArray(std::unique_ptr<LookAhead> input, const char* advice);

  // The shape of a row, such as {28, 28}; empty if a row is a single number.
  const std::vector<int64_t>& shape() const { return shape_; }

  // Replaces next() for rows that are single integers. Throws Error if they are not, and as next()
  // does.
  std::optional<int64_t> next_label();

 private:
  void read_idx_head();
  void read_npy_shape();
  void set_array(const std::vector<int64_t>& lengths);
  const char* peek_row();
  bool read_row(std::string& word, float* numbers) override;

  std::unique_ptr<LookAhead> input_;
  const ArrayNumber* number_ = nullptr;
  bool swapped_ = false;  // big-endian
  std::vector<int64_t> shape_;
  int64_t labels_ = 0;  // number read by next_label()
};

// A table of numbers with a row per line. A first line without numbers is a header. Words are
// empty. `delimiters`: characters, each of which ends a column.
class NumberTable final : public RowReader {
 public:
  NumberTable(std::unique_ptr<LookAhead> input, const char* delimiters);

 private:
  std::optional<std::vector<std::string_view>> fields();
  bool read_row(std::string& word, float* numbers) override;

  std::unique_ptr<LookAhead> input_;
  const char* delimiters_;
  size_t line_bytes_ = 0;  // bytes of the next line
};

}  // namespace acevec
