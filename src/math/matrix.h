// A large matrix of floats, laid out for fast access to scattered rows.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/checkpoint_file.h"
#include "base/memory.h"
#include "math/aligned.h"

namespace acevec {

bool all_finite(const float* numbers, int64_t count);  // no NaN and no infinity

class Matrix {
 public:
  // Makes rows × columns zeros, in huge pages where the system has them. Throws std::bad_alloc.
  Matrix(int64_t rows, int64_t columns);

  // Changes the number of rows; they may move, and new ones are zeros. Unchanged on std::bad_alloc.
  void resize(int64_t rows);

  float* row(int64_t i) { return data_.get() + i * stride_; }
  const float* row(int64_t i) const { return data_.get() + i * stride_; }
  int64_t rows() const { return rows_; }
  int64_t columns() const { return columns_; }
  int64_t stride() const { return stride_; }  // floats from one row to the next
  int64_t bytes() const { return rows_ * stride_ * kFloatSize; }
  int64_t untouched_bytes() const { return acevec::untouched_bytes(row(0), bytes()); }

  // Save and load a part of a checkpoint; load() requires the same shape. Throw Error.
  void save(std::string_view name, CheckpointWriter& file) const {
    file.put_bytes(name, row(0), static_cast<size_t>(bytes()));
  }
  void load(std::string_view name, CheckpointReader& file) {
    file.get_bytes(name, row(0), static_cast<size_t>(bytes()));
  }

  bool finite() const { return all_finite(row(0), rows_ * stride_); }

 private:
  int64_t rows_;
  int64_t columns_;
  int64_t stride_;
  std::unique_ptr<float[], Unmap> data_;
};

}  // namespace acevec
