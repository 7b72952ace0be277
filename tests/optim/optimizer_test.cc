// Both optimizers against their textbook form in double, for every instruction set.

#include "optim/optimizer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <doctest/doctest.h>
#include "base/random.h"
#include "instruction_sets.h"
#include "kernels/hogwild.h"

namespace acevec {
namespace {

constexpr float kNoLimit = std::numeric_limits<float>::infinity();

// Algorithm 1 of Kingma and Ba, for one parameter, with steps counted and powers taken.
struct ReferenceAdam {
  double m = 0, v = 0;
  int steps = 0;

  double direction(const OptimizerSettings& settings, double gradient) {
    const double beta1 = double{settings.beta1};
    const double beta2 = double{settings.beta2};
    ++steps;
    m = beta1 * m + (1 - beta1) * gradient;
    v = beta2 * v + (1 - beta2) * gradient * gradient;
    const double m_hat = m / (1 - std::pow(beta1, steps));
    const double v_hat = v / (1 - std::pow(beta2, steps));
    return m_hat / (std::sqrt(v_hat) + double{settings.epsilon});
  }
};

// A table, its moments and the two together.
struct Table {
  Table(const OptimizerSettings& settings, int64_t rows, int64_t columns)
      : parameters(rows, columns),
        moments(Optimizer::moments_for(settings, rows, parameters.stride())),
        optimizer(settings, moments, parameters.stride(), 16),
        by_time(settings) {}

  // `gradients`: one for each id, the same in each column.
  void step(const std::vector<int32_t>& ids, const std::vector<float>& gradients) {
    const auto count = static_cast<int64_t>(ids.size());
    AlignedFloats rows(count * parameters.stride());
    AlignedFloats changes(count * parameters.stride());
    optimizer.prefetch(ids.data(), count);
    gather_rows(parameters, ids.data(), count, rows.data());
    for (int64_t i = 0; i < count; ++i) {
      for (int64_t k = 0; k < parameters.columns(); ++k) {
        changes.data()[i * parameters.stride() + k] = gradients[static_cast<size_t>(i)];
      }
    }
    if (by_time.by_time) {
      for (int64_t i = 0; i < count; ++i) {
        take_row_step(by_time, number, moments, ids[static_cast<size_t>(i)], parameters.stride(),
                      rows.data() + i * parameters.stride(),
                      changes.data() + i * parameters.stride());
      }
    } else {
      optimizer.changes(ids.data(), count, rows.data(), changes.data());
    }
    scatter_add(parameters, ids.data(), count, changes.data(), kNoLimit);
  }

