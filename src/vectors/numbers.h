// Numbers written as text.
#pragma once

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

namespace acevec {

// Takes the next field off `line`: what stands before the next space or tab.
inline std::string_view take_field(std::string_view& line) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  size_t start = 0;
  while (start < line.size() && is_blank(line[start])) ++start;
  size_t end = start;
  while (end < line.size() && !is_blank(line[end])) ++end;
  const std::string_view field = line.substr(start, end - start);
  line.remove_prefix(end);
  return field;
}

// The number that is all of `field`.
template <class Number>
std::optional<Number> parse(std::string_view field) {
  Number number{};
  if (field.starts_with('+')) field.remove_prefix(1);
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
  if (error != std::errc{} || end != field.data() + field.size()) return std::nullopt;
  return number;
}

// The same for a float. Files written in double precision hold numbers beyond its range: tiny ones
// become 0, huge ones infinite.
inline std::optional<float> parse_float(std::string_view field) {
  if (const auto number = parse<float>(field)) return number;
  const auto wide = parse<double>(field);
  if (!wide) return std::nullopt;
  return std::abs(*wide) < 1 ? 0.0F : std::numeric_limits<float>::infinity();
}

// Parses the rest of `line` into `numbers`, at most `most` of them. Returns how many there are (the
// ones beyond `most` are counted too), −1 when one is not a number.
inline int64_t parse_numbers(std::string_view line, float* numbers, int64_t most) {
  int64_t count = 0;
  for (std::string_view field; !(field = take_field(line)).empty(); ++count) {
    const auto number = parse_float(field);
    if (!number) return -1;
    if (count < most) numbers[count] = *number;
  }
  return count;
}

}  // namespace acevec
