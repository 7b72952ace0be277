#include "tasks/kg/score.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "kernels/products.h"

namespace acevec {
namespace {

// 1 for tails and −1 for heads, for which the relation is inverted.
float sign_of(Side side) {
  return side == Side::kTail ? 1.0F : -1.0F;
}

// product = number · (real + i · imaginary), of complex numbers.
void multiply(const float* number, float real, float imaginary, float* product) {
  product[0] = number[0] * real - number[1] * imaginary;
  product[1] = number[0] * imaginary + number[1] * real;
}

// |h r − t| = |h − t r̄| for numbers r of modulus 1; the point is h r or t r̄.
void rotate(Side side, const float* kept, const float* relation, int64_t size, float* point) {
  for (int64_t k = 0; k < size; k += 2) {
    const float modulus = std::sqrt(relation[k] * relation[k] + relation[k + 1] * relation[k + 1]);
    const float inverse = modulus > 0 ? 1 / modulus : 0;
    multiply(kept + k, inverse * relation[k], sign_of(side) * inverse * relation[k + 1], point + k);
  }
}

// Translates by the relation: h + r, or t − r.
void translate(Side side, const float* kept, const float* relation, int64_t size, float* point) {
  for (int64_t k = 0; k < size; ++k) point[k] = kept[k] + sign_of(side) * relation[k];
}

// Bordes et al. 2013: s = Σ |h + r − t|; a relation is a translation from head to tail.
struct TransE : PairScore {
  using PairScore::PairScore;

  float distance_and_slopes(const TripleRows& rows, float* slopes) const override {
    return translation_length({rows, nullptr, 0}, padded(size()), slopes);
  }
  int64_t slope_width() const override { return padded(sign_floats(padded(size()))); }

  void add_gradient(Part part, const TripleRows& /*rows*/, const float* slopes, float scale,
                    float* gradient) const override {
    add_signs(slopes, part == Part::kTail ? -scale : scale, padded(size()), gradient);
  }

  void query_point(Side side, const float* kept, const float* relation, float* point) const final {
    project(kept, relation, point);
    translate(side, point, relation, size(), point);
  }

  void distances(const float* point, const float* /*relation*/, const Columns& candidates,
                 int64_t first, int64_t count, float* out) const override {
    l1_distances(point, nullptr, candidates, first, count, out);
  }
};

// Ji et al. 2015; Eq. 13 of ace-2018: s = Σ |h⊥ + r − t⊥| with h⊥ = h + r_p (h_pᵀ h), and likewise
// t⊥: before the translation each relation moves an entity along a direction r_p of its own, by an
// amount that depends on the entity. Rows: the vector, then from padded(size()) on h_p or r_p.
struct TransD final : TransE {
  using TransE::TransE;

  int64_t width() const override { return 2 * padded(size()); }

  float shift(const float* entity) const override {
    return row_product(entity, entity + padded(size()), padded(size()));
  }

  // The slopes are the signs of u = h⊥ + r − t⊥, then ∂s/∂(h_pᵀ h), then h_pᵀ h − t_pᵀ t.
  float distance_and_slopes(const TripleRows& rows, float* slopes) const override {
    const int64_t half = padded(size());
    const float* const direction = rows.relation + half;
    const float move = shift(rows.head) - shift(rows.tail);
    const float distance = translation_length({rows, direction, move}, half, slopes);
    if (slopes != nullptr) {
      slopes[sign_floats(half)] = sign_product(slopes, direction, half);
      slopes[sign_floats(half) + 1] = move;
    }
    return distance;
  }
  int64_t slope_width() const override { return padded(sign_floats(padded(size())) + 2); }

  void add_gradient(Part part, const TripleRows& rows, const float* slopes, float scale,
                    float* gradient) const override {
    const int64_t half = padded(size());
    const float by_shift = scale * slopes[sign_floats(half)];
    const float move = slopes[sign_floats(half) + 1];
    TransE::add_gradient(part, rows, slopes, scale, gradient);
    if (part == Part::kRelation) return add_signs(slopes, scale * move, half, gradient + half);
    const float* const entity = part == Part::kHead ? rows.head : rows.tail;
    const float by = part == Part::kHead ? by_shift : -by_shift;
    add_scaled(entity + half, by, half, gradient);
    add_scaled(entity, by, half, gradient + half);
  }

