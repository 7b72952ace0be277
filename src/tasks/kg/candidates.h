// Distances of all entities from many questions at once; link prediction by the ranks of true ones.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/progress.h"
#include "math/aligned.h"
#include "tasks/kg/model.h"
#include "tasks/kg/triples.h"

namespace acevec {

// All entities of a model, which must outlive this: for a ProductScore the model's rows, for matrix
// products; for other scores a copy, stored by coordinate.
class Candidates {
 public:
  static constexpr int64_t kPerBlock = 512;  // entities scored at once; they fit in the caches

  explicit Candidates(const KgModel& model);

  const KgModel& model() const { return model_; }
  int64_t count() const { return model_.entities.rows(); }
  int64_t width() const { return padded(model_.score->size()); }  // floats in a point

  // Sets out[i · kPerBlock + j] to the distance of point i, of relation i, from entity first + j,
  // j < count ≤ kPerBlock; `first` is a multiple of kRowPadding. The distance of a point and an
  // entity does not depend on the others in the call, so that an entity ties with itself.
  void distances(std::span<const float> points, std::span<const float* const> relations,
                 int64_t first, int64_t count, float* out) const;

 private:
  void score_last(std::span<const float> points, int64_t questions, int64_t end, int64_t count,
                  float* out) const;

  bool is_euclidean() const { return products_ != nullptr && products_->is_euclidean(); }

  const KgModel& model_;
  const ProductScore* products_;  // the model's score is one of these; the other is null
  const PairScore* pairs_;
  std::vector<float> squares_;  // |t|² of entities, for Euclidean distances
  std::optional<Columns> columns_;
};

// The ids in first .. first + count − 1; `ids` is increasing.
std::span<const int32_t> ids_within(std::span<const int32_t> ids, int64_t first, int64_t count);

class QuestionBatch {
 public:
  static constexpr int64_t kMost = 64;

  explicit QuestionBatch(const Candidates& candidates)
      : candidates_(candidates),
        points_(kMost * candidates.width()),
        distances_(kMost * Candidates::kPerBlock) {}

  void clear() { relations_.clear(); }

  // Adds a question, at most kMost: the entities at `side` of the triple.
  void add(Side side, const Triple& triple) {
    float* const point = points_.data() + std::ssize(relations_) * candidates_.width();
    relations_.push_back(candidates_.model().query_point(side, triple, point));
  }

  // The distance of an entity from question i. Overwrites distances().
  float distance(size_t i, int32_t entity);

  // Calls use(first, count) for all entities, kPerBlock at a time, when distances() has theirs.
  template <class Use>
  void for_each_block(const Use& use) {
    for (int64_t first = 0; first < candidates_.count(); first += Candidates::kPerBlock) {
      const int64_t count = std::min(Candidates::kPerBlock, candidates_.count() - first);
      candidates_.distances(points(0, relations_.size()), relations_, first, count,
                            distances_.data());
      use(first, count);
    }
  }

  // The distances from question i; the caller may change them.
  float* distances(size_t i) {
    return distances_.data() + static_cast<int64_t>(i) * Candidates::kPerBlock;
  }

 private:
  std::span<const float> points(size_t first, size_t count) const {
    const auto width = static_cast<size_t>(candidates_.width());
    return {points_.data() + first * width, count * width};
  }

  const Candidates& candidates_;
  AlignedFloats points_;
  std::vector<const float*> relations_;
  AlignedFloats distances_;
};

// Means over both sides of all triples.
struct RankScore {
  double mean_rank = 0;
  double mrr = 0;  // mean reciprocal rank
  double hits1 = 0, hits3 = 0, hits10 = 0;
};

struct LinkScores {
  RankScore raw;       // among all entities
  RankScore filtered;  // excluding those that form other known triples (Bordes et al. 2013)
};

// Ranks the true head and tail of every triple. Entities that tie have the mean of their ranks; one
// whose distance is NaN ranks last. `known`: the triples of all splits. `progress` may be null.
LinkScores rank_links(const KgModel& model, std::span<const Triple> triples,
                      const KnownTriples& known, int threads, Progress* progress = nullptr);

}  // namespace acevec
