// Rows of complex numbers against std::complex, for every instruction set. Gradients are held
// against finite differences in tests/tasks/kg/score_test.cc.

#include "kernels/complex_rows.h"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <vector>

#include "base/random.h"
#include "instruction_sets.h"

namespace acevec {
namespace {

using Complex = std::complex<float>;
using ComplexRow = std::vector<Complex>;

constexpr size_t kComplex = 24;  // as many complex numbers
constexpr int64_t kReals = 2 * kComplex;

ComplexRow random_row(Random& random) {
  ComplexRow row(kComplex);
  for (Complex& z : row) z = {random.uniform() - 0.5F, random.uniform() - 0.5F};
  return row;
}

const float* floats(const ComplexRow& row) {
  return reinterpret_cast<const float*>(row.data());
}
float* floats(ComplexRow& row) {
  return reinterpret_cast<float*>(row.data());
}

}  // namespace

TEST_CASE("products of complex rows are those of their numbers") {
  for_each_instruction_set([] {
    Random random(1);
    const ComplexRow a = random_row(random), b = random_row(random), c = random_row(random);
    ComplexRow plain = c, conjugate = c;
    add_complex_products(floats(a), floats(b), Factor::kPlain, 0.5F, kReals, floats(plain));
    add_complex_products(floats(a), floats(b), Factor::kConjugate, 0.5F, kReals, floats(conjugate));
    Complex triple = 0;
    for (size_t k = 0; k < kComplex; ++k) {
      CHECK(std::abs(plain[k] - (c[k] + 0.5F * a[k] * b[k])) < 1e-6F);
      CHECK(std::abs(conjugate[k] - (c[k] + 0.5F * a[k] * std::conj(b[k]))) < 1e-6F);
      triple += a[k] * b[k] * std::conj(c[k]);
    }
    CHECK(complex_triple_product(floats(a), floats(b), floats(c), kReals) ==
          doctest::Approx(triple.real()).epsilon(1e-5));
  });
}

TEST_CASE("moduli are cubed, and rows turned by the directions of others") {
  for_each_instruction_set([] {
    Random random(2);
    const ComplexRow h = random_row(random), t = random_row(random);
    ComplexRow r = random_row(random);
    r[3] = 0;  // has no direction: taken for 0
    ComplexRow slopes(kComplex);
    const float cubes = add_complex_cubes(floats(h), 2, kReals, floats(slopes));
    float wanted_cubes = 0;
    float wanted_distance = 0;
    for (size_t k = 0; k < kComplex; ++k) {
      wanted_cubes += std::pow(std::abs(h[k]), 3.0F);
      CHECK(std::abs(slopes[k] - 6 * std::abs(h[k]) * h[k]) < 1e-5F);
      const Complex direction = r[k] == Complex(0) ? Complex(0) : r[k] / std::abs(r[k]);
      wanted_distance += std::abs(h[k] * direction - t[k]);
    }
    CHECK(cubes == doctest::Approx(wanted_cubes).epsilon(1e-5));
    CHECK(rotation_distance({floats(h), floats(r), floats(t)}, kReals, nullptr) ==
          doctest::Approx(wanted_distance).epsilon(1e-5));
  });
}

}  // namespace acevec
