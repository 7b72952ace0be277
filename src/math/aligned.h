// The memory layout of rows, and a small aligned buffer of them for a single thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>

namespace acevec {

// Rows are padded with zeros to a multiple of this many floats (64 bytes: a cache line, and the
// widest vector register), so kernels need no remainder loops. Padding stays zero, since every
// update is a sum of products of rows.
inline constexpr int64_t kRowPadding = 16;

inline constexpr int64_t kFloatSize = sizeof(float);  // bytes

constexpr int64_t padded(int64_t columns) {
  return (columns + kRowPadding - 1) / kRowPadding * kRowPadding;
}

template <class T>
class AlignedArray {
 public:
  // `size` zeros.
  explicit AlignedArray(int64_t size = 0)
      : data_(new (std::align_val_t{kBytes}) T[static_cast<size_t>(size)]()), size_(size) {}

  // Grows to at least `size`. If that reallocates, all elements become zero.
  void grow(int64_t size) {
    if (size <= size_) return;
    data_.reset();  // before the new ones take memory
    size_ = 0;
    *this = AlignedArray(size);
  }

  void clear() { std::fill_n(data_.get(), size_, T{}); }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }

 private:
  static constexpr size_t kBytes = 64;
  struct Free {
    void operator()(T* data) const { operator delete[](data, std::align_val_t{kBytes}); }
  };

  std::unique_ptr<T[], Free> data_;
  int64_t size_;
};

using AlignedFloats = AlignedArray<float>;

}  // namespace acevec
