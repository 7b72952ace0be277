#include "kernels/triples.h"

#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace acevec::HWY_NAMESPACE {

// u at k .. k + kLanes − 1.
HWY_INLINE Vector Difference(const Translation& rows, int64_t k) {
  const Vector plain =
      hn::Sub(hn::Add(Load(rows.head + k), Load(rows.relation + k)), Load(rows.tail + k));
  if (rows.direction == nullptr) return plain;
  return hn::MulAdd(hn::Set(kFloats, rows.move), Load(rows.direction + k), plain);
}

constexpr int64_t kMaskBytes = (kLanes + 7) / 8;  // of the bits of a vector's lanes

// The bits of one of a row's vectors: coordinates below 0, then coordinates that are not 0.
HWY_INLINE const uint8_t* BitsAt(const float* signs, int64_t k) {
  return reinterpret_cast<const uint8_t*>(signs) + k / kLanes * 2 * kMaskBytes;
}

// `x` with the sign of a coordinate.
HWY_INLINE Vector WithSign(const float* signs, int64_t k, Vector x) {
  const uint8_t* const bits = BitsAt(signs, k);
  const auto below = hn::LoadMaskBits(kFloats, bits);
  const auto not_zero = hn::LoadMaskBits(kFloats, bits + kMaskBytes);
  return hn::IfThenElseZero(not_zero, hn::IfThenElse(below, hn::Neg(x), x));
}

float TranslationLength(const Translation& rows, int64_t width, float* signs) {
  Vector sum = hn::Zero(kFloats);
  for (int64_t k = 0; k < width; k += kLanes) {
    const Vector u = Difference(rows, k);
    sum = hn::Add(sum, hn::Abs(u));
    if (signs == nullptr) continue;
    uint8_t* const bits = const_cast<uint8_t*>(BitsAt(signs, k));
    hn::StoreMaskBits(kFloats, hn::Lt(u, hn::Zero(kFloats)), bits);
    hn::StoreMaskBits(kFloats, hn::Ne(u, hn::Zero(kFloats)), bits + kMaskBytes);
  }
  return Sum(sum);
}

void AddSigns(const float* signs, float scale, int64_t width, float* out) {
  const Vector scales = hn::Set(kFloats, scale);
  for (int64_t k = 0; k < width; k += kLanes) Add(WithSign(signs, k, scales), out + k);
}

float SignProduct(const float* signs, const float* x, int64_t width) {
  Vector sum = hn::Zero(kFloats);
  for (int64_t k = 0; k < width; k += kLanes) {
    sum = hn::Add(sum, WithSign(signs, k, Load(x + k)));
  }
  return Sum(sum);
}

// 1 for real parts, −1 for imaginary ones.
HWY_INLINE Vector Signs() {
  return hn::OddEven(hn::Set(kFloats, -1.0F), hn::Set(kFloats, 1.0F));
}

HWY_INLINE Vector Conjugate(Vector a) {
  return hn::Mul(a, Signs());
}

HWY_INLINE Vector Multiply(Vector a, Vector b) {
  const Vector crossed = hn::Mul(hn::Reverse2(kFloats, a), hn::DupOdd(b));
  return hn::NegMulAdd(Signs(), crossed, hn::Mul(a, hn::DupEven(b)));
}

// |z|² in both lanes of each number.
HWY_INLINE Vector SquaredModuli(Vector z) {
  const Vector squares = hn::Mul(z, z);
  return hn::Add(squares, hn::Reverse2(kFloats, squares));
}

HWY_INLINE Vector InverseOrZero(Vector x) {
  const auto is_zero = hn::Eq(x, hn::Zero(kFloats));
  return hn::IfThenZeroElse(is_zero, hn::Div(hn::Set(kFloats, 1.0F), x));
}

HWY_INLINE Vector Units(Vector z) {
  return hn::Mul(z, InverseOrZero(hn::Sqrt(SquaredModuli(z))));
}

void AddComplexProducts(const float* a, const float* b, Factor factor, float scale, int64_t width,
                        float* out) {
  const Vector scales = hn::Set(kFloats, scale);
  for (int64_t k = 0; k < width; k += kLanes) {
    const Vector second = factor == Factor::kPlain ? Load(b + k) : Conjugate(Load(b + k));
    Add(hn::Mul(scales, Multiply(Load(a + k), second)), out + k);
  }
}

void AddRotated(const float* z, const float* relation, Factor factor, int64_t width, float* out) {
  for (int64_t k = 0; k < width; k += kLanes) {
    const Vector unit = Units(Load(relation + k));
    Add(Multiply(Load(z + k), factor == Factor::kPlain ? unit : Conjugate(unit)), out + k);
  }
}

float AddComplexCubes(const float* z, float scale, int64_t width, float* gradient) {
  const Vector slope = hn::Set(kFloats, 3 * scale);
  Vector sum = hn::Zero(kFloats);
  for (int64_t k = 0; k < width; k += kLanes) {
    const Vector value = Load(z + k);
    const Vector squares = SquaredModuli(value);
    const Vector moduli = hn::Sqrt(squares);
    sum = hn::MulAdd(squares, moduli, sum);
    Add(hn::Mul(slope, hn::Mul(moduli, value)), gradient + k);
  }
  return Sum(sum) / 2;
}

