// Questions of a model, and all entities as their answers, many of both at once; link prediction by
// the ranks of the true ones.
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

// All entities of a model, which must outlive them: for a ProductScore its rows, of which matrix
// products are made; for other scores their coordinates side by side.
class Candidates {
 public:
  static constexpr int64_t kPerBlock = 512;  // looked at: what they need stays in the caches

  explicit Candidates(const KgModel& model);

  const KgModel& model() const { return model_; }
  int64_t count() const { return model_.entities.rows(); }

  // Floats of a point.
  int64_t width() const { return padded(model_.score->size()); }

  // out[i · kPerBlock + j]: the distance of point i, which has its relation, to entity first + j,
  // j < count ≤ kPerBlock; `first` is a multiple of kRowPadding. Of a point and an entity it does
  // not depend on how many others are asked for, so that an entity ties with itself.
  void distances(std::span<const float> points, std::span<const float* const> relations,
                 int64_t first, int64_t count, float* out) const;

 private:
  void score_last(std::span<const float> points, int64_t asked, int64_t end, int64_t count,
                  float* out) const;

  bool is_euclidean() const { return products_ != nullptr && products_->is_euclidean(); }

  const KgModel& model_;
  // The model's score is one of these; the other is null.
  const ProductScore* products_;
  const PairScore* pairs_;
  std::vector<float> squares_;  // |t|² of entities, for Euclidean distances
  std::optional<Columns> columns_;
};

// Those of increasing ids that are first .. first + count − 1.
std::span<const int32_t> ids_within(std::span<const int32_t> ids, int64_t first, int64_t count);

// Some questions that are asked together.
class AskedTogether {
 public:
  static constexpr int64_t kMost = 64;

  explicit AskedTogether(const Candidates& candidates)
      : candidates_(candidates),
        points_(kMost * candidates.width()),
        distances_(kMost * Candidates::kPerBlock) {}

  void clear() { relations_.clear(); }

  // One more, at most kMost: which entities stand at `side` of the triple.
  void add(Side side, const Triple& triple) {
    float* const point = points_.data() + std::ssize(relations_) * candidates_.width();
    relations_.push_back(candidates_.model().ask(side, triple, point));
  }

  // The distance of an entity to question i. distances() are then no longer there.
  float distance(size_t i, int32_t entity);

  // Calls use(first, count) for all entities, kPerBlock at a time, of which distances() are then
  // there.
  template <class Use>
  void look(const Use& use) {
    for (int64_t first = 0; first < candidates_.count(); first += Candidates::kPerBlock) {
      const int64_t count = std::min(Candidates::kPerBlock, candidates_.count() - first);
      candidates_.distances(points(0, relations_.size()), relations_, first, count,
                            distances_.data());
      use(first, count);
    }
  }

  // The distances of question i; the caller may change them.
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
  RankScore filtered;  // among those that make no other known triple (Bordes et al. 2013)
};

// Asks for the head and for the tail of every triple. A true one that ties with others stands at
// the mean of the places that they share. `known`: the triples of all splits. A distance that is
// not a number ranks last. `progress` is shown how far it is; it may be null.
LinkScores rank_links(const KgModel& model, std::span<const Triple> triples,
                      const KnownTriples& known, int threads, Progress* progress = nullptr);

}  // namespace acevec
