// Tests of cluster/rows: what numbers are after they have been sent.

#include "cluster/rows.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "base/random.h"

namespace acevec {

TEST_CASE("rows arrive as they were sent") {
  Random random(1);
  Rows rows{3, {0, 4, 70000}, {}};
  for (int i = 0; i < 9; ++i) rows.values.push_back(random.uniform() - 0.5F);
  for (const Wire wire : {Wire::kFloat, Wire::kBfloat16}) {
    round_to(wire, rows.values);
    Bytes bytes;
    put_rows(bytes, rows, wire);
    BytesReader reader(bytes);
    const Rows got = get_rows(reader, 3, wire);
    CHECK(got.ids == rows.ids);
    CHECK(got.values == rows.values);
    CHECK(reader.empty());
    BytesReader other(bytes);
    CHECK_THROWS_AS(get_rows(other, 4, wire), Error);
  }
}

TEST_CASE("bfloat16 keeps 8 bits, rounds to the nearest, and keeps NaN") {
  const auto rounded = [](float value) {
    std::vector<float> values{value};
    round_to(Wire::kBfloat16, values);
    return values[0];
  };
  Random random(2);
  for (int i = 0; i < 1000; ++i) {
    const float value = (random.uniform() - 0.5F) * std::pow(10.F, 20 * random.uniform() - 10);
    CHECK(std::abs(rounded(value) - value) <= std::abs(value) / 256);
    CHECK(rounded(rounded(value)) == rounded(value));
  }
  CHECK(rounded(1) == 1);
  CHECK(rounded(1 + 1.F / 256) == 1);  // half way: to the even one
  CHECK(rounded(1 + 3.F / 256) == 1 + 1.F / 64);
  CHECK(std::signbit(rounded(-0.F)));
  CHECK(std::isnan(rounded(std::numeric_limits<float>::quiet_NaN())));
  CHECK(std::isinf(rounded(std::numeric_limits<float>::infinity())));
  CHECK(std::isinf(rounded(std::numeric_limits<float>::max())));
}

}  // namespace acevec