float RotationDistance(const TripleRows& rows, int64_t width, float* slopes) {
  const auto& [head, relation, tail] = rows;
  Vector sum = hn::Zero(kFloats);
  for (int64_t k = 0; k < width; k += kLanes) {
    const Vector rotation = Units(Load(relation + k));
    const Vector u = hn::Sub(Multiply(Load(head + k), rotation), Load(tail + k));
    const Vector moduli = hn::Sqrt(SquaredModuli(u));
    sum = hn::Add(sum, moduli);
    if (slopes == nullptr) continue;
    const Vector slope = hn::Mul(u, InverseOrZero(moduli));
    hn::Store(Multiply(slope, Conjugate(rotation)), kFloats, slopes + k);
    hn::Store(slope, kFloats, slopes + width + k);
  }
  return Sum(sum) / 2;  // each modulus is in two lanes
}

// Backpropagates from the rotation to r: only the tangential part of the gradient counts.
void AddRotationGradient(const float* head, const float* relation, const float* slopes, float scale,
                         int64_t width, float* gradient) {
  const Vector scales = hn::Set(kFloats, scale);
  for (int64_t k = 0; k < width; k += kLanes) {
    const Vector r = Load(relation + k);
    const Vector inverse = InverseOrZero(hn::Sqrt(SquaredModuli(r)));
    const Vector rotation = hn::Mul(r, inverse);
    const Vector rotation_slope = Multiply(Load(slopes + k), Conjugate(Load(head + k)));
    const Vector along = hn::Mul(rotation_slope, rotation);
    const Vector radial = hn::Add(along, hn::Reverse2(kFloats, along));
    const Vector slope = hn::Mul(inverse, hn::NegMulAdd(radial, rotation, rotation_slope));
    Add(hn::Mul(scales, slope), gradient + k);
  }
}

void L1Distances(const float* query, const float* direction, const Columns& points, int64_t first,
                 int64_t count, float* out) {
  const float* const columns = points.coordinate(0) + first;
  const float* const shifts = points.shifts() + first;
  if (direction == nullptr) {
    SumTerms(
        columns, points.stride(), points.size(), count,
        [query](Vector sum, Vector y, int64_t k, int64_t)
            HWY_ATTR { return hn::Add(sum, hn::Abs(hn::Sub(hn::Set(kFloats, query[k]), y))); },
        out);
    return;
  }
  SumTerms(
      columns, points.stride(), points.size(), count,
      [=](Vector sum, Vector y, int64_t k, int64_t j) HWY_ATTR {
        const Vector plain = hn::Sub(hn::Set(kFloats, query[k]), y);
        const Vector shift = hn::Load(kFloats, shifts + j);
        return hn::Add(sum, hn::Abs(hn::NegMulAdd(shift, hn::Set(kFloats, direction[k]), plain)));
      },
      out);
}

void ModulusDistances(const float* query, const Columns& points, int64_t first, int64_t count,
                      float* out) {
  for (int64_t j = 0; j < count; j += kLanes) {
    Vector sum = hn::Zero(kFloats);
    for (int64_t k = 0; k + 1 < points.size(); k += 2) {
      const Vector real =
          hn::Sub(hn::Set(kFloats, query[k]), hn::Load(kFloats, points.coordinate(k) + first + j));
      const Vector imaginary = hn::Sub(hn::Set(kFloats, query[k + 1]),
                                       hn::Load(kFloats, points.coordinate(k + 1) + first + j));
      sum = hn::Add(sum, hn::Sqrt(hn::MulAdd(imaginary, imaginary, hn::Mul(real, real))));
    }
    hn::StoreU(sum, kFloats, out + j);
  }
}

void DistancesOfProducts(float square, const float* squares, int64_t count, float* row,
                         float* inverses) {
  constexpr float kLeast = 1e-6F;
  for (int64_t j = 0; j < count; j += kLanes) {
    const int64_t left = count - j;
    const Vector sum = hn::Add(hn::Set(kFloats, square), LoadSome(squares + j, left, 0));
    const Vector squared = hn::NegMulAdd(hn::Set(kFloats, 2.0F), LoadSome(row + j, left, 0), sum);
    const Vector distance = hn::Sqrt(hn::Max(hn::Set(kFloats, kLeast), squared));
    StoreSome(distance, row + j, left);
    if (inverses == nullptr) continue;
    StoreSome(hn::Div(hn::Set(kFloats, 1.0F), distance), inverses + j, left);
  }
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace acevec {

ACEVEC_KERNEL(translation_length, TranslationLength);
ACEVEC_KERNEL(add_signs, AddSigns);
ACEVEC_KERNEL(sign_product, SignProduct);
ACEVEC_KERNEL(add_complex_products, AddComplexProducts);
ACEVEC_KERNEL(add_rotated, AddRotated);
ACEVEC_KERNEL(add_complex_cubes, AddComplexCubes);
ACEVEC_KERNEL(rotation_distance, RotationDistance);
ACEVEC_KERNEL(add_rotation_gradient, AddRotationGradient);
ACEVEC_KERNEL(l1_distances, L1Distances);
ACEVEC_KERNEL(modulus_distances, ModulusDistances);
ACEVEC_KERNEL(distances_of_products, DistancesOfProducts);

}  // namespace acevec
#endif  // HWY_ONCE
