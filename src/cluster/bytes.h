// Messages between processes: numbers and arrays, one after the other, in the machine's byte order
// (the processes of a job run one program on machines of one kind).
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/error.h"

namespace acevec {

using Bytes = std::vector<char>;

void put_bytes(Bytes& bytes, const void* data, size_t size);

template <class T>
void put(Bytes& bytes, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  put_bytes(bytes, &value, sizeof value);
}

// An array, or a text, with its length.
template <class T>
void put_all(Bytes& bytes, std::span<const T> values) {
  static_assert(std::is_trivially_copyable_v<T>);
  put(bytes, static_cast<int64_t>(values.size()));
  put_bytes(bytes, values.data(), values.size_bytes());
}
inline void put_text(Bytes& bytes, std::string_view text) {
  put_all(bytes, std::span(text.data(), text.size()));
}

// Takes the same off again. Throws Error when there is less than was expected.
class BytesReader {
 public:
  explicit BytesReader(const Bytes& bytes) : rest_(bytes) {}

  template <class T>
  T get() {
    T value;
    take(&value, sizeof value);
    return value;
  }
  template <class T>
  std::vector<T> get_all() {
    const auto count = static_cast<size_t>(get<int64_t>());
    if (count > rest_.size() / sizeof(T)) refuse();
    std::vector<T> values(count);
    take(values.data(), count * sizeof(T));
    return values;
  }
  std::string get_text() {
    const std::vector<char> text = get_all<char>();
    return {text.begin(), text.end()};
  }
  // Into `to`, which may be null when there is nothing to take.
  void take(void* to, size_t size) {
    if (size > rest_.size()) refuse();
    if (size > 0) std::memcpy(to, rest_.data(), size);
    rest_ = rest_.subspan(size);
  }
  bool empty() const { return rest_.empty(); }

 private:
  [[noreturn]] static void refuse() {
    throw Error("a message of another process is truncated; check the network");
  }

  std::span<const char> rest_;
};

}  // namespace acevec
