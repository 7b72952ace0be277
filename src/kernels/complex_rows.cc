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
  return Sum(sum) / 2;  // each of them is in two lanes
}

// From the slope by the rotation to that by what made it: only what turns it counts.
void AddRotationGradient(const float* head, const float* relation, const float* slopes, float scale,
                         int64_t width, float* gradient) {
  const Vector scales = hn::Set(kFloats, scale);
  for (int64_t k = 0; k < width; k += kLanes) {
    const Vector r = Load(relation + k);
    const Vector inverse = InverseOrZero(hn::Sqrt(SquaredModuli(r)));
    const Vector rotation = hn::Mul(r, inverse);
    const Vector turn = Multiply(Load(slopes + k), Conjugate(Load(head + k)));
    const Vector along = hn::Mul(turn, rotation);
    const Vector radial = hn::Add(along, hn::Reverse2(kFloats, along));
    const Vector slope = hn::Mul(inverse, hn::NegMulAdd(radial, rotation, turn));
    Add(hn::Mul(scales, slope), gradient + k);
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
