#include "tasks/sentence/pair_search.h"

#include <algorithm>
#include <unordered_map>

#include "base/parallel.h"
#include "math/exact_pairs.h"
#include "tasks/sentence/encoder.h"

namespace acevec {
namespace {

constexpr int64_t kAskedTogether = 1024;  // first sides, so that memory does not grow with pairs

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

// The texts of second sides that each text of a first side has.
ExactPairs observed_pairs(const PairText& text) {
  std::vector<ObservedPair> pairs;
  pairs.reserve(static_cast<size_t>(text.pairs()));
  int32_t last = -1;
  for (int64_t i = 0; i < text.pairs(); ++i) {
    pairs.push_back({text.text(i, 0), text.text(i, 1)});
    last = std::max(last, text.text(i, 0));
  }
  return {last + 1, pairs};
}

}  // namespace

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
  // The observed pairs, 12 bytes each, and where those of a text begin and end, of at most two
  // texts a pair; what each pair has.
  return (12 + 2 * 16 + 8) * pairs + 16 * asking + rows * padded(columns) * kFloatSize +
         std::min(kAskedTogether, asking) * kRanked * int64_t{sizeof(ScoredRow)} +
         ranking_bytes(candidates, threads);
}

std::vector<int64_t> hard_pairs(const PairText& text, const SentenceModel& model,
                                std::span<const int64_t> pairs, std::span<const int64_t> candidates,
                                int64_t nearest, Random& random, int threads) {
  const ExactPairs observed = observed_pairs(text);
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
        if (!observed.contains(text.text(asking[i], 0), text.text(other, 1))) {
          wrong.push_back(other);
        }
      }
      const auto drawn = random.below(static_cast<uint32_t>(std::max<size_t>(1, wrong.size())));
      hard.push_back(wrong.empty() ? -1 : wrong[drawn]);
    }
  }
  return hard;
}

}  // namespace acevec
