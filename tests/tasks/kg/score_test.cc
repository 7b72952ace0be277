// Every score against its definition, its gradient against finite differences, and what it says of
// many candidates against what it says of one.

#include "tasks/kg/score.h"

#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include "base/random.h"
#include "instruction_sets.h"

namespace acevec {
namespace {

constexpr int64_t kSize = 20;

using Row = std::vector<float>;

Row random_row(int64_t width, Random& random) {
  Row row(static_cast<size_t>(width));
  for (int64_t part = 0; part < width; part += padded(kSize)) {
    for (int64_t k = 0; k < kSize; ++k)
      row[static_cast<size_t>(part + k)] = 2 * random.uniform() - 1;
  }
  return row;
}

struct Rows {
  Row head, relation, tail;
};

Rows random_rows(const Score& score, Random& random) {
  return {random_row(score.width(), random), random_row(score.width(), random),
          random_row(score.width(), random)};
}

float distance(const Score& score, const Rows& rows) {
  return score.distance(rows.head.data(), rows.relation.data(), rows.tail.data());
}

using Complex = std::complex<double>;

// Of those of complex numbers.
double defined_complex_distance(ScoreKind kind, const Rows& rows) {
  const auto number = [](const Row& row, size_t k) {
    return Complex(static_cast<double>(row[k]), static_cast<double>(row[k + 1]));
  };
  double product = 0, moduli = 0, squares = 0;
  for (size_t k = 0; k < kSize; k += 2) {
    const Complex h = number(rows.head, k), r = number(rows.relation, k), t = number(rows.tail, k);
    product += (h * r * std::conj(t)).real();
    moduli += std::abs(h * r / std::abs(r) - t);
    squares += std::norm(h * r / std::abs(r) - t);
  }
  if (kind == ScoreKind::kComplEx) return -product;
  if (kind == ScoreKind::kEuclideanRotatE) return std::sqrt(squares);
  return moduli;
}

// Of the formulas of the scores, in double.
double defined_distance(ScoreKind kind, const Rows& rows) {
  if (traits_of(kind).is_complex) return defined_complex_distance(kind, rows);
  const auto second = static_cast<size_t>(padded(kSize));
  const auto at = [](const Row& row, size_t k) { return static_cast<double>(row[k]); };
  double head_shift = 0, tail_shift = 0;
  for (size_t k = 0; kind == ScoreKind::kTransD && k < kSize; ++k) {
    head_shift += at(rows.head, second + k) * at(rows.head, k);
    tail_shift += at(rows.tail, second + k) * at(rows.tail, k);
  }
  double absolutes = 0, product = 0, squares = 0;
  for (size_t k = 0; k < kSize; ++k) {
    const double direction = kind == ScoreKind::kTransD ? at(rows.relation, second + k) : 0;
    const double u = at(rows.head, k) + direction * head_shift + at(rows.relation, k) -
                     at(rows.tail, k) - direction * tail_shift;
    absolutes += std::abs(u);
    squares += u * u;
    product += at(rows.head, k) * at(rows.relation, k) * at(rows.tail, k);
  }
  if (kind == ScoreKind::kDistMult) return -product;
  if (kind == ScoreKind::kEuclideanTransE) return std::sqrt(squares);
  return absolutes;
}

// With every instruction set.
template <class Check>
void for_each_score(const Check& check) {
  for_each_instruction_set([&] {
    for (const ScoreKind kind : kScoreKinds) {
      CAPTURE(std::string(traits_of(kind).name));
      check(kind, *traits_of(kind).make(kSize));
    }
  });
}

}  // namespace

TEST_CASE("distances of triples are what the formulas say") {
  for_each_score([](ScoreKind kind, const Score& score) {
    Random random(1);
    const Rows rows = random_rows(score, random);
    CHECK(traits_of(kind).learns_pairs == (dynamic_cast<const PairScore*>(&score) != nullptr));
    CHECK(traits_of(kind).learns_pairs == (dynamic_cast<const ProductScore*>(&score) == nullptr));
    CHECK(distance(score, rows) == doctest::Approx(defined_distance(kind, rows)).epsilon(1e-5));
  });
}

TEST_CASE("gradients of distances agree with finite differences") {
  for_each_score([](ScoreKind kind, const Score& any) {
    if (!traits_of(kind).learns_pairs) return;
    const auto& score = dynamic_cast<const PairScore&>(any);
    Random random(2);
    constexpr float kScale = -0.7F;
    Rows rows = random_rows(score, random);
    Rows gradient{Row(rows.head.size()), Row(rows.relation.size()), Row(rows.tail.size())};
    const TripleRows triple{rows.head.data(), rows.relation.data(), rows.tail.data()};
    AlignedFloats slopes(score.slope_width());
    CHECK(score.distance_and_slopes(triple, slopes.data()) == distance(score, rows));
    for (const auto& [part, row] :
         {std::pair(Part::kHead, &gradient.head), std::pair(Part::kRelation, &gradient.relation),
          std::pair(Part::kTail, &gradient.tail)}) {
      score.add_gradient(part, triple, slopes.data(), kScale, row->data());
    }
    const auto worst = [&](Row Rows::*part) {
      double most = 0;
      Row& row = rows.*part;
      constexpr float kStep = 1e-3F;
      for (size_t k = 0; k < row.size(); ++k) {
        const bool padding = static_cast<int64_t>(k) % padded(kSize) >= kSize;
        const float value = row[k];
        row[k] = value + kStep;
        const double above = static_cast<double>(distance(score, rows));
        row[k] = value - kStep;
        const double below = static_cast<double>(distance(score, rows));
        row[k] = value;
        const double wanted = padding ? 0 : double{kScale} * (above - below) / 2e-3;
        most = std::max(most, std::abs(wanted - static_cast<double>((gradient.*part)[k])));
      }
      return most;
    };
    CHECK(worst(&Rows::head) < 1e-2);
    CHECK(worst(&Rows::relation) < 1e-2);
    CHECK(worst(&Rows::tail) < 1e-2);
  });
}

TEST_CASE("what is asked of many candidates is the distance of each triple") {
  for_each_score([](ScoreKind kind, const Score& any) {
    if (!traits_of(kind).learns_pairs) return;
    const auto& score = dynamic_cast<const PairScore&>(any);
    Random random(3);
    constexpr int64_t kCandidates = 37;
    const Rows rows = random_rows(score, random);
    Columns columns(kSize, kCandidates);
    std::vector<Row> candidates;
    for (int64_t j = 0; j < kCandidates; ++j) {
      candidates.push_back(random_row(score.width(), random));
      columns.set(j, candidates.back().data(), score.shift(candidates.back().data()));
    }
    std::vector<float> out(padded(kCandidates)), point(kSize);
    for (const Side side : {Side::kHead, Side::kTail}) {
      const Row& kept = side == Side::kHead ? rows.tail : rows.head;
      score.query_point(side, kept.data(), rows.relation.data(), point.data());
      score.distances(point.data(), rows.relation.data(), columns, 0, kCandidates, out.data());
      for (size_t j = 0; j < kCandidates; ++j) {
        Rows triple = rows;
        (side == Side::kHead ? triple.head : triple.tail) = candidates[j];
        CHECK(out[j] == doctest::Approx(distance(score, triple)).epsilon(1e-4));
      }
    }
  });
}

TEST_CASE("gradients of points and of the N3 penalty agree with finite differences") {
  for_each_instruction_set([] {
    for (const ScoreKind kind : kScoreKinds) {
      if (traits_of(kind).learns_pairs) continue;
      CAPTURE(std::string(traits_of(kind).name));
      const auto made = traits_of(kind).make(kSize);
      const auto& score = dynamic_cast<const ProductScore&>(*made);
      Random random(5);
      Rows rows = random_rows(score, random);
      const Row weights = random_row(score.width(), random);
      for (const Side side : {Side::kHead, Side::kTail}) {
        // Σ weights · point, and λ Σ |kept|³.
        const float n3 = score.is_euclidean() ? 0 : 0.3F;
        const auto value = [&] {
          Row point(kSize), unused(rows.head.size());
          score.query_point(side, rows.head.data(), rows.relation.data(), point.data());
          double sum = double{n3} * double{score.add_n3(rows.head.data(), 1, unused.data())};
          for (size_t k = 0; k < kSize; ++k) sum += double{weights[k]} * double{point[k]};
          return sum;
        };
        Row kept(rows.head.size()), relation(rows.relation.size());
        score.add_point_gradient(side, rows.head.data(), rows.relation.data(), weights.data(),
                                 kept.data(), relation.data());
        score.add_n3(rows.head.data(), n3, kept.data());
        double worst = 0;
        for (const auto& [row, gradient] :
             {std::pair(&rows.head, &kept), std::pair(&rows.relation, &relation)}) {
          for (size_t k = 0; k < kSize; ++k) {
            const float old = (*row)[k];
            (*row)[k] = old + 1e-3F;
            const double above = value();
            (*row)[k] = old - 1e-3F;
            const double below = value();
            (*row)[k] = old;
            worst = std::max(worst, std::abs((above - below) / 2e-3 - double{(*gradient)[k]}));
          }
        }
        CHECK(worst < 1e-2);
      }
    }
  });
}

TEST_CASE("a relation sees a kept entity where it projects it") {
  Random random(4);
  const auto made = traits_of(ScoreKind::kTransD).make(kSize);
  const auto& score = dynamic_cast<const PairScore&>(*made);
  const Rows rows = random_rows(score, random);
  Row projected(kSize), point(kSize);
  score.project(rows.head.data(), rows.relation.data(), projected.data());
  score.query_point(Side::kTail, rows.head.data(), rows.relation.data(), point.data());
  const float shift = score.shift(rows.head.data());
  for (size_t k = 0; k < kSize; ++k) {
    const float wanted =
        rows.head[k] + shift * rows.relation[static_cast<size_t>(padded(kSize)) + k];
    CHECK(projected[k] == doctest::Approx(wanted));
    CHECK(point[k] == doctest::Approx(wanted + rows.relation[k]));
  }
}

}  // namespace acevec
