// Every kernel, for every instruction set that this machine has, against plain loops in double.

#include "kernels/products.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>
#include "base/random.h"
#include "instruction_sets.h"
#include "math/aligned.h"

namespace acevec {
namespace {

AlignedFloats random_floats(int64_t size, Random& random) {
  AlignedFloats floats(size);
  for (int64_t i = 0; i < size; ++i) floats.data()[i] = 2 * random.uniform() - 1;
  return floats;
}

double dot(const float* a, const float* b, int64_t width) {
  double sum = 0;
  for (int64_t k = 0; k < width; ++k) sum += double{a[k]} * double{b[k]};
  return sum;
}

const std::vector<int64_t> kWidths{16, 48, 112, 128, 304, 512};
const std::vector<int64_t> kRows{1, 2, 3, 4, 5, 7, 8, 32, 65};

}  // namespace

TEST_CASE("score_rows is all dot products") {
  for_each_instruction_set([] {
    Random random(1);
    for (const int64_t width : kWidths) {
      for (const int64_t a_rows : kRows) {
        for (const int64_t b_rows : kRows) {
          const AlignedFloats a = random_floats(a_rows * width, random);
          const AlignedFloats b = random_floats(b_rows * width, random);
          const int64_t stride = b_rows + 3;
          std::vector<float> scores(static_cast<size_t>(a_rows * stride), 99.0F);
          score_rows({a.data(), a_rows}, {b.data(), b_rows}, width, {scores.data(), stride});
          double worst = 0;
          bool untouched = true;
          for (int64_t i = 0; i < a_rows; ++i) {
            for (int64_t j = 0; j < stride; ++j) {
              const float score = scores[static_cast<size_t>(i * stride + j)];
              if (j >= b_rows) {
                untouched = untouched && score == 99.0F;
              } else {
                const double wanted = dot(a.data() + i * width, b.data() + j * width, width);
                worst = std::max(worst, std::abs(wanted - double{score}));
              }
            }
          }
          CAPTURE(width);
          CAPTURE(a_rows);
          CAPTURE(b_rows);
          CHECK(worst < 1e-4);
          CHECK(untouched);
        }
      }
    }
  });
}

TEST_CASE("mix_rows is a product, transposed by its strides, stored or added") {
  for_each_instruction_set([] {
    Random random(2);
    for (const int64_t width : kWidths) {
      for (const int64_t rows : kRows) {
        for (const int64_t inner : {1, 5, 32}) {
          const AlignedFloats b = random_floats(inner * width, random);
          const AlignedFloats weights = random_floats(rows * inner, random);
          for (const bool transposed : {false, true}) {
            for (const bool add : {false, true}) {
              AlignedFloats out = random_floats(rows * width, random);
              const std::vector<float> before(out.data(), out.data() + rows * width);
              const Weights view =
                  transposed ? Weights{weights.data(), 1, rows} : Weights{weights.data(), inner, 1};
              mix_rows(view, rows, {b.data(), inner}, width, out.data(), add);
              double worst = 0;
              for (int64_t i = 0; i < rows; ++i) {
                for (int64_t k = 0; k < width; ++k) {
                  double wanted = add ? double{before[static_cast<size_t>(i * width + k)]} : 0.0;
                  for (int64_t j = 0; j < inner; ++j) {
                    wanted += double{view.data[i * view.row_stride + j * view.inner_stride]} *
                              double{b.data()[j * width + k]};
                  }
                  worst = std::max(worst, std::abs(wanted - double{out.data()[i * width + k]}));
                }
              }
              CAPTURE(width);
              CAPTURE(rows);
              CAPTURE(inner);
              CHECK(worst < 1e-4);
            }
          }
        }
      }
    }
  });
}

TEST_CASE("the band kernels agree with the dense ones inside the band") {
  for_each_instruction_set([] {
    Random random(3);
    for (const int64_t width : kWidths) {
      constexpr int64_t kWords = 33;
      constexpr int64_t kContexts = 40;
      const AlignedFloats a = random_floats(kWords * width, random);
      const AlignedFloats b = random_floats(kContexts * width, random);
      std::vector<Span> spans;
      for (int64_t i = 0; i < kWords; ++i) {
        const auto first = static_cast<int32_t>(random.below(kContexts));
        const auto most = static_cast<uint32_t>(kContexts - first);
        spans.push_back({first, first + static_cast<int32_t>(random.below(most + 1))});
      }
      std::vector<float> scores(kWords * kContexts, 99.0F);
      score_band({a.data(), kWords}, b.data(), spans.data(), width, {scores.data(), kContexts});
      AlignedFloats out(kWords * width);
      const AlignedFloats weights = random_floats(kWords * kContexts, random);
      mix_band({weights.data(), kContexts, 1}, kWords, b.data(), spans.data(), width, out.data());
      double worst = 0;
      bool untouched = true;
      for (int64_t i = 0; i < kWords; ++i) {
        const Span span = spans[static_cast<size_t>(i)];
        for (int64_t j = 0; j < kContexts; ++j) {
          const float score = scores[static_cast<size_t>(i * kContexts + j)];
          if (j < span.first || j >= span.last) {
            untouched = untouched && score == 99.0F;
          } else {
            const double wanted = dot(a.data() + i * width, b.data() + j * width, width);
            worst = std::max(worst, std::abs(wanted - double{score}));
          }
        }
        for (int64_t k = 0; k < width; ++k) {
          double wanted = 0;
          for (int64_t j = span.first; j < span.last; ++j) {
            wanted += double{weights.data()[i * kContexts + j]} * double{b.data()[j * width + k]};
          }
          worst = std::max(worst, std::abs(wanted - double{out.data()[i * width + k]}));
        }
      }
      CAPTURE(width);
      CHECK(worst < 1e-4);
      CHECK(untouched);
    }
  });
}

TEST_CASE("add_by_sums adds a row as often as the sum of each row of weights says") {
  for_each_instruction_set([] {
    Random random(4);
    for (const int64_t width : kWidths) {
      for (const int64_t columns : kRows) {
        const int64_t rows = 5;
        const AlignedFloats weights = random_floats(rows * columns, random);
        const AlignedFloats row = random_floats(width, random);
        AlignedFloats out = random_floats(rows * width, random);
        std::vector<double> wanted(out.data(), out.data() + rows * width);
        for (int64_t i = 0; i < rows; ++i) {
          for (int64_t j = 0; j < width; ++j) {
            for (int64_t k = 0; k < columns; ++k) {
              wanted[static_cast<size_t>(i * width + j)] +=
                  double{weights.data()[i * columns + k]} * double{row.data()[j]};
            }
          }
        }
        add_by_sums(weights.data(), rows, columns, row.data(), width, out.data());
        double worst = 0;
        for (size_t i = 0; i < wanted.size(); ++i) {
          worst = std::max(worst, std::abs(double{out.data()[i]} - wanted[i]));
        }
        CHECK(worst < 2e-5);
      }
    }
  });
}

TEST_CASE("transpose_rows turns rows into columns, and their product gives score_rows") {
  for_each_instruction_set([] {
    Random random(4);
    for (const int64_t columns : {1, 3, 16, 50, 100, 112}) {
      for (const int64_t count : {16, 32, 64}) {
        const RowWidth width(columns, padded(columns));
        const AlignedFloats b = random_floats(count * width.stride, random);
        AlignedFloats transposed(columns * count);
        transpose_rows(b.data(), count, width, transposed.data());
        bool same = true;
        for (int64_t i = 0; i < count; ++i) {
          for (int64_t k = 0; k < columns; ++k) {
            same = same && transposed.data()[k * count + i] == b.data()[i * width.stride + k];
          }
        }
        CAPTURE(columns);
        CAPTURE(count);
        CHECK(same);

        constexpr int64_t kScored = 7;
        const AlignedFloats a = random_floats(kScored * width.stride, random);
        AlignedFloats scores(kScored * count);
        mix_rows({a.data(), width.stride, 1}, kScored, {transposed.data(), columns}, count,
                 scores.data(), false);
        double worst = 0;
        for (int64_t i = 0; i < kScored; ++i) {
          for (int64_t j = 0; j < count; ++j) {
            const double wanted =
                dot(a.data() + i * width.stride, b.data() + j * width.stride, columns);
            worst = std::max(worst, std::abs(wanted - double{scores.data()[i * count + j]}));
          }
        }
        CHECK(worst < 1e-4);
      }
    }
  });
}

// Numbers and, behind them, as many zeros as a vector may have beside a number; the rest of the
// padding must not be read.
AlignedFloats padded_rows(int64_t rows, RowWidth width, Random& random) {
  AlignedFloats floats = random_floats(rows * width.stride, random);
  const int64_t filled = padded(width.columns);
  for (int64_t i = 0; i < rows; ++i) {
    float* const row = floats.data() + i * width.stride;
    std::fill(row + width.columns, row + filled, 0.0F);
    std::fill(row + filled, row + width.stride, std::numeric_limits<float>::quiet_NaN());
  }
  return floats;
}

TEST_CASE("vectors of padding are neither read nor written") {
  for_each_instruction_set([] {
    Random random(5);
    for (const int64_t columns : {1, 7, 20, 100, 300}) {
      const RowWidth width(columns, padded(columns) + kRowPadding);  // the last line is padding
      constexpr int64_t kA = 9;
      constexpr int64_t kB = 6;
      const AlignedFloats a = padded_rows(kA, width, random);
      const AlignedFloats b = padded_rows(kB, width, random);
      const std::vector<Span> spans(kA, Span{0, kB});
      std::vector<float> scores(kA * kB), of_band(kA * kB);
      score_rows({a.data(), kA}, {b.data(), kB}, width, {scores.data(), kB});
      score_band({a.data(), kA}, b.data(), spans.data(), width, {of_band.data(), kB});
      AlignedFloats mixed(kA * width.stride), mixed_band(kA * width.stride);
      mix_rows({scores.data(), kB, 1}, kA, {b.data(), kB}, width, mixed.data(), false);
      mix_band({scores.data(), kB, 1}, kA, b.data(), spans.data(), width, mixed_band.data());
      double worst = 0;
      bool untouched = true;
      for (int64_t i = 0; i < kA; ++i) {
        for (int64_t j = 0; j < kB; ++j) {
          const auto at = static_cast<size_t>(i * kB + j);
          const double wanted =
              dot(a.data() + i * width.stride, b.data() + j * width.stride, columns);
          for (const float score : {scores[at], of_band[at]}) {
            worst = std::max(worst, std::isnan(score) ? 1 : std::abs(wanted - double{score}));
          }
        }
        for (const float* const out : {mixed.data(), mixed_band.data()}) {
          const float* const row = out + i * width.stride;
          for (int64_t k = 0; k < columns; ++k) untouched = untouched && !std::isnan(row[k]);
          for (int64_t k = columns; k < width.stride; ++k) untouched = untouched && row[k] == 0;
        }
      }
      CAPTURE(columns);
      CHECK(worst < 1e-4);
      CHECK(untouched);
    }
  });
}

}  // namespace acevec
