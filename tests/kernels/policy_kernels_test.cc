// Every policy kernel, for every instruction set that this machine has, against plain loops in
// double.

#include "kernels/policy_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <doctest/doctest.h>
#include "base/random.h"
#include "instruction_sets.h"

namespace acevec {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

const std::vector<int64_t> kCandidates{1, 2, 3, 7, 8, 15, 16, 17, 32, 33, 100};

std::vector<float> random_floats(int64_t size, float range, Random& random) {
  std::vector<float> floats(static_cast<size_t>(size));
  for (float& value : floats) value = range * (2 * random.uniform() - 1);
  return floats;
}

std::vector<uint8_t> random_flags(int64_t size, float share, Random& random) {
  std::vector<uint8_t> flags(static_cast<size_t>(size));
  for (uint8_t& flag : flags) flag = random.uniform() < share;
  return flags;
}

// One row of the masked softmax.
std::vector<double> softmax(const float* logits, double scale, const uint8_t* observed, int64_t n) {
  std::vector<double> g;
  double sum = 0;
  for (int64_t k = 0; k < n; ++k) {
    g.push_back(observed != nullptr && observed[k] != 0 ? 0 : std::exp(scale * double{logits[k]}));
    sum += g.back();
  }
  for (double& p : g) p = sum > 0 ? p / sum : 0;
  return g;
}

double entropy(const std::vector<double>& g) {
  double sum = 0;
  for (const double p : g) sum -= p > 0 ? p * std::log(p) : 0;
  return sum;
}

struct Row {
  std::vector<float> g, t, weights;
};

// Probabilities of which some are 0, and weights of one sign.
Row random_row(size_t n, float sign, Random& random) {
  Row row;
  float sum = 0;
  for (size_t k = 0; k < n; ++k) {
    row.g.push_back(k % 3 == 2 ? 0.0F : random.uniform());
    sum += row.g.back();
    row.t.push_back(2 * random.uniform() - 1);
    row.weights.push_back(sign * (0.1F + random.uniform()));
  }
  for (float& p : row.g) p /= sum;
  return row;
}

double sum_of(const std::vector<float>& weights, const std::vector<float>& t, int power) {
  double sum = 0;
  for (size_t k = 0; k < t.size(); ++k) sum += double{weights[k]} * std::pow(double{t[k]}, power);
  return sum;
}

void mix(const Row& row, float a, float force, std::vector<float>& weights) {
  weights = row.weights;
  mix_candidates(row.g.data(), row.t.data(), static_cast<int64_t>(row.g.size()), a, force,
                 weights.data());
}

}  // namespace

TEST_CASE("softmax_rows is the masked softmax with its entropy") {
  for_each_instruction_set([] {
    Random random(1);
    for (const int64_t n : kCandidates) {
      for (const float scale : {1.0F, 0.5F, 0.0F}) {
        for (const float masked : {0.0F, 0.3F, 1.0F}) {
          constexpr int64_t kRows = 5;
          const std::vector<float> logits = random_floats(kRows * n, 20, random);
          const std::vector<uint8_t> flags = random_flags(kRows * n, masked, random);
          const uint8_t* const observed = masked > 0 ? flags.data() : nullptr;
          std::vector<float> g(static_cast<size_t>(kRows * n + 1), 99.0F);
          std::vector<float> entropies(kRows, 99.0F);
          softmax_rows(logits.data(), scale, {observed, kRows, n}, g.data(), entropies.data());
          double worst = 0;
          for (int64_t i = 0; i < kRows; ++i) {
            const uint8_t* const row_flags = observed == nullptr ? nullptr : observed + i * n;
            const auto wanted = softmax(logits.data() + i * n, double{scale}, row_flags, n);
            for (int64_t k = 0; k < n; ++k) {
              const float got = g[static_cast<size_t>(i * n + k)];
              worst = std::max(worst, std::abs(wanted[static_cast<size_t>(k)] - double{got}));
              if (row_flags != nullptr && row_flags[k] != 0) REQUIRE(got == 0.0F);
            }
            worst = std::max(worst,
                             std::abs(entropy(wanted) - double{entropies[static_cast<size_t>(i)]}));
          }
          CAPTURE(n);
          CAPTURE(scale);
          CAPTURE(masked);
          CHECK(worst < 5e-6);
          CHECK(g.back() == 99.0F);
          std::vector<float> in_place = logits;
          softmax_rows(in_place.data(), scale, {observed, kRows, n}, in_place.data(), nullptr);
          CHECK(std::equal(in_place.begin(), in_place.end(), g.begin()));
        }
      }
    }
  });
}

