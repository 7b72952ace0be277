#include "text/names.h"

#include <algorithm>

#include "base/numbers.h"
#include "base/progress.h"
#include "base/utf8.h"
#include "text/tokenizer.h"

namespace acevec {

int32_t Names::find(const std::string& name) const {
  const auto place = ids_.find(name);
  return place == ids_.end() ? -1 : place->second;
}

int32_t Names::add(const std::string& name) {
  const auto [place, is_new] = ids_.emplace(name, size());
  if (is_new) names_.push_back(name);
  return place->second;
}

std::string as_word(std::string_view name) {
  std::string word(name);
  std::replace_if(word.begin(), word.end(), is_space, '_');
  return word;
}

std::vector<std::string_view> names_on(const LineReader& lines, std::string_view line, size_t count,
                                       const std::string& advice) {
  std::vector<std::string_view> names = split(line, "\t");
  if (names.size() != count) {
    lines.refuse("has " + counted(std::ssize(names), "column") + "; " + advice);
  }
  for (const std::string_view name : names) {
    if (name.empty()) lines.refuse("has an empty name; " + advice);
    if (!is_utf8(name)) lines.refuse("is not UTF-8; convert the file");
  }
  return names;
}

}  // namespace acevec
