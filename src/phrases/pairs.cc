#include "phrases/pairs.h"

#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"
#include "text/token_store.h"

namespace acevec {
namespace {

// In the number of what is between, connectors are digits of this base.
constexpr int32_t kBase = PairRules::kMostConnectors + 1;
static_assert(kBase * kBase == 1 << kBetweenBits);

bool has_letter_or_digit(std::string_view word) {
  bool valid = true;
  for (size_t at = 0; at < word.size();) {
    const char32_t code = next_code_point(word, at, valid);
    const char kind = *utf8proc_category_string(static_cast<utf8proc_int32_t>(code));
    if (!valid || kind == 'L' || kind == 'N') return true;
  }
  return false;
}

}  // namespace

void PairRules::require_words(int64_t words) {
  if (words < int64_t{1} << (kWordBits - 1)) return;  // phrases become words too
  throw Error(format("the text has more than %ld different words; give less of it",
                     static_cast<long>((int64_t{1} << (kWordBits - 1)) - 1)));
}

uint8_t PairRules::kind_of(std::string_view word) const {
  const auto connector = std::find(connectors_.begin(), connectors_.end(), word);
  if (connector != connectors_.end()) {
    return static_cast<uint8_t>(connector - connectors_.begin() + 1);
  }
  return has_letter_or_digit(word) ? kWord : kNothing;
}

std::optional<PairRules::Found> PairRules::at(const std::vector<int32_t>& ids, size_t at) const {
  constexpr size_t kMostBetween = 2;
  if (ids[at] == kLineEnd || kind(ids[at]) != kWord) return std::nullopt;
  int32_t between = 0;
  for (size_t i = at + 1; i < std::min(ids.size(), at + kMostBetween + 2); ++i) {
    if (ids[i] == kLineEnd || kind(ids[i]) == kNothing) return std::nullopt;
    if (kind(ids[i]) == kWord) return Found{{ids[at], ids[i], between}, i};
    if (i == at + kMostBetween + 1) return std::nullopt;
    between = between * kBase + kind(ids[i]);
  }
  return std::nullopt;
}

std::vector<std::string_view> PairRules::between(int32_t number) const {
  std::vector<std::string_view> words;
  for (; number > 0; number /= kBase) {
    words.insert(words.begin(), connectors_[static_cast<size_t>(number % kBase - 1)]);
  }
  return words;
}

}  // namespace acevec
