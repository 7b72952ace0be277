#include "tasks/sentence/pair_search.h"

#include <algorithm>
#include <unordered_map>

#include "base/parallel.h"
#include "tasks/sentence/encoder.h"

namespace acevec {
namespace {

constexpr int64_t kAskedTogether = 1024;  // first sides, so that memory does not grow with pairs

Matrix side_vectors(const PairText& text, const SentenceModel& model,
                    std::span<const int64_t> pairs, int side, int threads) {
  Matrix vectors(std::ssize(pairs), model.columns());
  in_blocks(threads, std::ssize(pairs), kEncodedTogether, [&](int64_t begin, int64_t end) {
    std::vector<std::vector<int32_t>> sentences;
    for (int64_t i = begin; i < end; ++i) {
      const std::span<const int32_t> ids = text.side(pairs[static_cast<size_t>(i)], side);
      sentences.emplace_back(ids.begin(), ids.end());
    }
    SentenceEncoder(model).encode(sentences, vectors, begin);
  });
  return vectors;
}

// Pairs with different second sides, and which of them has a text as its second side.
struct Targets {
  Targets(const PairText& text, std::span<const int64_t> from) {
    for (const int64_t pair : from) {
      if (row_of.emplace(text.text(pair, 1), std::ssize(pairs)).second) pairs.push_back(pair);
    }
  }

  std::vector<int64_t> pairs;
  std::unordered_map<int32_t, int64_t> row_of;
};

uint64_t both(int32_t first, int32_t second) {
  return static_cast<uint64_t>(first) << 32 | static_cast<uint32_t>(second);
}

// The numbers of both sides' texts of all pairs, sorted.
std::vector<uint64_t> true_pairs(const PairText& text) {
  std::vector<uint64_t> pairs;
  pairs.reserve(static_cast<size_t>(text.pairs()));
  for (int64_t i = 0; i < text.pairs(); ++i)
    pairs.push_back(both(text.text(i, 0), text.text(i, 1)));
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace

RankingScores score_pairs(const PairText& text, const SentenceModel& model,
                          std::span<const int64_t> pairs, int threads) {
  const Targets targets(text, pairs);
  std::vector<Judged> judged;
  for (const int64_t pair : pairs) judged.push_back({{targets.row_of.at(text.text(pair, 1)), 1.0}});
  Matrix queries = side_vectors(text, model, pairs, 0, threads);
  Matrix found = side_vectors(text, model, targets.pairs, 1, threads);
  return score_rankings(rank_rows(queries, found, nullptr, 0, threads), judged);
}

int64_t hard_pairs_bytes(int64_t pairs, int64_t asking, int64_t candidates, int64_t columns,
                         int threads) {
  const int64_t rows = std::min(kAskedTogether, asking) + candidates;
  return 8 * (pairs + asking) + rows * padded(columns) * kFloatSize +
         std::min(kAskedTogether, asking) * kRanked * int64_t{sizeof(ScoredRow)} +
         ranking_bytes(candidates, threads);
}

std::vector<int64_t> hard_pairs(const PairText& text, const SentenceModel& model,
                                std::span<const int64_t> pairs, std::span<const int64_t> candidates,
                                int64_t nearest, Random& random, int threads) {
  const std::vector<uint64_t> known = true_pairs(text);
  const Targets targets(text, candidates);
  Matrix found = side_vectors(text, model, targets.pairs, 1, threads);
  std::vector<int64_t> hard, wrong;
  hard.reserve(pairs.size());
  for (size_t begin = 0; begin < pairs.size(); begin += kAskedTogether) {
    const auto asking =
        pairs.subspan(begin, std::min<size_t>(kAskedTogether, pairs.size() - begin));
    Matrix queries = side_vectors(text, model, asking, 0, threads);
    const auto rankings = rank_rows(queries, found, nullptr, 0, threads);
    for (size_t i = 0; i < asking.size(); ++i) {
      wrong.clear();
      for (const ScoredRow& row : rankings[i]) {
        if (std::ssize(wrong) == nearest) break;
        const int64_t other = targets.pairs[static_cast<size_t>(row.id)];
        const uint64_t pair = both(text.text(asking[i], 0), text.text(other, 1));
        if (!std::binary_search(known.begin(), known.end(), pair)) wrong.push_back(other);
      }
      const auto drawn = random.below(static_cast<uint32_t>(std::max<size_t>(1, wrong.size())));
      hard.push_back(wrong.empty() ? -1 : wrong[drawn]);
    }
  }
  return hard;
}

}  // namespace acevec
