#include "base/spelling.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace acevec {
namespace {

// Upper and lower case of ASCII letters are the same.
char folded(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Levenshtein's distance; `row` has a.size() + 1 numbers.
size_t distance(std::string_view a, std::string_view b, std::vector<size_t>& row) {
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t j = 0; j < b.size(); ++j) {
    size_t diagonal = std::exchange(row[0], j + 1);
    for (size_t i = 0; i < a.size(); ++i) {
      const size_t replaced = diagonal + (folded(a[i]) != folded(b[j]) ? 1 : 0);
      diagonal = row[i + 1];
      row[i + 1] = std::min({replaced, diagonal + 1, row[i] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string> near_spellings(std::string_view word,
                                        const std::vector<std::string>& candidates, size_t most) {
  constexpr size_t kMost = 64;
  if (word.empty() || word.size() > kMost) return {};
  using Near = std::pair<size_t, const std::string*>;  // distance first
  std::vector<size_t> row(word.size() + 1);
  std::vector<Near> near;  // the nearest so far, nearest first
  const bool has_dot = word.find('.') != word.npos;
  for (const std::string& candidate : candidates) {
    const std::string_view name =
        has_dot ? candidate : std::string_view(candidate).substr(0, candidate.find('.'));
    const size_t ending = name.size() < candidate.size() ? 1 : 0;
    const size_t longer = std::max(word.size(), name.size() + ending);
    const size_t least =  // whatever the letters
        std::max(word.size(), name.size()) - std::min(word.size(), name.size()) + ending;
    const bool full = near.size() == most;
    if (2 * least >= longer || (full && (most == 0 || least >= near.back().first))) continue;
    const size_t changes = distance(word, name, row) + ending;
    if (2 * changes >= longer || (full && changes >= near.back().first)) continue;
    if (full) near.pop_back();
    const auto after =
        std::upper_bound(near.begin(), near.end(), changes,
                         [](size_t d, const Near& other) { return d < other.first; });
    near.insert(after, {changes, &candidate});
  }
  std::vector<std::string> result;
  result.reserve(near.size());
  for (const Near& other : near) result.push_back(*other.second);
  return result;
}

}  // namespace acevec
