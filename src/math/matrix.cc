#include "math/matrix.h"

#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <new>

namespace acevec {
namespace {

int64_t matrix_bytes(int64_t rows, int64_t stride) {
  int64_t bytes = 0;
  if (__builtin_mul_overflow(rows, stride * kFloatSize, &bytes)) {
    throw std::bad_alloc();
  }
  return std::max<int64_t>(bytes, 1);
}

}  // namespace

bool all_finite(const float* numbers, int64_t count) {
  return std::all_of(numbers, numbers + count, [](float x) { return std::isfinite(x); });
}

Matrix::Matrix(int64_t rows, int64_t columns)
    : rows_(rows),
      columns_(columns),
      stride_(padded(columns)),
      data_(static_cast<float*>(map_zeros(matrix_bytes(rows, stride_))),
            Unmap{matrix_bytes(rows, stride_)}) {}

void Matrix::resize(int64_t rows) {
  const int64_t bytes = matrix_bytes(rows, stride_);
  const auto old_bytes = static_cast<size_t>(data_.get_deleter().bytes);
  // Shrinking within a page and growing again must not bring back old numbers.
  if (rows < rows_) std::fill(row(rows), row(rows_), 0.0F);
  void* memory = mremap(data_.get(), old_bytes, static_cast<size_t>(bytes), MREMAP_MAYMOVE);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  data_.release();
  data_ = {static_cast<float*>(memory), Unmap{bytes}};
  rows_ = rows;
}

}  // namespace acevec