  void project(const float* kept, const float* relation, float* projected) const override {
    const float* const direction = relation + padded(size());
    const float move = shift(kept);
    for (int64_t k = 0; k < size(); ++k) projected[k] = kept[k] + move * direction[k];
  }

  void distances(const float* point, const float* relation, const Columns& candidates,
                 int64_t first, int64_t count, float* out) const override {
    l1_distances(point, relation + padded(size()), candidates, first, count, out);
  }
};

// Sun et al. 2019: s = Σ |h r − t| over complex numbers; a relation rotates each of them by its own
// angle. A relation's row has numbers of any nonzero modulus, of which only the angle counts:
// training needs no sines, and rows are optimized and written like all others.
struct RotatE final : PairScore {
  using PairScore::PairScore;

  float distance_and_slopes(const TripleRows& rows, float* slopes) const override {
    return rotation_distance(rows, padded(size()), slopes);
  }
  int64_t slope_width() const override { return 2 * padded(size()); }

  void add_gradient(Part part, const TripleRows& rows, const float* slopes, float scale,
                    float* gradient) const override {
    const int64_t width = padded(size());
    switch (part) {
      case Part::kHead:
        return add_scaled(slopes, scale, width, gradient);
      case Part::kRelation:
        return add_rotation_gradient(rows.head, rows.relation, slopes + width, scale, width,
                                     gradient);
      case Part::kTail:
        return add_scaled(slopes + width, -scale, width, gradient);
    }
  }

  void query_point(Side side, const float* kept, const float* relation,
                   float* point) const override {
    rotate(side, kept, relation, size(), point);
  }

  void distances(const float* point, const float* /*relation*/, const Columns& candidates,
                 int64_t first, int64_t count, float* out) const override {
    modulus_distances(point, candidates, first, count, out);
  }
};

// Yang et al. 2015: s = −Σ_k h_k r_k t_k, symmetric in head and tail.
struct DistMult final : ProductScore {
  using ProductScore::ProductScore;

  void query_point(Side /*side*/, const float* kept, const float* relation,
                   float* point) const override {
    for (int64_t k = 0; k < size(); ++k) point[k] = kept[k] * relation[k];
  }

  void add_point_gradient(Side /*side*/, const float* kept, const float* relation,
                          const float* point_gradient, float* kept_gradient,
                          float* relation_gradient) const override {
    const auto add = [&](const float* factor, float* gradient) {
      for (int64_t k = 0; gradient != nullptr && k < padded(size()); ++k) {
        gradient[k] += point_gradient[k] * factor[k];
      }
    };
    add(relation, kept_gradient);
    add(kept, relation_gradient);
  }
};

// Trouillon et al. 2016: s = −Re Σ h r t̄ over complex numbers, so that, unlike in DistMult, a
// relation need not be symmetric.
struct ComplEx final : ProductScore {
  using ProductScore::ProductScore;

  // h r, or t r̄.
  void query_point(Side side, const float* kept, const float* relation,
                   float* point) const override {
    for (int64_t k = 0; k < size(); k += 2) {
      multiply(kept + k, relation[k], sign_of(side) * relation[k + 1], point + k);
    }
  }

  void add_point_gradient(Side side, const float* kept, const float* relation,
                          const float* point_gradient, float* kept_gradient,
                          float* relation_gradient) const override {
    const int64_t width = padded(size());
    const bool tail = side == Side::kTail;
    if (kept_gradient != nullptr) {
      add_complex_products(point_gradient, relation, tail ? Factor::kConjugate : Factor::kPlain, 1,
                           width, kept_gradient);
    }
    if (relation_gradient != nullptr) {
      add_complex_products(tail ? point_gradient : kept, tail ? kept : point_gradient,
                           Factor::kConjugate, 1, width, relation_gradient);
    }
  }

