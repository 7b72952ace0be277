// The table of hidden rows holds what the generator would compute, as of each condition's turn.

#include "ace/hidden_table.h"

#include <cmath>
#include <vector>

#include <doctest/doctest.h>
#include "base/random.h"
#include "kernels/hogwild.h"

namespace acevec {
namespace {

constexpr int64_t kInputs = 10;
constexpr int64_t kConditions = 11;

Matrix random_features() {
  Matrix features(kConditions, kInputs);
  Random random(1);
  for (int64_t i = 0; i < kConditions; ++i) {
    for (int64_t k = 0; k < kInputs; ++k) features.row(i)[k] = 2 * random.uniform() - 1;
  }
  return features;
}

// How far rows begin .. end − 1 are from what the generator makes of the features now.
double distance(const Matrix& table, Generator& generator, const Matrix& features, int64_t begin,
                int64_t end) {
  double worst = 0;
  for (int64_t i = begin; i < end; ++i) {
    const float* const h = generator.hidden(features.row(i), 1);
    for (int64_t k = 0; k < table.stride(); ++k) {
      worst = std::max(worst, std::abs(double{h[k]} - double{table.row(i)[k]}));
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("conditions take turns, from the first given on, round and round") {
  GeneratorParameters parameters({kInputs, {8, 5}, 20, {}, 3});
  Generator generator(parameters, 4, 20);
  Matrix features = random_features();
  Matrix table(kConditions, 5 + 1);
  REQUIRE(table.stride() == generator.width());
  HiddenTable hidden(table, features, 4, 6);
  hidden.refresh(generator);  // 6 .. 9
  CHECK(distance(table, generator, features, 6, 10) < 1e-6);
  for (const int64_t untouched : {0, 5, 10}) {
    for (int64_t k = 0; k < table.stride(); ++k) CHECK(table.row(untouched)[k] == 0.0F);
  }
  hidden.refresh(generator);  // 10, 0 .. 2
  hidden.refresh(generator);  // 3 .. 6
  CHECK(distance(table, generator, features, 0, kConditions) < 1e-6);
  // Features change; a turn makes up for it.
  for (int64_t i = 0; i < kConditions; ++i) features.row(i)[0] += 1;
  CHECK(distance(table, generator, features, 7, 11) > 0.01);
  hidden.refresh(generator);  // 7 .. 10
  CHECK(distance(table, generator, features, 7, 11) < 1e-6);
  CHECK(distance(table, generator, features, 3, 7) > 0.01);
}

TEST_CASE("logits from the table are those of the generator, and the prior before its turn") {
  GeneratorParameters parameters({kInputs, {8}, 20, {}, 3});
  for (int64_t y = 0; y < 20; ++y) {
    for (int64_t k = 0; k < 9; ++k) parameters.outputs.row(y)[k] = static_cast<float>(y - 3 * k);
  }
  Generator generator(parameters, kConditions, 3);
  const Matrix features = random_features();
  Matrix table(kConditions, 8 + 1);
  HiddenTable hidden(table, features, 100, 0);  // more than there are
  const std::vector<int32_t> ids{4, 4, 10};
  const std::vector<int32_t> candidates{7, 0, 19};
  const std::vector<float> prior{1, 2, 3, 4, 5, 6, 7, 8, 9};
  AlignedFloats h(3 * table.stride());
  std::vector<float> logits(9);
  const auto from_table = [&] {
    gather_rows(table, ids.data(), 3, h.data());
    generator.logits(h.data(), 3, {candidates.data(), 3}, prior.data(), 0.5F, logits.data());
  };
  from_table();
  for (size_t i = 0; i < 9; ++i) CHECK(logits[i] == 0.5F * prior[i]);
  hidden.refresh(generator);
  from_table();
  std::vector<float> wanted(9);
  for (size_t i = 0; i < 3; ++i) {
    const float* const row = generator.hidden(features.row(ids[i]), 1);
    generator.logits(row, 1, {candidates.data(), 3}, prior.data() + 3 * i, 0.5F,
                     wanted.data() + 3 * i);
  }
  for (size_t i = 0; i < 9; ++i) CHECK(logits[i] == doctest::Approx(wanted[i]).epsilon(1e-4));
}

}  // namespace acevec
