#include "text/look_ahead.h"

#include <algorithm>
#include <utility>

namespace acevec {
namespace {
constexpr size_t kStep = 1 << 16;
}

std::string_view LookAhead::peek(size_t size) {
  while (buffer_.size() - at_ < size && read_more()) {
  }
  return rest();
}

std::optional<std::string_view> LookAhead::peek_until(char mark, size_t limit) {
  const size_t end = find(mark, limit, true);
  if (end != std::string_view::npos) return rest().substr(0, end);
  if (rest().size() >= limit) return std::nullopt;
  return rest();
}

bool LookAhead::ready_until(char mark, size_t limit) {
  return find(mark, limit, false) != std::string_view::npos || (ended_ && rest().size() < limit);
}

// Where the next `mark` is from here, reading on to see it, waiting or not.
size_t LookAhead::find(char mark, size_t limit, bool wait) {
  for (size_t searched = 0;;) {
    const std::string_view there = rest().substr(0, limit);
    const size_t end = there.find(mark, searched);
    if (end != std::string_view::npos) return end;
    searched = there.size();
    const bool may_read = wait || source_.ready();
    if (searched == limit || !may_read || !read_more()) return std::string_view::npos;
  }
}

bool LookAhead::read_more() {
  if (ended_) return false;
  buffer_.erase(0, std::exchange(at_, 0));
  const size_t had = buffer_.size();
  buffer_.resize(had + kStep);
  buffer_.resize(had + source_.read_some(buffer_.data() + had, kStep));
  ended_ = buffer_.size() == had;
  return !ended_;
}

void LookAhead::skip(size_t size) {
  at_ = std::min(at_ + size, buffer_.size());
}

}  // namespace acevec
