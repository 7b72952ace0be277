#include "base/spelling.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace acevec {
namespace {

// Lowercases an ASCII letter.
char folded(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// The number of bytes to add, remove, replace or swap with the next. `rows` has room for 3
// (a.size() + 1) numbers: the rows of the last two bytes of `b` and of the current one.
size_t distance(std::string_view a, std::string_view b, std::vector<size_t>& rows) {
  size_t* before = rows.data();
  size_t* last = before + a.size() + 1;
  size_t* row = last + a.size() + 1;
  const auto same = [&](size_t i, size_t j) { return folded(a[i]) == folded(b[j]); };
  std::iota(row, row + a.size() + 1, size_t{0});
  for (size_t j = 0; j < b.size(); ++j) {
    std::tie(before, last, row) = std::tuple(last, row, before);
    row[0] = j + 1;
    for (size_t i = 0; i < a.size(); ++i) {
      row[i + 1] = std::min({last[i] + (same(i, j) ? 0 : 1), last[i + 1] + 1, row[i] + 1});
      if (i > 0 && j > 0 && same(i, j - 1) && same(i - 1, j)) {
        row[i + 1] = std::min(row[i + 1], before[i - 1] + 1);
      }
    }
  }
  return row[a.size()];
}

}  // namespace

std::vector<std::string> near_spellings(std::string_view word,
                                        const std::vector<std::string>& candidates, size_t most) {
  constexpr size_t kMost = 64;
  if (word.empty() || word.size() > kMost) return {};
  using Near = std::pair<size_t, const std::string*>;  // distance first
  std::vector<size_t> rows(3 * (word.size() + 1));
  std::vector<Near> near;  // the nearest so far, nearest first
  const bool has_dot = word.find('.') != word.npos;
  for (const std::string& candidate : candidates) {
    const std::string_view name =
        has_dot ? candidate : std::string_view(candidate).substr(0, candidate.find('.'));
    const size_t ending = name.size() < candidate.size() ? 1 : 0;
    const size_t longer = std::max(word.size(), name.size() + ending);
    const size_t least =  // a lower bound from the lengths
        std::max(word.size(), name.size()) - std::min(word.size(), name.size()) + ending;
    const bool full = near.size() == most;
    if (2 * least >= longer || (full && (most == 0 || least >= near.back().first))) continue;
    const size_t changes = distance(word, name, rows) + ending;
    if (2 * changes >= longer || (full && changes >= near.back().first)) continue;
    if (full) near.pop_back();
    near.insert(std::ranges::upper_bound(near, changes, {}, &Near::first), {changes, &candidate});
  }
  std::vector<std::string> result;
  result.reserve(near.size());
  for (const Near& other : near) result.push_back(*other.second);
  return result;
}

}  // namespace acevec
