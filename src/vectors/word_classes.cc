#include "vectors/word_classes.h"

#include "text/case.h"

namespace acevec {

WordClasses::WordClasses(const std::vector<std::string>& words) {
  ids_.reserve(words.size());
  first_.reserve(words.size());
  for (const std::string& word : words) {
    const auto row = static_cast<int64_t>(first_.size());
    first_.push_back(ids_.emplace(fold_case(word), row).first->second);
  }
}

int64_t WordClasses::find(std::string_view word) const {
  const auto known = ids_.find(fold_case(word));
  return known == ids_.end() ? -1 : known->second;
}

}  // namespace acevec