TEST_CASE("leave_out_observed makes the masked softmax of the one over all") {
  for_each_instruction_set([] {
    Random random(6);
    std::vector<int64_t> sizes = kCandidates;
    sizes.push_back(2500);  // more than are summed together
    for (const int64_t n : sizes) {
      for (const float masked : {0.0F, 0.3F, 1.0F}) {
        CAPTURE(n);
        CAPTURE(masked);
        constexpr int64_t kRows = 5;
        const std::vector<float> logits = random_floats(kRows * n, 5, random);
        const std::vector<uint8_t> observed = random_flags(kRows * n, masked, random);
        std::vector<float> wanted(static_cast<size_t>(kRows * n));
        std::vector<float> g(wanted.size() + 1, 99.0F);
        softmax_rows(logits.data(), 1, {observed.data(), kRows, n}, wanted.data(), nullptr);
        softmax_rows(logits.data(), 1, {nullptr, kRows, n}, g.data(), nullptr);
        double rest = 0;
        for (size_t k = 0; k < wanted.size(); ++k) rest += observed[k] != 0 ? 0 : double{g[k]};
        const double kept = leave_out_observed(observed.data(), kRows, n, g.data());
        CHECK(kept == doctest::Approx(rest).epsilon(1e-5));
        double worst = 0;
        for (size_t k = 0; k < wanted.size(); ++k) {
          worst = std::max(worst, std::abs(double{g[k]} - double{wanted[k]}));
          if (observed[k] != 0) REQUIRE(g[k] == 0.0F);
        }
        CHECK(worst < 1e-6);
        CHECK(g.back() == 99.0F);
      }
    }
  });
}

TEST_CASE("where next to nothing is left nothing is") {
  for_each_instruction_set([] {
    for (const float left : {0.0F, 1e-44F, 1e-38F, 1e-31F}) {
      std::vector<float> g{1.0F, left, left};
      const std::vector<uint8_t> observed{1, 0, 0};
      leave_out_observed(observed.data(), 1, 3, g.data());
      for (const float p : g) CHECK(p == 0.0F);
    }
    std::vector<float> g{1.0F, 1e-20F, 3e-20F};
    const std::vector<uint8_t> observed{1, 0, 0};
    leave_out_observed(observed.data(), 1, 3, g.data());
    CHECK(g[1] == doctest::Approx(0.25));
    CHECK(g[2] == doctest::Approx(0.75));
  });
}

TEST_CASE("whatever the logits, probabilities and entropies are finite") {
  for_each_instruction_set([] {
    for (const int64_t n : kCandidates) {
      CAPTURE(n);
      const auto size = static_cast<size_t>(n);
      std::vector<float> g(size);
      float h = 0;
      const auto run = [&](const std::vector<float>& logits, const uint8_t* observed) {
        softmax_rows(logits.data(), 1, {observed, 1, n}, g.data(), &h);
        REQUIRE(std::isfinite(h));
        for (const float p : g) REQUIRE(std::isfinite(p));
      };
      // Enormous but finite: all mass on the largest.
      std::vector<float> logits(size, -3e38F);
      logits.back() = 3e38F;
      run(logits, nullptr);
      CHECK(g.back() == 1.0F);
      CHECK(h == 0.0F);
      // The same masked: the rest share it, and nothing is left of a row of one.
      std::vector<uint8_t> observed(size, 0);
      observed.back() = 1;
      run(logits, observed.data());
      CHECK(g.back() == 0.0F);
      if (n > 1) CHECK(g.front() == doctest::Approx(1.0 / static_cast<double>(n - 1)));
      // What is not a number is never chosen, wherever it stands.
      for (size_t at = 0; at < size; ++at) {
        logits.assign(size, 50.0F);
        logits[at] = kNan;
        run(logits, nullptr);
        CHECK(g[at] == 0.0F);
        CHECK(g[(at + 1) % size] ==
              doctest::Approx(n == 1 ? 0.0 : 1.0 / static_cast<double>(n - 1)));
      }
      logits.assign(size, 0.0F);
      logits.front() = kInfinity;
      run(logits, nullptr);
      for (const float p : g) CHECK(p == 0.0F);
      logits.assign(size, -kInfinity);
      run(logits, nullptr);
      for (const float p : g) CHECK(p == 0.0F);
    }
  });
}

