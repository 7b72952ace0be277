#include "tasks/sentence/ranking.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>

#include "base/parallel.h"
#include "math/table_products.h"
#include "vectors/word_vectors.h"

namespace acevec {
namespace {

constexpr int64_t kQueriesTogether = 16;
constexpr size_t kTop = 10;

void scale_rows(Matrix& rows) {
  for (int64_t i = 0; i < rows.rows(); ++i) scale_to_unit(rows.row(i), rows.columns());
}

double discount(size_t place) {
  return 1 / std::log2(static_cast<double>(place) + 2);
}

double best_gain(const Judged& judged) {
  std::vector<double> grades;
  for (const auto& [row, grade] : judged) grades.push_back(grade);
  std::sort(grades.begin(), grades.end(), std::greater<>());
  double gain = 0;
  for (size_t i = 0; i < std::min(kTop, grades.size()); ++i) gain += grades[i] * discount(i);
  return gain;
}

void add_query(const std::vector<ScoredRow>& ranking, const Judged& judged, RankingScores& sums) {
  const std::unordered_map<int64_t, double> grades(judged.begin(), judged.end());
  double gain = 0, first = 0;
  double found = 0, found_early = 0;
  for (size_t place = 0; place < ranking.size(); ++place) {
    const auto at = grades.find(ranking[place].id);
    if (at == grades.end()) continue;
    ++found;
    if (place >= kTop) continue;
    ++found_early;
    gain += at->second * discount(place);
    if (first == 0) first = 1 / (static_cast<double>(place) + 1);
  }
  const auto relevant = static_cast<double>(judged.size());
  ++sums.queries;
  sums.mrr10 += first;
  sums.recall10 += found_early / relevant;
  sums.recall100 += found / relevant;
  sums.ndcg10 += gain / best_gain(judged);
}

}  // namespace

std::vector<std::vector<ScoredRow>> rank_rows(Matrix& queries, Matrix& texts,
                                              const WordMatches* matches, double weight,
                                              int threads) {
  scale_rows(queries);
  scale_rows(texts);
  const int64_t count = queries.rows(), rows = texts.rows();
  std::vector<std::vector<ScoredRow>> rankings(static_cast<size_t>(count));
  in_blocks(threads, count, kQueriesTogether, [&](int64_t begin, int64_t end) {
    std::vector<float> scores(static_cast<size_t>((end - begin) * rows));
    score_tables({queries.row(begin), end - begin}, {texts.row(0), rows}, queries.stride(),
                 {scores.data(), rows});
    for (int64_t i = begin; i < end; ++i) {
      float* const row = scores.data() + (i - begin) * rows;
      if (matches != nullptr) matches->add(i, weight, row);
      BestRows best(kRanked);
      best.offer(row, 0, rows, {});
      rankings[static_cast<size_t>(i)] = std::move(best).sorted();
    }
  });
  return rankings;
}

int64_t ranking_bytes(int64_t texts, int threads) {
  return threads * kQueriesTogether * texts * kFloatSize;
}

RankingScores score_rankings(const std::vector<std::vector<ScoredRow>>& rankings,
                             const std::vector<Judged>& judged) {
  RankingScores scores;
  for (size_t i = 0; i < rankings.size(); ++i) {
    if (!judged[i].empty()) add_query(rankings[i], judged[i], scores);
  }
  const double factor = scores.queries == 0 ? 0 : 100 / static_cast<double>(scores.queries);
  for (double* const sum : {&scores.mrr10, &scores.recall10, &scores.recall100, &scores.ndcg10}) {
    *sum *= factor;
  }
  return scores;
}

}  // namespace acevec
