// Sums of bags, for every instruction set of this machine, against plain loops.
// Sums over the rows around tokens against plain loops, for every instruction set of this machine.

#include "kernels/bags.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/random.h"
#include "instruction_sets.h"
#include "kernels/hogwild.h"
#include "math/aligned.h"

namespace acevec::bags_test {
namespace {

constexpr int64_t kRows = 9;

AlignedFloats random_floats(int64_t size, Random& random) {
  AlignedFloats floats(size);
  for (int64_t i = 0; i < size; ++i) floats.data()[i] = 2 * random.uniform() - 1;
  return floats;
}

}  // namespace

TEST_CASE("bags are sums of rows") {
  for_each_instruction_set([] {
    Random random(3);
    for (const int64_t width : {16, 48, 112, 128, 208, 304, 1040}) {
      for (const int64_t count : {0, 1, 2, 8, 9, 30}) {
        const AlignedFloats values = random_floats(kRows * width, random);
        std::vector<int32_t> places;
        std::vector<float> weights;
        for (int64_t i = 0; i < count; ++i) {
          places.push_back(static_cast<int32_t>(i * 5 % kRows));
          weights.push_back(random.uniform() - 0.5F);
        }
        const BagRows rows{places.data(), count, width};
        AlignedFloats sum = random_floats(width, random);
        sum_bag(rows, values.data(), weights.data(), sum.data());
        double worst = 0;
        std::vector<double> plain(static_cast<size_t>(width));
        for (size_t i = 0; i < places.size(); ++i) {
          for (int64_t k = 0; k < width; ++k) {
            const double value = double{values.data()[places[i] * width + k]};
            plain[static_cast<size_t>(k)] += double{weights[i]} * value;
          }
        }
        for (int64_t k = 0; k < width; ++k) {
          worst = std::max(worst, std::abs(plain[static_cast<size_t>(k)] - double{sum.data()[k]}));
        }
        CAPTURE(width);
        CAPTURE(count);
        CHECK(worst < 1e-4);
      }
    }
  });
}

}  // namespace acevec::bags_test

namespace acevec {
namespace {

constexpr float kNoLimit = std::numeric_limits<float>::infinity();

// Tokens from the middle of a text of rows, some of which occur twice.
struct Line {
  Line(int64_t size, int64_t some, int64_t before, int64_t behind, int64_t window, Random& random)
      : matrix(40, size), tokens(some), own(before), count(before + some + behind) {
    for (int64_t i = 0; i < matrix.rows(); ++i) {
      for (int64_t k = 0; k < size; ++k) matrix.row(i)[k] = 2 * random.uniform() - 1;
    }
    for (int64_t j = 0; j < count; ++j) ids.push_back(static_cast<int32_t>(random.below(40)));
    for (int64_t i = 0; i < tokens; ++i) {
      const auto reach = static_cast<int64_t>(1 + random.below(static_cast<uint32_t>(window)));
      const int64_t first = std::max<int64_t>(own + i - reach, 0);
      const int64_t last = std::min(own + i + reach + 1, count);
      spans.push_back({static_cast<int32_t>(first), static_cast<int32_t>(last)});
      shares.push_back(random.uniform());
    }
  }

  Surroundings around() const { return {spans.data(), tokens, own}; }

  bool has_around(int64_t token, int64_t j) const {
    const Span span = spans[static_cast<size_t>(token)];
    return j != own + token && j >= span.first && j < span.last;
  }

