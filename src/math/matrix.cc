#include "math/matrix.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace acevec {

void Matrix::Unmap::operator()(float* data) const {
  munmap(data, static_cast<size_t>(bytes));
}

namespace {

int64_t matrix_bytes(int64_t rows, int64_t stride) {
  int64_t bytes = 0;
  if (__builtin_mul_overflow(rows, stride * static_cast<int64_t>(sizeof(float)), &bytes)) {
    throw std::bad_alloc();
  }
  return std::max<int64_t>(bytes, 1);
}

float* map_zeros(int64_t bytes) {
  void* memory = mmap(nullptr, static_cast<size_t>(bytes), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  // Scattered rows miss the translation buffer far less often in pages of 2 MB. Advice only.
  madvise(memory, static_cast<size_t>(bytes), MADV_HUGEPAGE);
  return static_cast<float*>(memory);
}

}  // namespace

Matrix::Matrix(int64_t rows, int64_t columns)
    : rows_(rows),
      columns_(columns),
      stride_(padded(columns)),
      data_(map_zeros(matrix_bytes(rows, stride_)), Unmap{matrix_bytes(rows, stride_)}) {}

void Matrix::resize(int64_t rows) {
  const int64_t bytes = matrix_bytes(rows, stride_);
  const auto old_bytes = static_cast<size_t>(data_.get_deleter().bytes);
  // Shrinking inside a page and growing again must not bring old numbers back.
  if (rows < rows_) std::fill(row(rows), row(rows_), 0.0F);
  void* memory = mremap(data_.get(), old_bytes, static_cast<size_t>(bytes), MREMAP_MAYMOVE);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  data_.release();
  data_ = {static_cast<float*>(memory), Unmap{bytes}};
  rows_ = rows;
}

}  // namespace acevec
