#include "tasks/sentence/pair_search.h"

#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/parallel.h"
#include "tasks/sentence/encoder.h"

namespace acevec {
namespace {

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

std::vector<std::vector<ScoredRow>> search(const PairText& text, const SentenceModel& model,
                                           std::span<const int64_t> pairs, const Targets& targets,
                                           int threads) {
  Matrix queries = side_vectors(text, model, pairs, 0, threads);
  Matrix found = side_vectors(text, model, targets.pairs, 1, threads);
  return rank_rows(queries, found, nullptr, 0, threads);
}

uint64_t both(int32_t first, int32_t second) {
  return static_cast<uint64_t>(first) << 32 | static_cast<uint32_t>(second);
}

}  // namespace

RankingScores score_pairs(const PairText& text, const SentenceModel& model,
                          std::span<const int64_t> pairs, int threads) {
  const Targets targets(text, pairs);
  std::vector<Judged> judged;
  for (const int64_t pair : pairs) judged.push_back({{targets.row_of.at(text.text(pair, 1)), 1.0}});
  return score_rankings(search(text, model, pairs, targets, threads), judged);
}

std::vector<int64_t> hard_pairs(const PairText& text, const SentenceModel& model,
                                std::span<const int64_t> pairs, std::span<const int64_t> candidates,
                                int64_t nearest, Random& random, int threads) {
  std::unordered_set<uint64_t> true_pairs;
  for (int64_t pair = 0; pair < text.pairs(); ++pair) {
    true_pairs.insert(both(text.text(pair, 0), text.text(pair, 1)));
  }
  const Targets targets(text, candidates);
  const auto rankings = search(text, model, pairs, targets, threads);
  std::vector<int64_t> hard, wrong;
  for (size_t i = 0; i < pairs.size(); ++i) {
    wrong.clear();
    for (const ScoredRow& row : rankings[i]) {
      const int64_t other = targets.pairs[static_cast<size_t>(row.id)];
      if (std::ssize(wrong) == nearest) break;
      if (!true_pairs.contains(both(text.text(pairs[i], 0), text.text(other, 1)))) {
        wrong.push_back(other);
      }
    }
    hard.push_back(wrong.empty() ? -1 : wrong[random.below(static_cast<uint32_t>(wrong.size()))]);
  }
  return hard;
}

}  // namespace acevec
