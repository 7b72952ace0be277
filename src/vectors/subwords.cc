#include "vectors/subwords.h"

#include <string>

#include "base/utf8.h"
#include "kernels/hogwild.h"

namespace acevec {
namespace {

constexpr std::string_view kFastTextLineEnd = "</s>";

// FNV-1a; like fastText, it adds bytes as signed numbers.
uint32_t add_to_hash(uint32_t hash, char byte) {
  hash ^= static_cast<uint32_t>(static_cast<signed char>(byte));
  return hash * 16777619U;
}

}  // namespace

void append_subwords(std::string_view word, const SubwordShape& shape,
                     std::vector<int32_t>& buckets) {
  if (!shape.any() || word == kFastTextLineEnd) return;
  std::string marked;
  marked.reserve(word.size() + 2);
  marked.append("<").append(word).append(">");
  for (size_t begin = 0; begin < marked.size(); ++begin) {
    if (continues_character(marked[begin])) continue;
    uint32_t hash = 2166136261U;
    size_t end = begin;
    for (int64_t length = 1; length <= shape.longest && end < marked.size(); ++length) {
      do {
        hash = add_to_hash(hash, marked[end++]);
      } while (end < marked.size() && continues_character(marked[end]));
      const bool mark = length == 1 && (begin == 0 || end == marked.size());
      if (length < shape.shortest || mark) continue;
      buckets.push_back(static_cast<int32_t>(hash % static_cast<uint32_t>(shape.buckets)));
    }
  }
}

bool SubwordRows::compose(std::string_view word, const float* own, float* vector) const {
  std::vector<int32_t> buckets;
  append_subwords(word, shape_, buckets);
  const size_t parts = buckets.size() + (own != nullptr ? 1 : 0);
  if (parts == 0) return false;
  prefetch_rows(rows_, buckets.data(), static_cast<int64_t>(buckets.size()));
  std::vector<double> sum(static_cast<size_t>(rows_.columns()));
  const auto add = [&](const float* row) {
    for (size_t k = 0; k < sum.size(); ++k) sum[k] += static_cast<double>(row[k]);
  };
  if (own != nullptr) add(own);
  for (const int32_t bucket : buckets) add(rows_.row(bucket));
  for (size_t k = 0; k < sum.size(); ++k) {
    vector[k] = static_cast<float>(sum[k] / static_cast<double>(parts));
  }
  return true;
}

}  // namespace acevec
