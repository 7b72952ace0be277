// Parts of the texts that are made of the option tables.
#pragma once

#include <string>
#include <string_view>

namespace acevec {

inline bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// The part of `text` from `start` to the next `end`; empty when there is none.
inline std::string part(const std::string& text, const std::string& start, const std::string& end) {
  const size_t begin = text.find(start);
  if (begin == std::string::npos) return "";
  const size_t past = begin + start.size();
  return text.substr(past, text.find(end, past) - past);
}

}  // namespace acevec
