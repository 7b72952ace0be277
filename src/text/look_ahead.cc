#include "text/look_ahead.h"

#include <algorithm>
#include <utility>

namespace acevec {
namespace {
constexpr size_t kStep = 1 << 16;
}

std::string_view LookAhead::peek(size_t size) {
  while (buffer_.size() - at_ < size && !ended_) {
    buffer_.erase(0, std::exchange(at_, 0));
    const size_t had = buffer_.size();
    buffer_.resize(had + kStep);
    buffer_.resize(had + source_.read(buffer_.data() + had, kStep));
    ended_ = buffer_.size() < had + kStep;
  }
  return std::string_view(buffer_).substr(at_);
}

std::optional<std::string_view> LookAhead::peek_until(char mark, size_t limit) {
  for (size_t size = 256;; size *= 4) {
    const std::string_view text = peek(size);
    const size_t end = text.substr(0, limit).find(mark);
    if (end != std::string_view::npos) return text.substr(0, end);
    if (text.size() >= limit) return std::nullopt;
    if (ended_) return text;
  }
}

void LookAhead::skip(size_t size) {
  at_ = std::min(at_ + size, buffer_.size());
}

}  // namespace acevec
