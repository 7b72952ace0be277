#include "tasks/metric/evaluation.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"
#include "kernels/products.h"
#include "vectors/best_rows.h"

namespace acevec {
namespace {

// The k nearest of known to queries first .. last − 1: those of the largest 2 q · y − |y|², which
// is |q|² less the squared distance.
class Search {
 public:
  Search(const Matrix& known, const Matrix& queries, int64_t k, bool same)
      : known_(known), queries_(queries), k_(k), same_(same) {
    for (int64_t j = 0; j < known.rows(); ++j) {
      float length = 0;
      score_rows({known.row(j), 1}, {known.row(j), 1}, known.stride(), {&length, 1});
      lengths_.push_back(length);
    }
  }

  std::vector<BestRows> find(int64_t first, int64_t last) const {
    constexpr int64_t kBlock = 1024;  // known rows at a time: scores stay in the second cache
    std::vector<BestRows> near(static_cast<size_t>(last - first), BestRows(k_));
    std::vector<float> scores(static_cast<size_t>((last - first) * kBlock));
    for (int64_t begin = 0; begin < known_.rows(); begin += kBlock) {
      const int64_t count = std::min(kBlock, known_.rows() - begin);
      score_rows({queries_.row(first), last - first}, {known_.row(begin), count}, known_.stride(),
                 {scores.data(), kBlock});
      for (int64_t i = first; i < last; ++i) {
        float* const row = scores.data() + (i - first) * kBlock;
        for (int64_t j = 0; j < count; ++j) {
          row[j] = 2 * row[j] - lengths_[static_cast<size_t>(begin + j)];
        }
        std::vector<int64_t> left_out;
        if (same_) left_out.push_back(i);
        near[static_cast<size_t>(i - first)].offer(row, begin, count, left_out);
      }
    }
    return near;
  }

 private:
  const Matrix& known_;
  const Matrix& queries_;
  int64_t k_;
  bool same_;
  std::vector<float> lengths_;
};

int32_t classes_of(const LabelledVectors& points) {
  return points.labels.empty() ? 0
                               : *std::max_element(points.labels.begin(), points.labels.end()) + 1;
}

// The class that most of the neighbours have; of equals that which the nearest of them has.
int32_t vote(const int32_t* neighbours, int64_t k, const std::vector<int32_t>& labels,
             std::vector<int64_t>& votes) {
  int32_t best = -1;
  for (int64_t i = 0; i < k && neighbours[i] >= 0; ++i) {
    ++votes[static_cast<size_t>(labels[static_cast<size_t>(neighbours[i])])];
  }
  int64_t most = 0;
  for (int64_t i = 0; i < k && neighbours[i] >= 0; ++i) {
    const int32_t label = labels[static_cast<size_t>(neighbours[i])];
    int64_t& own = votes[static_cast<size_t>(label)];
    if (own > most) {
      most = own;
      best = label;
    }
    own = 0;
  }
  return best;
}

double share(int64_t part, int64_t all) {
  return all > 0 ? static_cast<double>(part) / static_cast<double>(all) : 0;
}

double means_accuracy(const LabelledVectors& known, const LabelledVectors& queries, int threads) {
  const int32_t classes = classes_of(known);
  Matrix means(classes, known.vectors.columns());
  std::vector<int64_t> counts(static_cast<size_t>(classes));
  for (int64_t i = 0; i < known.vectors.rows(); ++i) {
    const int32_t label = known.labels[static_cast<size_t>(i)];
    const auto count = static_cast<float>(++counts[static_cast<size_t>(label)]);
    float* const mean = means.row(label);
    for (int64_t k = 0; k < means.columns(); ++k) {
      mean[k] += (known.vectors.row(i)[k] - mean[k]) / count;
    }
  }
  // Without classes that have no known point.
  int32_t kept = 0;
  std::vector<int32_t> class_of;
  for (int32_t label = 0; label < classes; ++label) {
    if (counts[static_cast<size_t>(label)] == 0) continue;
    std::copy_n(means.row(label), means.stride(), means.row(kept++));
    class_of.push_back(label);
  }
  means.resize(kept);
  const std::vector<int32_t> nearest = nearest_rows(means, queries.vectors, 1, false, threads);
  int64_t right = 0;
  for (size_t i = 0; i < nearest.size(); ++i) {
    if (class_of[static_cast<size_t>(nearest[i])] == queries.labels[i]) ++right;
  }
  return share(right, queries.vectors.rows());
}

}  // namespace

std::vector<int32_t> nearest_rows(const Matrix& known, const Matrix& queries, int64_t k, bool same,
                                  int threads) {
  constexpr int64_t kQueries = 64;
  std::vector<int32_t> nearest(static_cast<size_t>(queries.rows() * k), -1);
  const Search search(known, queries, k, same);
  for_each_piece(threads, (queries.rows() + kQueries - 1) / kQueries, [&](int, int64_t piece) {
    const int64_t first = piece * kQueries;
    int32_t* row = nearest.data() + first * k;
    for (BestRows& best : search.find(first, std::min(first + kQueries, queries.rows()))) {
      int32_t* to = row;
      for (const ScoredRow& one : std::move(best).sorted()) *to++ = static_cast<int32_t>(one.id);
      row += k;
    }
  });
  return nearest;
}

double knn_accuracy(const LabelledVectors& known, const LabelledVectors& queries, int64_t k,
                    int threads) {
  const std::vector<int32_t> nearest =
      nearest_rows(known.vectors, queries.vectors, k, false, threads);
  std::vector<int64_t> votes(static_cast<size_t>(classes_of(known)));
  int64_t right = 0;
  for (int64_t i = 0; i < queries.vectors.rows(); ++i) {
    const int32_t label = vote(nearest.data() + i * k, k, known.labels, votes);
    if (label == queries.labels[static_cast<size_t>(i)]) ++right;
  }
  return share(right, queries.vectors.rows());
}

MetricScores score_vectors(const LabelledVectors& known, const LabelledVectors& queries, int64_t k,
                           int threads) {
  constexpr int64_t kRecall = 5;
  if (queries.vectors.rows() == 0) return {};
  MetricScores scores;
  scores.knn = knn_accuracy(known, queries, k, threads);
  scores.means = means_accuracy(known, queries, threads);
  const std::vector<int32_t> nearest =
      nearest_rows(queries.vectors, queries.vectors, kRecall, true, threads);
  std::vector<int64_t> counts(static_cast<size_t>(classes_of(queries)));
  for (const int32_t label : queries.labels) ++counts[static_cast<size_t>(label)];
  int64_t asked = 0, first = 0, any = 0;
  for (int64_t i = 0; i < queries.vectors.rows(); ++i) {
    const int32_t own = queries.labels[static_cast<size_t>(i)];
    if (counts[static_cast<size_t>(own)] < 2) continue;
    const auto is_own = [&](int32_t j) {
      return j >= 0 && queries.labels[static_cast<size_t>(j)] == own;
    };
    const int32_t* const row = nearest.data() + i * kRecall;
    ++asked;
    if (is_own(row[0])) ++first;
    if (std::any_of(row, row + kRecall, is_own)) ++any;
  }
  scores.recall1 = share(first, asked);
  scores.recall5 = share(any, asked);
  return scores;
}

}  // namespace acevec
