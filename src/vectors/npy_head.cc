#include "vectors/npy_head.h"

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "base/numbers.h"

namespace acevec {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kLongestHead = 1 << 20;

// The value of `key` in the head, a Python dictionary such as
// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 5), }; empty when it is not there.
std::string_view value_of(std::string_view head, std::string_view key) {
  const size_t at = head.find(key);
  if (at == std::string_view::npos) return {};
  const size_t start = head.find_first_not_of(" '\":", at + key.size());
  return start == std::string_view::npos ? std::string_view{} : head.substr(start);
}

// "(3, 5)", "(3,)".
std::optional<std::vector<int64_t>> parse_shape(std::string_view typed) {
  if (!typed.starts_with('(') || typed.find(')') == std::string_view::npos) return std::nullopt;
  typed = typed.substr(1, typed.find(')') - 1);
  std::vector<int64_t> shape;
  while (!typed.empty()) {
    std::string_view part = typed.substr(0, typed.find(','));
    typed.remove_prefix(std::min(part.size() + 1, typed.size()));
    const std::string_view field = take_field(part);
    if (field.empty() && typed.empty() && !shape.empty()) break;  // the comma of (3,)
    const auto length = number_of<int64_t>(field);
    if (!length || *length < 0 || !take_field(part).empty()) return std::nullopt;
    shape.push_back(*length);
  }
  return shape;
}

}  // namespace

bool begins_npy(LookAhead& input) {
  return input.peek(kMagic.size()).starts_with(kMagic);
}

NpyHead read_npy_head(LookAhead& input) {
  const std::string_view start = input.peek(12);
  if (!start.starts_with(kMagic) || start.size() < 12) throw Error("it is not an .npy file");
  const auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<uint8_t>(start[i])); };
  const bool old = start[6] == 1;  // version 1 has a length of 2 bytes, later ones of 4
  const size_t length = byte(8) | byte(9) << 8 | (old ? 0 : byte(10) << 16 | byte(11) << 24);
  const size_t head_start = old ? 10 : 12;
  if (length > kLongestHead) throw Error("its header is impossible");
  const std::string head(input.peek(head_start + length).substr(head_start).substr(0, length));
  if (head.size() < length) throw Error("its header is truncated");
  input.skip(head_start + length);
  const std::string_view type = value_of(head, "'descr'");
  return {std::string(type.substr(0, type.find('\''))),
          !value_of(head, "'fortran_order'").starts_with("False"),
          parse_shape(value_of(head, "'shape'"))};
}

}  // namespace acevec
