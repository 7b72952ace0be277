#include "vectors/word_classes.h"

#include "text/case.h"

namespace acevec {

WordClasses::WordClasses(const std::vector<std::string>& words, bool fold_case)
    : fold_case_(fold_case) {
  ids_.reserve(words.size());
  first_.reserve(words.size());
  for (const std::string& word : words) {
    const auto row = static_cast<int64_t>(first_.size());
    first_.push_back(ids_.emplace(fold_case ? acevec::fold_case(word) : word, row).first->second);
  }
}

int64_t WordClasses::find(std::string_view word) const {
  const auto known = ids_.find(fold_case_ ? acevec::fold_case(word) : std::string(word));
  return known == ids_.end() ? -1 : known->second;
}

}  // namespace acevec