  Matrix parameters;
  Matrix moments;
  Optimizer optimizer;
  OptimizerSettings by_time;  // with these, steps are taken by number
  int64_t number = 1;
};

}  // namespace

TEST_CASE("Adam is Adam, with moments and steps of each row's own") {
  for_each_instruction_set([] {
    for (const float epsilon : {1e-8F, 0.1F}) {
      OptimizerSettings settings;
      settings.epsilon = epsilon;
      constexpr int64_t kRows = 5;
      Table table(settings, kRows, 20);
      std::vector<ReferenceAdam> adam(kRows);
      std::vector<double> wanted(kRows);
      Random random(1);
      for (int step = 0; step < 400; ++step) {
        std::vector<int32_t> ids;
        std::vector<float> gradients;
        for (int32_t i = 0; i < kRows; ++i) {
          if (random.below(static_cast<uint32_t>(i) + 1) != 0) continue;  // row 4 the most seldom
          ids.push_back(i);
          gradients.push_back((random.uniform() - 0.3F) * (step < 200 ? 1.0F : 1e-4F));
          const auto row = static_cast<size_t>(i);
          wanted[row] -= 1e-3 * adam[row].direction(settings, double{gradients.back()});
        }
        table.step(ids, gradients);
      }
      for (int64_t i = 0; i < kRows; ++i) {
        const auto row = static_cast<size_t>(i);
        REQUIRE(adam[row].steps > 50);
        CHECK(double{table.parameters.row(i)[0]} == doctest::Approx(wanted[row]).epsilon(1e-3));
        CHECK(table.parameters.row(i)[19] == table.parameters.row(i)[0]);
        CHECK(table.parameters.row(i)[20] == 0.0F);  // padding
      }
    }
  });
}

TEST_CASE(
    "by time, rows that are touched now and then move as when Adam touches all at every step") {
  for_each_instruction_set([] {
    OptimizerSettings settings;
    settings.rate = 0.1F;
    settings.beta1 = 0;
    settings.beta2 = 0.9F;
    settings.by_time = true;
    constexpr int64_t kColumns = 5;
    Table table(settings, 3, kColumns);
    ReferenceAdam reference[3];
    double wanted[3] = {0, 0, 0};
    Random random(4);
    for (int step = 1; step <= 60; ++step) {
      std::vector<int32_t> ids;
      std::vector<float> gradients;
      for (int32_t id = 0; id < 3; ++id) {
        // Row 0 at every step, row 1 at one of three, row 2 not before step 40.
        const bool touched = id == 0 || (id == 1 && random.below(3) == 0) || (id == 2 && step > 40);
        const float gradient = touched ? 2 * random.uniform() - 1 : 0.0F;
        wanted[id] -= 0.1 * reference[id].direction(settings, double{gradient});
        if (!touched) continue;
        ids.push_back(id);
        gradients.push_back(gradient);
      }
      table.number = step;
      table.step(ids, gradients);
    }
    for (int32_t id = 0; id < 3; ++id) {
      for (int64_t k = 0; k < kColumns; ++k) {
        CHECK(double{table.parameters.row(id)[k]} == doctest::Approx(wanted[id]).epsilon(1e-4));
      }
    }
  });
}

TEST_CASE("by time, steps beyond 2^24 are counted exactly") {
  for_each_instruction_set([] {
    OptimizerSettings settings;
    settings.beta1 = 0;
    settings.beta2 = 0.99F;
    settings.by_time = true;
    // The same touches after few steps and after many: by then 1 − β2ᵗ is 1 in both.
    const auto run_from = [&](int64_t start) {
      Table table(settings, 1, 16);
      for (const int64_t step : {1, 1900, 2001, 2002, 2005, 2038}) {
        table.number = step == 1 ? 1 : start + step;
        table.step({0}, {step < 2001 ? 1.0F : 0.1F});
      }
      return table.parameters.row(0)[0];
    };
    const float wanted = run_from(0);
    for (const int64_t start : {int64_t{1} << 24, int64_t{1} << 30, int64_t{1} << 40}) {
      CHECK(run_from(start) == doctest::Approx(wanted).epsilon(1e-6));
    }
  });
}

TEST_CASE("however many steps there were, a constant gradient moves a row by the rate") {
  Table table({}, 1, 16);
  AlignedFloats change(16);
  const int32_t id = 0;
  for (int step = 1; step <= 50000; ++step) {
    std::fill_n(change.data(), 16, 0.25F);
    table.optimizer.changes(&id, 1, nullptr, change.data());
    if (step % 1000 == 0) REQUIRE(change.data()[3] == doctest::Approx(-1e-3).epsilon(1e-4));
  }
}

TEST_CASE("Adam's first step is the rate, whatever the size of the gradient") {
  Table table({}, 4, 16);
  table.step({0, 1, 2}, {1e-4F, -3.0F, 1e6F});
  CHECK(table.parameters.row(0)[0] == doctest::Approx(-1e-3).epsilon(1e-3));
  CHECK(table.parameters.row(1)[0] == doctest::Approx(1e-3).epsilon(1e-5));
  CHECK(table.parameters.row(2)[0] == doctest::Approx(-1e-3).epsilon(1e-5));
  CHECK(table.parameters.row(3)[0] == 0.0F);
}

TEST_CASE("Adagrad divides by the root of all squares, of each number's own") {
  for_each_instruction_set([] {
    OptimizerSettings settings;
    settings.kind = OptimizerKind::kAdagrad;
    settings.rate = 0.5F;
    settings.epsilon = 0.01F;
    Table table(settings, 2, 20);
    double squares = 0, wanted = 0;
    Random random(3);
    for (int step = 0; step < 50; ++step) {
      const float gradient = random.uniform() - 0.3F;
      squares += double{gradient} * double{gradient};
      wanted -= 0.5 * double{gradient} / (std::sqrt(squares) + 0.01);
      table.step({1}, {gradient});
    }
    CHECK(double{table.parameters.row(1)[0]} == doctest::Approx(wanted).epsilon(1e-4));
    CHECK(table.parameters.row(1)[19] == table.parameters.row(1)[0]);
    CHECK(table.parameters.row(1)[20] == 0.0F);  // padding
    CHECK(table.parameters.row(0)[0] == 0.0F);   // not touched
    table.step({1}, {3e38F});
    table.step({1}, {-3e38F});
    CHECK(std::isfinite(table.parameters.row(1)[0]));
  });
}

TEST_CASE("SGD follows the gradient and remembers nothing") {
  for_each_instruction_set([] {
    OptimizerSettings settings;
    settings.kind = OptimizerKind::kSgd;
    settings.rate = 0.5F;
    Table table(settings, 3, 16);
    CHECK(table.moments.rows() == 0);
    table.step({2, 0, 2}, {1.0F, -2.0F, 3.0F});
    CHECK(table.parameters.row(2)[3] == -2.0F);
    CHECK(table.parameters.row(0)[3] == 1.0F);
    CHECK(table.parameters.row(1)[3] == 0.0F);
    table.optimizer.set_rate(0.25F);
    table.step({1}, {1.0F});
    CHECK(table.parameters.row(1)[3] == -0.25F);
  });
}

TEST_CASE("to ascend is to go the other way, but weights decay all the same") {
  for (const OptimizerKind kind :
       {OptimizerKind::kSgd, OptimizerKind::kAdam, OptimizerKind::kAdagrad}) {
    OptimizerSettings settings;
    settings.kind = kind;
    Table down(settings, 1, 16);
    settings.ascend = true;
    Table up(settings, 1, 16);
    settings.weight_decay = 0.1F;
    settings.rate = 0.5F;
    Table decaying(settings, 2, 16);
    for (int step = 0; step < 3; ++step) {
      down.step({0}, {0.7F});
      up.step({0}, {0.7F});
      CHECK(up.parameters.row(0)[2] == -down.parameters.row(0)[2]);
      CHECK(up.parameters.row(0)[2] > 0.0F);
    }
    decaying.parameters.row(0)[2] = 4;
    decaying.parameters.row(1)[2] = 4;
    decaying.step({0}, {0.0F});
    CHECK(decaying.parameters.row(0)[2] == doctest::Approx(4 - 0.5 * 0.1 * 4));
    CHECK(decaying.parameters.row(1)[2] == 4.0F);  // not touched
  }
}

TEST_CASE("moments stay finite for gradients of any size") {
  Table table({}, 1, 16);
  for (const float gradient : {1e30F, -1e30F, 0.0F, 1e-30F, 1e-40F, 3e38F, 1.0F}) {
    table.step({0}, {gradient});
    for (int64_t k = 0; k < table.parameters.stride(); ++k) {
      CHECK(std::isfinite(table.parameters.row(0)[k]));
    }
  }
}

TEST_CASE("whatever two threads that race leave of a row's moments, the next step is bounded") {
  // A row that steps have left alone for long, or for ever, is taken up by two threads at once: one
  // sees a large gradient, the other a small one or none.
  for (const float beta1 : {0.0F, 0.9F}) {
    for (const bool fresh : {true, false}) {
      for (const float small : {0.0F, 1e-6F, 0.1F}) {
        OptimizerSettings settings;
        settings.rate = 1;
        settings.beta1 = beta1;
        Table one(settings, 1, 16), other(settings, 1, 16), raced(settings, 1, 16);
        for (Table* const table : {&one, &other, &raced}) {
          for (int step = 1; !fresh && step < 500; ++step) {
            table->step({0}, {1.0F});
          }
        }
        const int64_t size = raced.moments.stride();
        const std::vector<float> before(raced.moments.row(0), raced.moments.row(0) + size);
        one.step({0}, {10.0F});
        other.step({0}, {small});
        const float* const a = one.moments.row(0);
        const float* const b = other.moments.row(0);
        // Steps as long as m/√v can become, bias corrections and all.
        const double share = double{beta1} * double{beta1} / 0.999;
        const double longest = 1 / std::sqrt(0.001 * (1 - share)) * std::sqrt(2);
        Random random(3);
        for (int round = 0; round < 100; ++round) {
          for (int64_t k = 0; k < size; ++k) {
            // Either's number; or, the first time, their changes added up.
            const float both = a[k] + b[k] - before[static_cast<size_t>(k)];
            raced.moments.row(0)[k] = round == 0 ? both : random.below(2) == 0 ? a[k] : b[k];
          }
          AlignedFloats change(raced.parameters.stride());
          for (int64_t k = 0; k < 16; ++k) change.data()[k] = round % 2 == 0 ? 0.0F : 0.3F;
          const int32_t id = 0;
          raced.optimizer.changes(&id, 1, nullptr, change.data());
          for (int64_t k = 0; k < 16; ++k) {
            REQUIRE(std::isfinite(change.data()[k]));
            REQUIRE(std::abs(double{change.data()[k]}) <= longest);
          }
        }
      }
    }
  }
}

TEST_CASE("Adam finds the minimum of a badly scaled bowl") {
  OptimizerSettings settings;
  settings.rate = 0.05F;
  Table table(settings, 2, 16);
  for (int step = 0; step < 2000; ++step) {
    table.optimizer.set_rate(0.05F * (1 - static_cast<float>(step) / 2000));
    table.step({0, 1}, {1000 * (table.parameters.row(0)[0] - 3),
                        0.001F * (table.parameters.row(1)[0] + 2)});
  }
  CHECK(table.parameters.row(0)[0] == doctest::Approx(3).epsilon(1e-3));
  CHECK(table.parameters.row(1)[0] == doctest::Approx(-2).epsilon(1e-3));
}

}  // namespace acevec