  Matrix matrix;
  int64_t tokens, own, count;
  std::vector<int32_t> ids;
  std::vector<Span> spans;
  std::vector<float> shares;
};

template <class Check>
void for_each_line(Check&& check) {
  for_each_instruction_set([&] {
    Random random(7);
    for (const int64_t size : {1, 20, 100, 300}) {
      CAPTURE(size);
      Line middle(size, 9, 3, 5, 5, random);
      check(middle, random);
      Line wide(size, 32, 20, 20, 20, random);
      check(wide, random);
      Line lone(size, 1, 0, 1, 1, random);
      check(lone, random);
    }
  });
}

}  // namespace

TEST_CASE("mix_surroundings finds the sums around tokens") {
  for_each_line([](const Line& line, Random& /*random*/) {
    const int64_t width = line.matrix.stride();
    AlignedFloats sums((line.count + 1) * width);
    AlignedFloats means(line.tokens * width);
    add_up_rows(line.matrix, line.ids.data(), line.count, sums.data());
    mix_surroundings(line.around(), sums.data(), line.shares.data(), width, means.data());
    double worst = 0;
    for (int64_t i = 0; i < line.tokens; ++i) {
      for (int64_t k = 0; k < width; ++k) {
        double sum = 0;
        for (int64_t j = 0; j < line.count; ++j) {
          if (line.has_around(i, j)) sum += line.matrix.row(line.ids[static_cast<size_t>(j)])[k];
        }
        sum *= line.shares[static_cast<size_t>(i)];
        worst = std::max(worst, std::abs(means.data()[i * width + k] - sum));
      }
    }
    CHECK(worst < 2e-5);
  });
}

TEST_CASE("spread_to_surroundings and add_running_sums hand rows to what is around their tokens") {
  for_each_line([](Line& line, Random& random) {
    const int64_t width = line.matrix.stride();
    AlignedFloats rows(line.tokens * width);
    for (int64_t i = 0; i < line.tokens; ++i) {
      for (int64_t k = 0; k < line.matrix.columns(); ++k) {
        rows.data()[i * width + k] = 2 * random.uniform() - 1;
      }
    }
    std::vector<double> wanted(static_cast<size_t>(line.matrix.rows() * width));
    for (int64_t r = 0; r < line.matrix.rows(); ++r) {
      for (int64_t k = 0; k < width; ++k) {
        wanted[static_cast<size_t>(r * width + k)] = line.matrix.row(r)[k];
      }
    }
    for (int64_t j = 0; j < line.count; ++j) {
      for (int64_t i = 0; i < line.tokens; ++i) {
        if (!line.has_around(i, j)) continue;
        for (int64_t k = 0; k < width; ++k) {
          const int64_t row = line.ids[static_cast<size_t>(j)];
          wanted[static_cast<size_t>(row * width + k)] +=
              double{line.shares[static_cast<size_t>(i)]} * rows.data()[i * width + k];
        }
      }
    }
    AlignedFloats differences((line.count + 1) * width);
    spread_to_surroundings(line.around(), rows.data(), kNoLimit, width, line.shares.data(),
                           differences.data());
    add_running_sums(line.matrix, line.ids.data(), line.count, differences.data(),
                     {rows.data(), line.shares.data(), line.tokens, line.own},
                     {line.ids.data(), line.count});
    double worst = 0;
    for (int64_t r = 0; r < line.matrix.rows(); ++r) {
      for (int64_t k = 0; k < width; ++k) {
        worst = std::max(worst, std::abs(double{line.matrix.row(r)[k]} -
                                         wanted[static_cast<size_t>(r * width + k)]));
      }
    }
    CHECK(worst < 2e-5);
    for (int64_t k = 0; k < (line.count + 1) * width; ++k) REQUIRE(differences.data()[k] == 0.0F);
  });
}

TEST_CASE("spread_to_surroundings shortens what is too long") {
  for_each_instruction_set([] {
    Matrix matrix(3, 20);
    const std::vector<int32_t> ids{0, 1, 2};
    const std::vector<Span> spans{{0, 3}};
    std::vector<float> shares{0.5F};
    AlignedFloats row(matrix.stride());
    row.data()[0] = 3;
    row.data()[19] = -4;
    AlignedFloats differences(4 * matrix.stride());
    spread_to_surroundings({spans.data(), 1, 1}, row.data(), 2.0F, matrix.stride(), shares.data(),
                           differences.data());
    add_running_sums(matrix, ids.data(), 3, differences.data(), {row.data(), shares.data(), 1, 1},
                     {});
    CHECK(matrix.row(0)[0] == doctest::Approx(2 * 3.0 / 5));
    CHECK(matrix.row(2)[19] == doctest::Approx(2 * -4.0 / 5));
    CHECK(std::abs(matrix.row(1)[0]) < 1e-6);
  });
}

}  // namespace acevec
