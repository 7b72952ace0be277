// Rounding to bfloat16, and the machine's products of pairs against plain loops. A block's products
// as a whole are tested in tests/tasks/word/block_products_test.cc.

#include "kernels/bfloat16.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/random.h"
#include "instruction_sets.h"

namespace acevec {
namespace {

float rounded(float number) {
  round_to_bfloat16(&number, 1);
  return number;
}

}  // namespace

TEST_CASE("numbers are rounded to the nearest bfloat16, ties to the even one") {
  for (const float same : {0.0F, 1.0F, -1.5F, 0x1.02p0F, 0x1.fep127F, 0x1p-126F}) {
    CHECK(rounded(same) == same);
  }
  CHECK(rounded(0x1.01p0F) == 1.0F);  // between 1 and 0x1.02p0
  CHECK(rounded(0x1.03p0F) == 0x1.04p0F);
  CHECK(rounded(-0x1.01p0F) == -1.0F);
  CHECK(rounded(0x1.0101p0F) == 0x1.02p0F);
  CHECK(rounded(0x1.00fep0F) == 1.0F);
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(rounded(infinity) == infinity);
  CHECK(rounded(-infinity) == -infinity);
  CHECK(rounded(std::numeric_limits<float>::max()) == infinity);
  CHECK(std::isnan(rounded(std::numeric_limits<float>::quiet_NaN())));
  CHECK(std::isnan(rounded(std::bit_cast<float>(0x7fffffffU))));
  CHECK(std::isnan(rounded(std::bit_cast<float>(0x7f800001U))));
  Random random(2);
  for (int i = 0; i < 10000; ++i) {
    const float number = 2 * random.uniform() - 1;
    CHECK(std::abs(rounded(number) - number) <= std::abs(number) * 0x1p-8F);
  }
}

#ifdef __x86_64__  // other processors have none
namespace {

// The half of a pair.
float half(Pair pair, int which) {
  return std::bit_cast<float>(which == 0 ? pair << 16 : pair & 0xffff0000);
}

Pair pair_at(const PairMatrix& matrix, int64_t i, int64_t c) {
  const auto [stride, step] = matrix.layout;
  return matrix.pairs.data()[i * stride + c / 16 * step + c % 16];
}

AlignedFloats random_floats(int64_t size) {
  Random random(1);
  AlignedFloats floats(size);
  for (int64_t i = 0; i < size; ++i) floats.data()[i] = rounded(2 * random.uniform() - 1);
  return floats;
}

}  // namespace

TEST_CASE("only AVX-512 has products of bfloat16, and rows become pairs as said") {
  for_each_instruction_set([] {
    if (!instruction_set().starts_with("AVX-512")) CHECK_FALSE(has_bfloat16_products());
    if (!has_bfloat16_products()) CHECK_FALSE(bfloat16_is_faster());
    if (instruction_set().ends_with("-AMX")) CHECK(bfloat16_is_faster());
  });
  if (!has_bfloat16_products()) {
    MESSAGE("skipped: this machine has no AVX-512 BF16");
    return;
  }
  for_each_instruction_set([] {
    if (!has_bfloat16_products()) return;
    for (const int64_t width : {16, 48, 112}) {
      for (const int64_t count : {1, 2, 5, 16, 19, 32}) {
        const int64_t lanes = (count + 15) / 16 * 16;
        const AlignedFloats rows = random_floats(count * width);
        RowPairs pairs(count, width, (width / 2 + 15) / 16 * 16);
        PairMatrix columns(width / 2, lanes);
        round_rows(rows.data(), count, width, pairs.from(0));
        transpose_pairs(pairs.along.table(count), width / 2, columns.row(0), columns.layout, lanes);
        int64_t wrong = 0;
        for (int64_t i = 0; i < lanes; ++i) {
          for (int64_t c = 0; c < width; ++c) {
            const float number = i < count ? rows.data()[i * width + c] : 0.0F;
            const int which = static_cast<int>(c % 2);
            if (i < count) wrong += half(pair_at(pairs.along, i, c / 2), which) != number;
            if (i < count) {
              wrong += half(pair_at(pairs.across, i / 2, c), static_cast<int>(i % 2)) != number;
            }
            wrong += half(pair_at(columns, c / 2, i), which) != number;
          }
        }
        if (count % 2 == 1) {
          for (int64_t c = 0; c < width; ++c)
            wrong += half(pair_at(pairs.across, count / 2, c), 1) != 0;
        }
        CAPTURE(width);
        CAPTURE(count);
        CHECK(wrong == 0);
      }
    }
  });
}

TEST_CASE("a band becomes pairs of its columns and of its rows") {
  if (!has_bfloat16_products()) return;
  for (const int64_t window : {0, 1, 2, 5, 8, 20}) {
    for (const int64_t rows : {1, 2, 7, 64}) {
      for (const int64_t shift : {int64_t{0}, window / 2, window}) {
        const int64_t width = 2 * window + 1;
        const AlignedFloats band = random_floats(rows * width);
        BandPairs pairs(64, window);
        pairs.round(random_floats(64 * width).data(), 64, window);  // what a block leaves behind
        pairs.round(band.data(), rows, shift);
        const PairTable along = pairs.along().pairs;
        const PairTable across = pairs.across().pairs;
        int64_t wrong = 0;
        for (int64_t i = 0; i < rows; ++i) {
          const int64_t begin = i + shift - window;
          for (int64_t j = begin; j < begin + width; ++j) {
            const float number = band.data()[i * width + j - begin];
            const Pair of_columns = along.data[i * along.layout.stride + (j >> 1)];
            wrong += half(of_columns, static_cast<int>(j & 1)) != number;
            const Pair of_rows = across.data[j + i / 2 * across.layout.stride];
            wrong += half(of_rows, static_cast<int>(i & 1)) != number;
          }
          // Their partners outside.
          const Pair* const row = along.data + i * along.layout.stride;
          if ((begin & 1) != 0) wrong += half(row[begin >> 1], 0) != 0;
          const int64_t end = begin + width;
          if ((end & 1) != 0) wrong += half(row[end >> 1], 1) != 0;
        }
        CAPTURE(window);
        CAPTURE(rows);
        CAPTURE(shift);
        CHECK(wrong == 0);
      }
    }
  }
}

TEST_CASE("a tile from any row of a strip is within the strip") {
  for_each_instruction_set([] {
    if (!instruction_set().ends_with("-AMX")) return;
    for (const int64_t rows : {1, 2, 16, 17, 32, 37, 64}) {
      const PairLayout layout = pair_layout(rows, 40);
      CHECK(layout.stride == 16);
      CHECK((rows - 1 + 16) * layout.stride <= layout.step);
      CHECK(layout.size(rows, 40) == 3 * layout.step);
    }
  });
}

namespace {

PairMatrix random_pairs(int64_t rows, int64_t columns, Random& random) {
  PairMatrix matrix(rows, columns);
  const auto [stride, step] = matrix.layout;
  for (int64_t i = 0; i < rows * columns; ++i) {
    const int64_t c = i % columns;
    matrix.pairs.data()[i / columns * stride + c / 16 * step + c % 16] =
        to_bfloat16(random.uniform() - 0.5F) |
        static_cast<Pair>(to_bfloat16(random.uniform() - 0.5F)) << 16;
  }
  return matrix;
}

// Of two pairs' product: it, and its absolute value, which bounds the error of a sum.
struct Term {
  double value, size;
};
Term product(Pair a, Pair b) {
  const double first = double{half(a, 0)} * double{half(b, 0)};
  const double second = double{half(a, 1)} * double{half(b, 1)};
  return {first + second, std::abs(first) + std::abs(second)};
}

// Sums of `inner` rows of pairs, `rows` × `columns`, beside plain loops; what is behind the columns
// must stay.
void check_mix(int64_t rows, int64_t inner, int64_t columns, bool transposed, bool add) {
  CAPTURE(rows);
  CAPTURE(inner);
  CAPTURE(columns);
  CAPTURE(transposed);
  CAPTURE(add);
  Random random(5);
  const PairMatrix weights =
      transposed ? random_pairs(inner, rows, random) : random_pairs(rows, inner, random);
  const int64_t stride = padded(columns);
  const PairMatrix b = random_pairs(inner, stride, random);
  AlignedFloats out(rows * stride);
  for (int64_t i = 0; i < rows * stride; ++i) out.data()[i] = 7;
  mix_pairs({weights.table(0), transposed}, rows, b.table(inner), columns, {out.data(), stride},
            add);
  int64_t wrong = 0;
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t c = 0; c < stride; ++c) {
      Term sum{c >= columns || add ? 7.0 : 0.0, 7};
      for (int64_t k = 0; k < inner && c < columns; ++k) {
        const Pair weight = transposed ? pair_at(weights, k, i) : pair_at(weights, i, k);
        const auto [value, size] = product(weight, pair_at(b, k, c));
        sum.value += value;
        sum.size += size;
      }
      const double error = std::abs(double{out.data()[i * stride + c]} - sum.value);
      wrong += c >= columns ? error != 0 : error > 0x1p-20 * sum.size;
    }
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("sums of pairs are those of plain loops at all sizes") {
  for_each_instruction_set([] {
    if (!has_bfloat16_products()) return;
    for (const bool transposed : {false, true}) {
      for (const int64_t rows : {1, 15, 16, 33, 64}) {
        for (const int64_t inner : {1, 15, 16, 50, 257}) {
          for (const int64_t columns : {1, 8, 16, 31, 33, 112}) {
            check_mix(rows, inner, columns, transposed, columns % 2 == 0);
          }
        }
      }
      check_mix(17, 512, 1024, transposed, true);
      check_mix(130, 511, 96, transposed, false);
    }
  });
}
#endif

}  // namespace acevec
