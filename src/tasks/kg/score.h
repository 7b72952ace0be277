// How far a triple is from true, by the vectors of its head, relation and tail. The formula of each
// score is in score.cc.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "kernels/triples.h"
#include "tasks/kg/triples.h"

namespace acevec {

// Rows of entities and relations are those of a Matrix. Their first size() floats are the vector;
// those behind padded(size()) are the score's own. Padding is 0 and stays so.
class Score {
 public:
  explicit Score(int64_t size) : size_(size) {}
  virtual ~Score() = default;
  Score(const Score&) = delete;
  Score& operator=(const Score&) = delete;

  int64_t size() const { return size_; }
  virtual int64_t width() const { return padded(size_); }  // floats in a row of either

  // s(h, r, t) (Eq. 13 of ace-2018): small for true triples; it may be negative.
  virtual float distance(const float* head, const float* relation, const float* tail) const = 0;

  // A triple without the entity at `side`, as a point to which those that complete it are near,
  // size() floats; `kept`: the entity at the other side.
  virtual void ask(Side side, const float* kept, const float* relation, float* point) const = 0;

 private:
  int64_t size_;
};

// A sum of absolute values, which the losses of pairs of triples learn.
class PairScore : public Score {
 public:
  using Score::Score;

  float distance(const float* head, const float* relation, const float* tail) const override {
    return distance_and_slopes({head, relation, tail}, nullptr);
  }

  // The same, and in `slopes`, unless it is null, what the gradients need beside the rows:
  // slope_width() floats.
  virtual float distance_and_slopes(const TripleRows& rows, float* slopes) const = 0;
  virtual int64_t slope_width() const = 0;

  // Adds scale · ∂s/∂h to the gradient of the head, and so on.
  virtual void add_gradient(Part part, const TripleRows& rows, const float* slopes, float scale,
                            float* gradient) const = 0;

  // An entity as the relation sees it, size() floats. It and the point are the generator's features
  // (ace-2018, section 4.3).
  virtual void project(const float* kept, const float* relation, float* projected) const;

  // An entity's shift in the columns that distances() reads (kernels/triples.h).
  virtual float shift(const float* /*entity*/) const { return 0; }

  // The distances of the triples that candidates make with what was asked: out[j] for candidate
  // first + j, j < count; `first` is a multiple of kRowPadding, `out` has padded(count) floats.
  virtual void distances(const float* point, const float* relation, const Columns& candidates,
                         int64_t first, int64_t count, float* out) const = 0;
};

// The score follows from the product of a point q, which the kept entity and the relation make,
// with the entity t that is asked for: it is −q · t, or ‖q − t‖ = √(|q|² + |t|² − 2 q · t). All
// entities at once are then a matrix product, and so are the gradients.
class ProductScore : public Score {
 public:
  using Score::Score;

  virtual bool is_euclidean() const { return false; }

  float distance(const float* head, const float* relation, const float* tail) const override;

  // |t|² of an entity.
  float square(const float* entity) const;

  // From the gradient of the point that ask() makes, padded(size()) floats, to those of what it is
  // made of, to which they are added; either may be null.
  virtual void add_point_gradient(Side side, const float* kept, const float* relation,
                                  const float* point_gradient, float* kept_gradient,
                                  float* relation_gradient) const = 0;

  // Returns Σ |x|³ over a vector's numbers, the N3 penalty of products (Lacroix et al. 2018), and
  // adds scale · its slope to `gradient`.
  virtual float add_n3(const float* vector, float scale, float* gradient) const;
};

// Models hold their numbers. The Euclidean ones are the scores of the same name for the softmax.
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
  bool is_complex;                       // its vectors are complex numbers: then their size is even
  bool learns_pairs;                     // by the losses of pairs, and not by the softmax
  std::optional<ScoreKind> for_softmax;  // the score of the same name for it; none of TransD
  std::unique_ptr<Score> (*make)(int64_t size);
};
const ScoreTraits& traits_of(ScoreKind kind);

}  // namespace acevec