TEST_CASE("expected_reward_gradient is g (r - mean)") {
  for_each_instruction_set([] {
    Random random(2);
    for (const int64_t n : kCandidates) {
      constexpr int64_t kRows = 3;
      std::vector<float> g = random_floats(kRows * n, 3, random);
      softmax_rows(g.data(), 1, {nullptr, kRows, n}, g.data(), nullptr);
      const std::vector<float> rewards = random_floats(kRows * n, 4, random);
      std::vector<float> gradient(static_cast<size_t>(kRows * n + 1), 99.0F);
      const double value =
          expected_reward_gradient(g.data(), rewards.data(), kRows, n, gradient.data());
      double total = 0;
      double worst = 0;
      for (int64_t i = 0; i < kRows; ++i) {
        double mean = 0;
        for (size_t k = static_cast<size_t>(i * n); k < static_cast<size_t>((i + 1) * n); ++k) {
          mean += double{g[k]} * double{rewards[k]};
        }
        for (size_t k = static_cast<size_t>(i * n); k < static_cast<size_t>((i + 1) * n); ++k) {
          const double wanted = double{g[k]} * (double{rewards[k]} - mean);
          worst = std::max(worst, std::abs(wanted - double{gradient[k]}));
        }
        total += mean;
      }
      CAPTURE(n);
      CHECK(worst < 1e-5);
      CHECK(value == doctest::Approx(total).epsilon(1e-5));
      CHECK(gradient.back() == 99.0F);
    }
  });
}

TEST_CASE("the entropy floor acts below itself only") {
  for_each_instruction_set([] {
    Random random(3);
    for (const int64_t n : kCandidates) {
      constexpr int64_t kRows = 4;
      std::vector<float> g = random_floats(kRows * n, 5, random);
      std::vector<float> entropies(kRows);
      softmax_rows(g.data(), 1, {nullptr, kRows, n}, g.data(), entropies.data());
      std::vector<float> sorted = entropies;
      std::sort(sorted.begin(), sorted.end());
      const float floor = (sorted[1] + sorted[2]) / 2;
      std::vector<float> gradient(static_cast<size_t>(kRows * n + 1), 0.25F);
      add_entropy_floor_gradient(g.data(), entropies.data(), floor, kRows, n, gradient.data());
      double worst = 0;
      for (int64_t i = 0; i < kRows; ++i) {
        const double h = double{entropies[static_cast<size_t>(i)]};
        for (size_t k = static_cast<size_t>(i * n); k < static_cast<size_t>((i + 1) * n); ++k) {
          const double p = double{g[k]};
          const double slope = h < double{floor} && p > 0 ? -p * (std::log(p) + h) : 0;
          worst = std::max(worst, std::abs(0.25 + slope - double{gradient[k]}));
        }
      }
      CAPTURE(n);
      CHECK(worst < 2e-6);
      CHECK(gradient.back() == 0.25F);
    }
  });
}

TEST_CASE("negative_losses is softplus, and shows what is not a number") {
  for_each_instruction_set([] {
    std::vector<float> scores;
    for (int i = -401; i <= 401; ++i) scores.push_back(static_cast<float>(i) * 0.23F);
    std::vector<float> losses = scores;
    negative_losses(losses.data(), static_cast<int64_t>(losses.size()), losses.data());
    for (size_t i = 0; i < scores.size(); ++i) {
      const double s = double{scores[i]};
      const double wanted = std::max(s, 0.0) + std::log1p(std::exp(-std::abs(s)));
      CHECK(double{losses[i]} == doctest::Approx(wanted).epsilon(1e-6));
    }
    scores.assign(5, kNan);
    negative_losses(scores.data(), 5, scores.data());
    for (const float loss : scores) CHECK(std::isnan(loss));
  });
}

TEST_CASE("without a force the mixture is (1 - a) p + a g") {
  for_each_instruction_set([] {
    Random random(1);
    for (const size_t n : {1, 2, 7, 16, 33, 100}) {
      const Row row = random_row(n, -1, random);
      std::vector<float> mixed;
      mix(row, 0.6F, 0, mixed);
      for (size_t k = 0; k < n; ++k) {
        const double factor = 0.4 + 0.6 * static_cast<double>(n) * double{row.g[k]};
        CHECK(double{mixed[k]} == doctest::Approx(double{row.weights[k]} * factor).epsilon(1e-5));
      }
    }
  });
}