  float add_n3(const float* vector, float scale, float* gradient) const override {
    return add_complex_cubes(vector, scale, padded(size()), gradient);
  }
};

// TransE with s = ‖h + r − t‖.
struct EuclideanTransE final : ProductScore {
  using ProductScore::ProductScore;

  bool is_euclidean() const override { return true; }

  void query_point(Side side, const float* kept, const float* relation,
                   float* point) const override {
    translate(side, kept, relation, size(), point);
  }

  void add_point_gradient(Side side, const float* /*kept*/, const float* /*relation*/,
                          const float* point_gradient, float* kept_gradient,
                          float* relation_gradient) const override {
    const auto add = [&](float scale, float* gradient) {
      if (gradient != nullptr) add_scaled(point_gradient, scale, padded(size()), gradient);
    };
    add(1, kept_gradient);
    add(sign_of(side), relation_gradient);
  }
};

// RotatE with s = ‖h r − t‖.
struct EuclideanRotatE final : ProductScore {
  using ProductScore::ProductScore;

  bool is_euclidean() const override { return true; }

  void query_point(Side side, const float* kept, const float* relation,
                   float* point) const override {
    rotate(side, kept, relation, size(), point);
  }

  void add_point_gradient(Side side, const float* kept, const float* relation,
                          const float* point_gradient, float* kept_gradient,
                          float* relation_gradient) const override {
    const int64_t width = padded(size());
    const bool tail = side == Side::kTail;
    if (kept_gradient != nullptr) {
      add_rotated(point_gradient, relation, tail ? Factor::kConjugate : Factor::kPlain, width,
                  kept_gradient);
    }
    if (relation_gradient != nullptr) {
      add_rotation_gradient(tail ? kept : point_gradient, relation, tail ? point_gradient : kept, 1,
                            width, relation_gradient);
    }
  }
};

template <class Made>
std::unique_ptr<Score> make(int64_t size) {
  return std::make_unique<Made>(size);
}

// Same order as the enum.
constexpr ScoreTraits kTraits[] = {
    {"transd", false, true, std::nullopt, make<TransD>},
    {"transe", false, true, ScoreKind::kEuclideanTransE, make<TransE>},
    {"distmult", false, false, ScoreKind::kDistMult, make<DistMult>},
    {"complex", true, false, ScoreKind::kComplEx, make<ComplEx>},
    {"rotate", true, true, ScoreKind::kEuclideanRotatE, make<RotatE>},
    {"transe", false, false, ScoreKind::kEuclideanTransE, make<EuclideanTransE>},
    {"rotate", true, false, ScoreKind::kEuclideanRotatE, make<EuclideanRotatE>},
};
static_assert(std::size(kTraits) == std::size(kScoreKinds));

}  // namespace

void PairScore::project(const float* kept, const float* /*relation*/, float* projected) const {
  std::copy_n(kept, size(), projected);
}

float ProductScore::distance(const float* head, const float* relation, const float* tail) const {
  AlignedFloats point(padded(size()));
  query_point(Side::kTail, head, relation, point.data());
  float result = row_product(point.data(), tail, padded(size()));
  if (!is_euclidean()) return -result;
  const float tail_square = square(tail);
  distances_of_products(square(point.data()), &tail_square, 1, &result, nullptr);
  return result;
}

float ProductScore::square(const float* entity) const {
  return row_product(entity, entity, padded(size()));
}

float ProductScore::add_n3(const float* vector, float scale, float* gradient) const {
  float sum = 0;
  for (int64_t k = 0; k < size(); ++k) {
    const float modulus = std::abs(vector[k]);
    sum += modulus * modulus * modulus;
    gradient[k] += 3 * scale * modulus * vector[k];
  }
  return sum;
}

const ScoreTraits& traits_of(ScoreKind kind) {
  return kTraits[static_cast<size_t>(kind)];
}

}  // namespace acevec
