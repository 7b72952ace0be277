#include "tasks/sentence/passages.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace acevec {

std::vector<Passage> passages_of(const SentenceCorpus& corpus, int64_t longest) {
  std::vector<Passage> passages;
  for (int64_t i = 0; i < corpus.sentences();) {
    int64_t end = i + 1;
    while (end < corpus.sentences() && end - i < longest &&
           corpus.document(end) == corpus.document(i)) {
      ++end;
    }
    passages.push_back({i, end});
    i = end;
  }
  return passages;
}

int64_t passages_in_batch(const SentenceSettings& settings) {
  return std::max<int64_t>(1, settings.batch / settings.passage);
}

BatchLimits step_limits(const SentenceCorpus& corpus, const std::vector<Passage>& passages,
                        const SentenceSettings& settings) {
  std::vector<int64_t> tokens;
  tokens.reserve(passages.size());
  for (const Passage& passage : passages) {
    int64_t sum = 0;
    for (int64_t i = passage.first; i < passage.last; ++i) sum += std::ssize(corpus.sentence(i));
    tokens.push_back(sum);
  }
  const auto together = std::min(static_cast<size_t>(passages_in_batch(settings)), tokens.size());
  const auto end = tokens.begin() + static_cast<std::ptrdiff_t>(together);
  std::partial_sort(tokens.begin(), end, tokens.end(), std::greater<>());
  const int64_t most = std::accumulate(tokens.begin(), end, int64_t{0});
  return {static_cast<int64_t>(together) * settings.passage, most};
}

}  // namespace acevec
