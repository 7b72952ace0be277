// Words that count as one because they differ only in case.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace acevec {

class WordClasses {
 public:
  // A class is known by its first row.
  explicit WordClasses(const std::vector<std::string>& words);

  // The first row of the words that count as `word`, or −1.
  int64_t find(std::string_view word) const;

  // The same for the word of a row.
  int64_t first(int64_t row) const { return first_[static_cast<size_t>(row)]; }

 private:
  std::unordered_map<std::string, int64_t> ids_;
  std::vector<int64_t> first_;
};

}  // namespace acevec
