// The length of a translation and its slopes against plain loops, for every instruction set.
// Rows of complex numbers against std::complex, for every instruction set. Gradients are held
// against finite differences in tests/tasks/kg/score_test.cc.
// Distances to columns of points, for every instruction set, against plain loops in double.

#include "kernels/triples.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>
#include <vector>

#include "base/random.h"
#include "instruction_sets.h"

namespace acevec {
namespace {

constexpr size_t kTranslated = 48;

std::vector<float> random_vector(Random& random) {
  std::vector<float> row(kTranslated);
  for (float& x : row) x = random.uniform() - 0.5F;
  return row;
}

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

using Point = std::vector<float>;

Point random_point(int64_t size, Random& random) {
  Point point(static_cast<size_t>(size));
  for (float& value : point) value = 2 * random.uniform() - 1;
  return point;
}

// What the kernels compute, of one point.
struct Sums {
  double l1 = 0, product = 0, moduli = 0;
};

Sums sums_of(const Point& query, const Point& direction, const Point& point, float shift) {
  Sums sums;
  for (size_t k = 0; k < query.size(); ++k) {
    const double difference =
        double{query[k]} - double{point[k]} - double{shift} * double{direction[k]};
    sums.l1 += std::abs(difference);
    sums.product += double{query[k]} * double{point[k]};
    if (k % 2 == 1) {
      sums.moduli += std::hypot(difference, double{query[k - 1]} - double{point[k - 1]});
    }
  }
  return sums;
}

}  // namespace

TEST_CASE("a translation's length and signs are those of |h + r - t + m p|") {
  for_each_instruction_set([] {
    for (const bool directed : {false, true}) {
      CAPTURE(directed);
      Random random(1);
      const std::vector<float> head = random_vector(random), relation = random_vector(random);
      const std::vector<float> tail = random_vector(random), direction = random_vector(random);
      constexpr float kMove = 0.75F;
      const Translation rows{{head.data(), relation.data(), tail.data()},
                             directed ? direction.data() : nullptr,
                             kMove};
      AlignedFloats signs(sign_floats(kTranslated));
      const float found = translation_length(rows, kTranslated, signs.data());
      AlignedFloats sum(kTranslated);
      add_signs(signs.data(), 0.5F, kTranslated, sum.data());
      add_signs(signs.data(), -2, kTranslated, sum.data());
      double length = 0, along = 0;
      for (size_t k = 0; k < kTranslated; ++k) {
        const float u = head[k] + relation[k] - tail[k] + (directed ? kMove * direction[k] : 0);
        const float sign = u > 0 ? 1.0F : -1.0F;
        length += std::abs(double{u});
        along += double{sign * direction[k]};
        CHECK(sum.data()[k] == -1.5F * sign);
      }
      CHECK(found == doctest::Approx(length).epsilon(1e-5));
      CHECK(translation_length(rows, kTranslated, nullptr) == found);
      CHECK(sign_product(signs.data(), direction.data(), kTranslated) ==
            doctest::Approx(along).epsilon(1e-5));
    }
    const std::vector<float> zeros(kTranslated);
    AlignedFloats signs(sign_floats(kTranslated)), sum(kTranslated);
    translation_length({{zeros.data(), zeros.data(), zeros.data()}, nullptr, 0}, kTranslated,
                       signs.data());
    add_signs(signs.data(), 1, kTranslated, sum.data());
    CHECK(
        std::equal(zeros.begin(), zeros.end(), sum.data()));  // where there is no slope, 0 is taken
  });
}

TEST_CASE("products of complex rows are those of their numbers") {
  for_each_instruction_set([] {
    Random random(1);
    const ComplexRow a = random_row(random), b = random_row(random), c = random_row(random);
    ComplexRow plain = c, conjugate = c;
    add_complex_products(floats(a), floats(b), Factor::kPlain, 0.5F, kReals, floats(plain));
    add_complex_products(floats(a), floats(b), Factor::kConjugate, 0.5F, kReals, floats(conjugate));
    for (size_t k = 0; k < kComplex; ++k) {
      CHECK(std::abs(plain[k] - (c[k] + 0.5F * a[k] * b[k])) < 1e-6F);
      CHECK(std::abs(conjugate[k] - (c[k] + 0.5F * a[k] * std::conj(b[k]))) < 1e-6F);
    }
  });
}

TEST_CASE("moduli are cubed, and rows rotated by the directions of others") {
  for_each_instruction_set([] {
    Random random(2);
    const ComplexRow h = random_row(random), t = random_row(random);
    ComplexRow r = random_row(random);
    r[3] = 0;  // has no direction: taken for 0
    ComplexRow slopes(kComplex), rotated(kComplex), back(kComplex);
    add_rotated(floats(h), floats(r), Factor::kPlain, kReals, floats(rotated));
    add_rotated(floats(h), floats(r), Factor::kConjugate, kReals, floats(back));
    const float cubes = add_complex_cubes(floats(h), 2, kReals, floats(slopes));
    float wanted_cubes = 0;
    float wanted_distance = 0;
    for (size_t k = 0; k < kComplex; ++k) {
      wanted_cubes += std::pow(std::abs(h[k]), 3.0F);
      CHECK(std::abs(slopes[k] - 6 * std::abs(h[k]) * h[k]) < 1e-5F);
      const Complex direction = r[k] == Complex(0) ? Complex(0) : r[k] / std::abs(r[k]);
      wanted_distance += std::abs(h[k] * direction - t[k]);
      CHECK(std::abs(rotated[k] - h[k] * direction) < 1e-6F);
      CHECK(std::abs(back[k] - h[k] * std::conj(direction)) < 1e-6F);
    }
    CHECK(cubes == doctest::Approx(wanted_cubes).epsilon(1e-5));
    CHECK(rotation_distance({floats(h), floats(r), floats(t)}, kReals, nullptr) ==
          doctest::Approx(wanted_distance).epsilon(1e-5));
  });
}

TEST_CASE("Euclidean distances follow from products and squares") {
  for_each_instruction_set([] {
    Random random(4);
    for (const int64_t count : {1, 15, 16, 17, 65}) {
      constexpr int64_t kSize = 9;
      const Point query = random_point(kSize, random);
      std::vector<float> row, squares, wanted;
      for (int64_t j = 0; j < count; ++j) {
        const Point point = j == 3 ? query : random_point(kSize, random);
        const auto product = [](const Point& a, const Point& b) {
          return std::inner_product(a.begin(), a.begin() + kSize, b.begin(), 0.0F);
        };
        double square = 0;
        for (size_t k = 0; k < kSize; ++k) square += std::pow(double{query[k]} - point[k], 2);
        row.push_back(product(query, point));
        squares.push_back(product(point, point));
        wanted.push_back(static_cast<float>(std::sqrt(square)));
      }
      const float square =
          std::inner_product(query.begin(), query.begin() + kSize, query.begin(), 0.0F);
      std::vector<float> inverses(row.size());
      distances_of_products(square, squares.data(), count, row.data(), inverses.data());
      for (size_t j = 0; j < row.size(); ++j) {
        if (j == 3) {
          CHECK(row[j] < 0.005F);  // its square is a difference of nearly equal numbers
        } else {
          CHECK(row[j] == doctest::Approx(wanted[j]).epsilon(1e-4));
        }
        CHECK(row[j] >= 0.001F);
        CHECK(inverses[j] == doctest::Approx(1 / row[j]).epsilon(1e-6));
      }
    }
  });
}

TEST_CASE("distances from a query to columns are what plain loops give") {
  for_each_instruction_set([] {
    Random random(1);
    for (const int64_t size : {1, 7, 16, 50}) {
      for (const int64_t count : {1, 15, 16, 17, 64, 65, 200}) {
        const Point query = random_point(size, random);
        const Point direction = random_point(size, random);
        const Point still(static_cast<size_t>(size));
        Columns columns(size, count);
        std::vector<Point> points;
        std::vector<float> shifts;
        for (int64_t j = 0; j < count; ++j) {
          points.push_back(random_point(size, random));
          shifts.push_back(random.uniform());
          columns.set(j, points.back().data(), shifts.back());
        }
        double worst = 0;
        for (const int64_t first : {int64_t{0}, count / 32 * 16}) {
          std::vector<float> l1(static_cast<size_t>(padded(count))), near(l1), moduli(l1);
          const int64_t some = count - first;
          l1_distances(query.data(), direction.data(), columns, first, some, l1.data());
          l1_distances(query.data(), nullptr, columns, first, some, near.data());
          modulus_distances(query.data(), columns, first, some, moduli.data());
          for (int64_t j = 0; j < some; ++j) {
            const auto at = static_cast<size_t>(j);
            const auto id = static_cast<size_t>(first + j);
            const Sums moved = sums_of(query, direction, points[id], shifts[id]);
            const Sums plain = sums_of(query, still, points[id], 0);
            for (const double error : {moved.l1 - double{l1[at]}, plain.l1 - double{near[at]},
                                       plain.moduli - double{moduli[at]}}) {
              worst = std::max(worst, std::abs(error));
            }
          }
        }
        CAPTURE(size);
        CAPTURE(count);
        CHECK(worst < 1e-4);
      }
    }
  });
}

TEST_CASE("a point has the same distance whichever points are looked at with it") {
  Random random(2);
  constexpr int64_t kSize = 50, kCount = 100;
  Columns columns(kSize, kCount);
  for (int64_t j = 0; j < kCount; ++j) {
    columns.set(j, random_point(kSize, random).data(), random.uniform());
  }
  const Point query = random_point(kSize, random), direction = random_point(kSize, random);
  std::vector<float> all(padded(kCount)), some(padded(kCount));
  l1_distances(query.data(), direction.data(), columns, 0, kCount, all.data());
  for (int64_t first = 0; first < kCount; first += kRowPadding) {
    l1_distances(query.data(), direction.data(), columns, first, 1, some.data());
    CHECK(some[0] == all[static_cast<size_t>(first)]);
  }
}

}  // namespace acevec
