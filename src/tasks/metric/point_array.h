// Arrays of numbers of any number of dimensions, one point of the first dimension at a time: the
// IDX files that MNIST comes in, and numpy's .npy.
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

// As a RowReader it gives a point's numbers in one row, with an empty word. It reads integers of 1
// to 8 bytes, and floats of 2 (.npy only), 4 and 8.
class PointArray : public RowReader {
 public:
  // Whether the next bytes of `input` begin such a file.
  static bool begins(LookAhead& input);

  // Throws Error when the head is impossible, there are no points, or the points are larger than
  // kMostColumns numbers.
  explicit PointArray(std::unique_ptr<LookAhead> input);

  // Of a point: {28, 28}; empty where a point is a single number.
  const std::vector<int64_t>& shape() const { return shape_; }

  // Instead of next(), for points that are a single whole number. Throws Error when they are not,
  // and as next() does.
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
  int64_t labels_ = 0;  // read by next_label()
};

}  // namespace acevec
