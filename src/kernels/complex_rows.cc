#include "kernels/complex_rows.h"

#include "kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace acevec::HWY_NAMESPACE {

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

float ComplexTripleProduct(const float* head, const float* relation, const float* tail,
                           int64_t width) {
  Vector sum = hn::Zero(kFloats);
  for (int64_t k = 0; k < width; k += kLanes) {
    sum = hn::MulAdd(Multiply(Load(head + k), Load(relation + k)), Load(tail + k), sum);
  }
  return Sum(sum);
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

float RotationDistance(const float* head, const float* relation, const float* tail, int64_t width) {
  Vector sum = hn::Zero(kFloats);
  for (int64_t k = 0; k < width; k += kLanes) {
    const Vector u = hn::Sub(Multiply(Load(head + k), Units(Load(relation + k))), Load(tail + k));
    sum = hn::Add(sum, hn::Sqrt(SquaredModuli(u)));
  }
  return Sum(sum) / 2;  // each of them is in two lanes
}

void AddRotationGradient(const TripleRows& rows, int64_t width, float scale,
                         const TripleGradients& gradients) {
  const auto& [head, relation, tail] = rows;
  const Vector scales = hn::Set(kFloats, scale);
  for (int64_t k = 0; k < width; k += kLanes) {
    const Vector h = Load(head + k);
    const Vector r = Load(relation + k);
    const Vector inverse = InverseOrZero(hn::Sqrt(SquaredModuli(r)));
    const Vector rotation = hn::Mul(r, inverse);
    const Vector u = hn::Sub(Multiply(h, rotation), Load(tail + k));
    const Vector slope = hn::Mul(scales, Units(u));
    Add(Multiply(slope, Conjugate(rotation)), gradients.head + k);
    Add(hn::Neg(slope), gradients.tail + k);
    // Of the rotation, then of what made it: only what turns it counts.
    const Vector turn = Multiply(slope, Conjugate(h));
    const Vector along = hn::Mul(turn, rotation);
    const Vector radial = hn::Add(along, hn::Reverse2(kFloats, along));
    Add(hn::Mul(inverse, hn::NegMulAdd(radial, rotation, turn)), gradients.relation + k);
  }
}

}  // namespace acevec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace acevec {

ACEVEC_KERNEL(add_complex_products, AddComplexProducts);
ACEVEC_KERNEL(complex_triple_product, ComplexTripleProduct);
ACEVEC_KERNEL(add_complex_cubes, AddComplexCubes);
ACEVEC_KERNEL(rotation_distance, RotationDistance);
ACEVEC_KERNEL(add_rotation_gradient, AddRotationGradient);

}  // namespace acevec
#endif  // HWY_ONCE