TEST_CASE("both sums are kept, or scaled by the force, and ratios change along t only") {
  for_each_instruction_set([] {
    Random random(2);
    for (const size_t n : {3, 8, 16, 31, 32, 100}) {
      for (const float sign : {-1.0F, 1.0F}) {
        for (const float force : {1.0F, 1.5F}) {
          const Row row = random_row(n, sign, random);
          constexpr float kShare = 0.3F;
          std::vector<float> mixed;
          mix(row, kShare, force, mixed);
          const double scale = 1 + double{kShare} * (double{force} - 1);
          CHECK(sum_of(mixed, row.t, 0) ==
                doctest::Approx(scale * sum_of(row.weights, row.t, 0)).epsilon(1e-4));
          CHECK(std::abs(sum_of(mixed, row.t, 1) - scale * sum_of(row.weights, row.t, 1)) <
                1e-4 * static_cast<double>(n));
          // h is a line in t: any three points of it lie on one.
          const auto h = [&](size_t k) {
            return double{mixed[k]} / double{row.weights[k]} /
                   (0.7 + 0.3 * static_cast<double>(n) * double{row.g[k]});
          };
          const auto at = [&](size_t k) { return double{row.t[k]}; };
          CHECK(std::abs((h(1) - h(0)) * (at(2) - at(0)) - (h(2) - h(0)) * (at(1) - at(0))) < 1e-4);
        }
      }
    }
  });
}

TEST_CASE("softmax_scores gives each row's softmax and its logarithm, for any score") {
  for_each_instruction_set([] {
    Random random(31);
    for (const int64_t columns : {1, 5, 8, 16, 24, 33}) {
      CAPTURE(columns);
      const int64_t rows = 3;
      std::vector<float> scores(static_cast<size_t>(rows * columns));
      for (float& score : scores) score = 300 * random.uniform() - 150;
      if (columns > 1) scores[1] = -kInfinity;
      std::vector<float> shares = scores;
      std::vector<float> log_sums(rows);
      softmax_scores(shares.data(), rows, columns, log_sums.data());
      for (int64_t i = 0; i < rows; ++i) {
        const auto begin = scores.begin() + i * columns;
        const double most = double{*std::max_element(begin, begin + columns)};
        double sum = 0;
        for (int64_t k = 0; k < columns; ++k) sum += std::exp(double{begin[k]} - most);
        CHECK(double{log_sums[static_cast<size_t>(i)]} ==
              doctest::Approx(most + std::log(sum)).epsilon(1e-6));
        for (int64_t k = 0; k < columns; ++k) {
          const double wanted = std::exp(double{begin[k]} - most) / sum;
          CHECK(std::abs(double{shares[static_cast<size_t>(i * columns + k)]} - wanted) < 1e-6);
        }
      }
      for (int64_t k = 0; k < columns; ++k) {
        std::vector<float> bad(static_cast<size_t>(columns), 1.0F);
        bad[static_cast<size_t>(k)] = kNan;
        softmax_scores(bad.data(), 1, columns, log_sums.data());
        CHECK(std::isnan(log_sums[0]));
      }
    }
  });
}

TEST_CASE("weights keep their sign and stay finite, and without g they stay as they are") {
  for_each_instruction_set([] {
    Random random(3);
    for (int trial = 0; trial < 200; ++trial) {
      Row row = random_row(1 + random.below(40), -1, random);
      const size_t hardest = random.below(static_cast<uint32_t>(row.g.size()));
      for (size_t k = 0; k < row.g.size(); ++k) row.g[k] = k == hardest ? 1.0F : 0.0F;
      for (float& t : row.t) t *= 100;
      std::vector<float> mixed;
      mix(row, 1, 1, mixed);
      for (const float weight : mixed) CHECK((std::isfinite(weight) && weight <= 0));
      for (float& p : row.g) p = 0;
      mix(row, 1, 1, mixed);
      CHECK(mixed == row.weights);
    }
    Row equal = random_row(16, -1, random);
    for (float& t : equal.t) t = 0.25F;  // along a direction in which all are alike
    std::vector<float> mixed;
    mix(equal, 0.6F, 1, mixed);
    CHECK(sum_of(mixed, equal.t, 0) ==
          doctest::Approx(sum_of(equal.weights, equal.t, 0)).epsilon(1e-4));
  });
}

}  // namespace acevec
