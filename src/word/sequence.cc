#include "word/sequence.h"

#include <algorithm>
#include <cmath>

#include "text/token_store.h"

namespace acevec {

SequenceMaker::SequenceMaker(const Vocabulary& vocabulary, double sample, int64_t window)
    : window_(static_cast<uint32_t>(window)) {
  keep_below_.reserve(static_cast<size_t>(vocabulary.size()));
  const double threshold = sample * static_cast<double>(vocabulary.total());
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    const double ratio = threshold / static_cast<double>(vocabulary.count(id));
    const double keep = sample > 0 ? std::min(1.0, std::sqrt(ratio) + ratio) : 1.0;
    keep_below_.push_back(static_cast<uint32_t>(keep * (0x1p32 - 1)));
  }
}

void SequenceMaker::make(const std::vector<int32_t>& ids, Random& random,
                         Sequence& sequence) const {
  sequence.ids.clear();
  sequence.first.clear();
  sequence.last.clear();
  size_t start = 0;
  for (const int32_t id : ids) {
    if (id == kLineEnd) {
      end_line(start, random, sequence);
      start = sequence.ids.size();
    } else if (static_cast<uint32_t>(random() >> 32) <= keep_below_[static_cast<size_t>(id)]) {
      sequence.ids.push_back(id);
    }
  }
  end_line(start, random, sequence);
}

// Gives the tokens from `start` on, which are a line, their contexts.
void SequenceMaker::end_line(size_t start, Random& random, Sequence& sequence) const {
  const size_t end = sequence.ids.size();
  if (end - start < 2) {
    sequence.ids.resize(start);
    return;
  }
  const auto line_first = static_cast<int32_t>(start);
  const auto line_last = static_cast<int32_t>(end);
  for (int32_t i = line_first; i < line_last; ++i) {
    const auto reach = static_cast<int32_t>(1 + random.below(window_));
    sequence.first.push_back(std::max(line_first, i - reach));
    sequence.last.push_back(std::min(line_last, i + reach + 1));
  }
}

}  // namespace acevec
