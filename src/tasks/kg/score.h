// The distance of a triple from truth, by vectors of head, relation and tail; formulas: score.cc.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "kernels/triples.h"
#include "tasks/kg/triples.h"

namespace acevec {

// Rows of entities and relations are those of a Matrix. The first size() floats are the vector;
// those from padded(size()) on belong to the score. Padding is always 0.
class Score {
 public:
  explicit Score(int64_t size) : size_(size) {}
  virtual ~Score() = default;

  int64_t size() const { return size_; }
  virtual int64_t width() const { return padded(size_); }  // floats in a row

  // s(h, r, t) (Eq. 13 of ace-2018): small for true triples; it may be negative.
  virtual float distance(const float* head, const float* relation, const float* tail) const = 0;

  // Maps a triple without the entity at `side` to a point of size() floats that is near to the
  // entities that complete it. `kept`: the entity at the other side.
  virtual void query_point(Side side, const float* kept, const float* relation,
                           float* point) const = 0;

 private:
  int64_t size_;
};

// A sum of absolute values, trained with the losses of pairs of triples.
class PairScore : public Score {
 public:
  using Score::Score;

  float distance(const float* head, const float* relation, const float* tail) const override {
    return distance_and_slopes({head, relation, tail}, nullptr);
  }

  // The distance. `slopes`, unless null: what gradients need besides rows, slope_width() floats.
  virtual float distance_and_slopes(const TripleRows& rows, float* slopes) const = 0;
  virtual int64_t slope_width() const = 0;

  // Adds scale · ∂s/∂h to the head's gradient, or the same for another part.
  virtual void add_gradient(Part part, const TripleRows& rows, const float* slopes, float scale,
                            float* gradient) const = 0;

  // An entity projected by the relation; it and the point are the generator's features (ace-2018).
  virtual void project(const float* kept, const float* relation, float* projected) const;

  // An entity's shift in the columns that distances() reads (kernels/triples.h).
  virtual float shift(const float* /*entity*/) const { return 0; }

  // The distances of candidates from the point of query_point(): out[j] for candidate first + j,
  // j < count; `first` is a multiple of kRowPadding, `out` has padded(count) floats.
  virtual void distances(const float* point, const float* relation, const Columns& candidates,
                         int64_t first, int64_t count, float* out) const = 0;
};

// The score is a function of the product q · t of a point q, made of the kept entity and the
// relation, and the predicted entity t: −q · t, or ‖q − t‖ = √(|q|² + |t|² − 2 q · t). All entities
// are then scored by one matrix product, and so are the gradients.
class ProductScore : public Score {
 public:
  using Score::Score;

  virtual bool is_euclidean() const { return false; }

  float distance(const float* head, const float* relation, const float* tail) const override;

  float square(const float* entity) const;  // |t|²

  // Backpropagates the gradient of the point of query_point(), padded(size()) floats, adding to the
  // gradients of the kept entity and the relation; either may be null.
  virtual void add_point_gradient(Side side, const float* kept, const float* relation,
                                  const float* point_gradient, float* kept_gradient,
                                  float* relation_gradient) const = 0;

  // Returns Σ |x|³ over a vector's numbers, the N3 penalty of products (Lacroix et al. 2018), and
  // adds scale · its derivative to `gradient`.
  virtual float add_n3(const float* vector, float scale, float* gradient) const;
};

// The values are stored in models. Euclidean kinds are those of the same name for the softmax.
enum class ScoreKind {
  kTransD,
  kTransE,
  kDistMult,
  kComplEx,
  kRotatE,
  kEuclideanTransE,
  kEuclideanRotatE,
};
inline constexpr ScoreKind kScoreKinds[] = {ScoreKind::kTransD,         ScoreKind::kTransE,
                                            ScoreKind::kDistMult,       ScoreKind::kComplEx,
                                            ScoreKind::kRotatE,         ScoreKind::kEuclideanTransE,
                                            ScoreKind::kEuclideanRotatE};

struct ScoreTraits {
  const char* name;                      // for options and messages
  bool is_complex;                       // vectors are of complex numbers; their size is even
  bool learns_pairs;                     // trained by the losses of pairs, not by the softmax
  std::optional<ScoreKind> for_softmax;  // its softmax score of the same name; TransD has none
  std::unique_ptr<Score> (*make)(int64_t size);
};
const ScoreTraits& traits_of(ScoreKind kind);

}  // namespace acevec
