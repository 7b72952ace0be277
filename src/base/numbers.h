// All parsing and formatting of numbers and lists in text.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace acevec {

// Takes a number off the front of `text`. Returns nothing and leaves `text` unchanged when it does
// not begin with a number, or the number is out of range. An integer may have a base other than 10.
template <class Number, class... Base>
std::optional<Number> take_number(std::string_view& text, Base... base) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, base...);
  if (error != std::errc{}) return std::nullopt;
  text = {stop, static_cast<size_t>(end - stop)};
  return number;
}

// Parses all of `text` as a number.
template <class Number, class... Base>
std::optional<Number> number_of(std::string_view text, Base... base) {
  const std::optional<Number> number = take_number<Number>(text, base...);
  return text.empty() ? number : std::nullopt;
}

// `text` without the plus sign that some programs write before numbers.
inline std::string_view without_plus(std::string_view text) {
  return text.substr(text.starts_with('+') && !text.starts_with("+-") ? 1 : 0);
}

// Like number_of() for a float, with an optional plus sign. Files written in double precision hold
// numbers out of float's range: tiny ones become 0, huge ones infinite.
inline std::optional<float> float_of(std::string_view text) {
  text = without_plus(text);
  if (const auto number = number_of<float>(text)) return number;
  const auto wide = number_of<double>(text);
  if (!wide) return std::nullopt;
  return std::abs(*wide) < 1 ? 0.0F : static_cast<float>(*wide);
}

// Takes the next field, up to a space or tab, off `line`. Returns an empty field at the end.
inline std::string_view take_field(std::string_view& line) {
  constexpr std::string_view kBlanks = " \t";
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  const std::string_view field = line.substr(0, line.find_first_of(kBlanks));
  line.remove_prefix(field.size());
  return field;
}

// Takes the part before the first `mark`, and the mark, off the front of `text`; takes everything
// if there is no mark.
inline std::string_view take_part(std::string_view& text, char mark) {
  const std::string_view part = text.substr(0, text.find(mark));
  text.remove_prefix(std::min(part.size() + 1, text.size()));
  return part;
}

// `text` without leading and trailing `blanks`.
inline std::string_view trimmed(std::string_view text, std::string_view blanks) {
  const size_t start = std::min(text.find_first_not_of(blanks), text.size());
  return text.substr(start, text.find_last_not_of(blanks) + 1 - start);
}

// Parses the fields of `line` into `numbers`, at most `most` of them. Returns the number of fields,
// including those beyond `most`, or −1 when one is not a number.
inline int64_t parse_numbers(std::string_view line, float* numbers, int64_t most) {
  int64_t count = 0;
  for (std::string_view field; !(field = take_field(line)).empty(); ++count) {
    const auto number = float_of(field);
    if (!number) return -1;
    if (count < most) numbers[count] = *number;
  }
  return count;
}

// The shortest digits that read back as the same number.
template <class Number>
std::string shortest(Number number) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, number).ptr};
}

// Splits `text` at any of `separators`; returns one part more than `text` has separators.
inline std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  for (size_t start = 0, end = 0; end != std::string_view::npos; start = end + 1) {
    end = text.find_first_of(separators, start);
    parts.push_back(text.substr(start, end - start));
  }
  return parts;
}

// Joins `parts` with `between`.
inline std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i) text.append(i > 0 ? between : "").append(parts[i]);
  return text;
}

}  // namespace acevec
