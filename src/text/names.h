// Names of things, in which blanks may stand, and tables of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/lines.h"

namespace acevec {

// Names, numbered from 0 as they come.
class Names {
 public:
  int32_t size() const { return static_cast<int32_t>(names_.size()); }
  const std::string& name(int32_t id) const { return names_[static_cast<size_t>(id)]; }
  const std::vector<std::string>& all() const { return names_; }
  int32_t find(const std::string& name) const;  // −1 when there is none
  int32_t add(const std::string& name);         // its number, a new one for a new name

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, int32_t> ids_;
};

// A name as files of vectors have it, whose words have no white space: that becomes "_".
std::string as_word(std::string_view name);

// The names in the columns of the line that `lines` has just read, with tabs between them. Throws
// Error when they are not `count`, one is empty or one is not UTF-8. `advice`: "give two names".
std::vector<std::string_view> names_on(const LineReader& lines, std::string_view line, size_t count,
                                       const std::string& advice);

}  // namespace acevec
