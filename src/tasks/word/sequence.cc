#include "tasks/word/sequence.h"

#include <algorithm>
#include <cmath>

#include "text/token_store.h"

namespace acevec {
namespace {

// The probability of keeping a token of a word with this count.
double keep_probability(const Vocabulary& vocabulary, double sample, int64_t count) {
  if (sample == 0) return 1;
  const double threshold = sample * static_cast<double>(vocabulary.total());
  const double ratio = threshold / static_cast<double>(count);
  return std::min(1.0, std::sqrt(ratio) + ratio);
}

}  // namespace

SequenceMaker::SequenceMaker(const Vocabulary& vocabulary, double sample, const Reach& reach)
    : reach_(reach) {
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    const double keep = keep_probability(vocabulary, sample, vocabulary.count(id));
    if (keep >= 1) break;
    keep_below_.push_back(static_cast<uint32_t>(keep * (0x1p32 - 1)));
  }
  keep_below_.push_back(~uint32_t{0});
}

void SequenceMaker::make(const std::vector<int32_t>& ids, Random& random,
                         Sequence& sequence) const {
  sequence.ids.resize(ids.size());
  sequence.first.clear();
  sequence.last.clear();
  const size_t rare = keep_below_.size() - 1;
  size_t start = 0;
  size_t end = 0;
  for (const int32_t id : ids) {
    if (id == kLineEnd) {
      end = end_line(start, end, random, sequence);
      start = end;
      continue;
    }
    // Branchless: the outcome is unpredictable.
    sequence.ids[end] = id;
    const uint32_t keep_below = keep_below_[std::min(static_cast<size_t>(id), rare)];
    end += static_cast<uint32_t>(random() >> 32) <= keep_below ? 1 : 0;
  }
  sequence.ids.resize(end_line(start, end, random, sequence));
}

// Sets the contexts of tokens start .. end − 1, which form a line. Returns where the next line
// begins.
size_t SequenceMaker::end_line(size_t start, size_t end, Random& random, Sequence& sequence) const {
  if (end - start < 2) return start;
  const auto line_first = static_cast<int32_t>(start);
  const auto line_last = static_cast<int32_t>(end);
  const int32_t before = reach_.side == ContextSide::kAfter ? 0 : 1;
  const int32_t after = reach_.side == ContextSide::kBefore ? 0 : 1;
  auto reach = static_cast<int32_t>(reach_.window);
  for (int32_t i = line_first; i < line_last; ++i) {
    if (reach_.drawn) {
      reach = static_cast<int32_t>(1 + random.below(static_cast<uint32_t>(reach_.window)));
    }
    sequence.first.push_back(std::max(line_first, i - before * reach));
    sequence.last.push_back(std::min(line_last, i + after * reach + 1));
  }
  return end;
}

}  // namespace acevec
