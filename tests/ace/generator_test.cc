// The generator's step against finite differences of the whole objective (network, prior and
// policy), and what becomes of it when it collapses.
// The table of hidden rows holds what the generator would compute, as of each condition's turn.

#include "ace/generator.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "ace/policy.h"
#include "base/parallel.h"
#include "base/random.h"
#include "kernels/hogwild.h"
#include "kernels/policy_kernels.h"

namespace acevec::generator_test {
namespace {

constexpr int64_t kInputs = 20;
constexpr int64_t kOutcomes = 30;
constexpr int64_t kRows = 7;
constexpr int64_t kCandidates = 10;
constexpr float kBeta = 0.7F;

// A matrix in double.
using Table = std::vector<std::vector<double>>;

Table table_of(const Matrix& matrix) {
  Table table;
  for (int64_t i = 0; i < matrix.rows(); ++i) {
    table.emplace_back(matrix.row(i), matrix.row(i) + matrix.columns());
  }
  return table;
}

// θ: hidden layers, then the table of outputs.
std::vector<Table> tables_of(const GeneratorParameters& parameters) {
  std::vector<Table> tables;
  for (const Matrix& layer : parameters.layers) tables.push_back(table_of(layer));
  tables.push_back(table_of(parameters.outputs));
  return tables;
}

// h of one condition, the plain way.
std::vector<double> hidden_of(const std::vector<Table>& tables, const float* features) {
  std::vector<double> x(features, features + kInputs);
  for (size_t layer = 0; layer + 1 < tables.size(); ++layer) {
    const bool last = layer + 2 == tables.size();
    std::vector<double> y(tables[layer][0].size() - (last ? 1 : 0));
    for (size_t k = 0; k < y.size(); ++k) {
      double sum = tables[layer].back()[k];
      for (size_t i = 0; i < x.size(); ++i) sum += x[i] * tables[layer][i][k];
      y[k] = std::tanh(sum);
    }
    x = y;
  }
  return x;
}

// Conditions, candidates and all that the objective depends on but θ.
struct Block {
  std::vector<float> features = std::vector<float>(kRows * padded(kInputs));
  std::vector<int32_t> candidates;
  std::vector<float> prior, rewards;
  std::vector<uint8_t> observed;
};

Block random_block(uint64_t seed) {
  Random random(seed);
  Block block;
  for (int64_t i = 0; i < kRows; ++i) {
    for (int64_t k = 0; k < kInputs; ++k) {
      block.features[static_cast<size_t>(i * padded(kInputs) + k)] = 2 * random.uniform() - 1;
    }
  }
  // Without repetition: each outcome takes one step.
  for (int32_t k = 0; k < kCandidates; ++k) {
    block.candidates.push_back((7 * k + 3) % static_cast<int32_t>(kOutcomes));
  }
  for (int64_t i = 0; i < kRows * kCandidates; ++i) {
    block.prior.push_back(3 * random.uniform());
    block.rewards.push_back(2 * random.uniform());
    block.observed.push_back(random.uniform() < 0.2F);
  }
  return block;
}

double logit(const Table& outputs, const std::vector<double>& h, int32_t candidate) {
  const std::vector<double>& row = outputs[static_cast<size_t>(candidate)];
  double sum = row.back();
  for (size_t i = 0; i < h.size(); ++i) sum += h[i] * row[i];
  return sum;
}

// Σ J of the block's conditions, as policy.h states it.
double objective(const PolicySettings& settings, const std::vector<Table>& tables,
                 const Block& block) {
  double total = 0;
  for (size_t i = 0; i < kRows; ++i) {
    const auto h = hidden_of(tables, block.features.data() + i * size_t{padded(kInputs)});
    std::vector<double> g;
    double sum = 0;
    for (size_t k = 0; k < kCandidates; ++k) {
      g.push_back(std::exp(logit(tables.back(), h, block.candidates[k]) +
                           double{kBeta} * double{block.prior[i * kCandidates + k]}));
      sum += g.back();
    }
    double entropy = 0;
    for (size_t k = 0; k < kCandidates; ++k) {
      const size_t at = i * kCandidates + k;
      g[k] /= sum;
      entropy -= g[k] * std::log(g[k]);
      total +=
          g[k] * (block.observed[at] != 0 ? -double{settings.penalty} : double{block.rewards[at]});
    }
    total -= std::max(0.0, std::log(settings.entropy_floor) - entropy);
  }
  return total;
}

GeneratorSettings settings_for(const std::vector<int64_t>& hidden, OptimizerKind kind, float rate) {
  GeneratorSettings settings{kInputs, hidden, kOutcomes, {}, 5};
  settings.optimizer.kind = kind;
  settings.optimizer.rate = rate;
  return settings;
}

// As they are after some training.
void randomise_outputs(GeneratorParameters& parameters, uint64_t seed) {
  Random random(seed);
  for (int64_t i = 0; i < kOutcomes; ++i) {
    for (int64_t k = 0; k < parameters.outputs.columns(); ++k) {
      parameters.outputs.row(i)[k] = random.uniform() - 0.5F;
    }
  }
}

// One block through the generator and its policy, and one step.
PolicyReport step(Generator& generator, const PolicySettings& settings, Block block,
                  Random& random) {
  std::vector<float> logits(kRows * kCandidates);
  std::vector<float> g(logits.size());
  std::vector<float> gradient(logits.size());
  const float* const h = generator.hidden(block.features.data(), kRows);
  generator.logits(h, kRows, {block.candidates.data(), kCandidates}, block.prior.data(), kBeta,
                   logits.data());
  const PolicyReport value =
      policy_gradient(settings, {block.observed.data(), kRows, kCandidates}, logits.data(),
                      block.rewards.data(), random, {g.data(), gradient.data()});
  generator.learn(block.features.data(), gradient.data());
  return value;
}

bool all_finite(const GeneratorParameters& parameters) {
  for (const Table& table : tables_of(parameters)) {
    for (const auto& row : table) {
      for (const double value : row) {
        if (!std::isfinite(value)) return false;
      }
    }
  }
  return true;
}

const std::vector<std::vector<int64_t>> kShapes{{}, {12}, {16, 9}, {8, 32, 15}};

}  // namespace

TEST_CASE("a step is the rate times the numerical gradient of the objective, for all of theta") {
  PolicySettings policy;
  policy.entropy_floor = 6;
  for (const auto& hidden : kShapes) {
    CAPTURE(hidden.size());
    constexpr float kRate = 1e-2F;
    GeneratorParameters parameters(settings_for(hidden, OptimizerKind::kSgd, kRate));
    randomise_outputs(parameters, 3);
    // Room for all candidates, or only for 4 or 10 at a time, or a team: the step is the same.
    const bool team = hidden.size() != 1;
    const int64_t room = team ? kCandidates + static_cast<int64_t>(hidden.size()) : 4;
    Generator generator(parameters, kRows + 3, room, team ? 2 : DenseLayer::kShared);
    const Block block = random_block(4);
    const std::vector<Table> before = tables_of(parameters);
    Random unused(1);
    step(generator, policy, block, unused);
    const std::vector<Table> after = tables_of(parameters);

    constexpr double kStep = 1e-5;
    for (size_t t = 0; t < before.size(); ++t) {
      double worst = 0;
      double most = 0;
      for (size_t i = 0; i < before[t].size(); ++i) {
        for (size_t k = 0; k < before[t][i].size(); ++k) {
          std::vector<Table> more = before;
          std::vector<Table> less = before;
          more[t][i][k] += kStep;
          less[t][i][k] -= kStep;
          const double slope =
              (objective(policy, more, block) - objective(policy, less, block)) / (2 * kStep);
          const double change = (after[t][i][k] - before[t][i][k]) / double{kRate};
          worst = std::max(worst, std::abs(change - slope));
          most = std::max(most, std::abs(slope));
        }
      }
      CAPTURE(t);
      CHECK(most > 0.05);
      CHECK(worst < 5e-5);
    }
  }
}

TEST_CASE("at first it is its prior, or uniform without one") {
  for (const auto& hidden : kShapes) {
    GeneratorParameters parameters(settings_for(hidden, OptimizerKind::kAdam, 1e-3F));
    Generator generator(parameters, kRows, kCandidates);
    const Block block = random_block(1);
    std::vector<float> logits(kRows * kCandidates, 99.0F);
    const float* const h = generator.hidden(block.features.data(), kRows);
    generator.logits(h, kRows, {block.candidates.data(), kCandidates}, nullptr, kBeta,
                     logits.data());
    for (const float value : logits) CHECK(value == 0.0F);
    generator.logits(h, kRows, {block.candidates.data(), kCandidates}, block.prior.data(), kBeta,
                     logits.data());
    for (size_t i = 0; i < logits.size(); ++i) CHECK(logits[i] == kBeta * block.prior[i]);
  }
}

TEST_CASE("learning raises the objective, with either optimizer") {
  PolicySettings policy;
  policy.entropy_floor = 3;
  for (const OptimizerKind kind : {OptimizerKind::kSgd, OptimizerKind::kAdam}) {
    for (const auto& hidden : kShapes) {
      GeneratorParameters parameters(
          settings_for(hidden, kind, kind == OptimizerKind::kSgd ? 0.2F : 0.01F));
      Generator generator(parameters, kRows, kCandidates);
      const Block block = random_block(2);
      Random unused(1);
      const double first = objective(policy, tables_of(parameters), block);
      for (int i = 0; i < 1001; ++i) step(generator, policy, block, unused);
      const double reached = objective(policy, tables_of(parameters), block);
      const PolicyReport last = step(generator, policy, block, unused);
      CAPTURE(hidden.size());
      // The best without a floor is the highest reward of each row.
      double best = 0;
      for (size_t i = 0; i < kRows; ++i) {
        float row = 0;
        for (size_t k = i * kCandidates; k < (i + 1) * kCandidates; ++k) {
          if (block.observed[k] == 0) row = std::max(row, block.rewards[k]);
        }
        best += double{row};
      }
      CHECK(reached > first + 0.6 * (best - first));
      CHECK(reached < best);
      CHECK(last.entropy > 0.5 * kRows * std::log(3.0));
    }
  }
}

TEST_CASE(
    "without a floor it collapses onto one huge reward, in finite numbers, and masked falls back") {
  for (const auto estimator :
       {PolicySettings::Estimator::kExact, PolicySettings::Estimator::kOffPolicy}) {
    for (const OptimizerKind kind : {OptimizerKind::kSgd, OptimizerKind::kAdam}) {
      for (const auto& hidden : kShapes) {
        PolicySettings policy;
        policy.estimator = estimator;
        GeneratorParameters parameters(settings_for(hidden, kind, 0.1F));
        Generator generator(parameters, kRows, kCandidates);
        Block block = random_block(6);
        constexpr size_t kFavourite = 4;
        std::fill(block.observed.begin(), block.observed.end(), uint8_t{0});
        for (size_t i = 0; i < kRows; ++i) block.rewards[i * kCandidates + kFavourite] = 1e6F;
        Random random(3);
        for (int i = 0; i < 3000; ++i) step(generator, policy, block, random);
        REQUIRE(all_finite(parameters));

        std::vector<float> logits(kRows * kCandidates);
        std::vector<float> g(logits.size());
        std::vector<float> entropies(kRows);
        const float* const h = generator.hidden(block.features.data(), kRows);
        generator.logits(h, kRows, {block.candidates.data(), kCandidates}, nullptr, 0,
                         logits.data());
        softmax_rows(logits.data(), 1, {nullptr, kRows, kCandidates}, g.data(), entropies.data());
        for (size_t i = 0; i < kRows; ++i) {
          CHECK(g[i * kCandidates + kFavourite] > 0.99F);
          CHECK(entropies[i] < 0.1F);
          block.observed[i * kCandidates + kFavourite] = 1;
        }
        // The favourite is a false negative: what is left of g is a distribution over the rest.
        softmax_rows(logits.data(), 1, {block.observed.data(), kRows, kCandidates}, g.data(),
                     entropies.data());
        for (size_t i = 0; i < kRows; ++i) {
          double sum = 0;
          for (size_t k = i * kCandidates; k < (i + 1) * kCandidates; ++k) {
            REQUIRE(std::isfinite(g[k]));
            sum += double{g[k]};
          }
          CHECK(g[i * kCandidates + kFavourite] == 0.0F);
          CHECK(sum == doctest::Approx(1).epsilon(1e-5));
          CHECK(std::isfinite(entropies[i]));
        }
        // All are: nothing is left, and the noise takes over.
        std::fill(block.observed.begin(), block.observed.end(), uint8_t{1});
        softmax_rows(logits.data(), 1, {block.observed.data(), kRows, kCandidates}, g.data(),
                     entropies.data());
        for (const float p : g) CHECK(p == 0.0F);
      }
    }
  }
}

TEST_CASE("weights decay in what a step touches, and what no candidate names stays") {
  GeneratorSettings settings = settings_for({8}, OptimizerKind::kAdam, 0.1F);
  settings.optimizer.weight_decay = 0.5F;
  GeneratorParameters parameters(settings);
  randomise_outputs(parameters, 3);
  const std::vector<Table> before = tables_of(parameters);
  Generator generator(parameters, kRows, kCandidates);
  const Block block = random_block(4);
  const std::vector<float> nothing(kRows * kCandidates, 0.0F);
  std::vector<float> logits(nothing.size());
  generator.logits(generator.hidden(block.features.data(), kRows), kRows,
                   {block.candidates.data(), kCandidates}, nullptr, 0, logits.data());
  generator.learn(block.features.data(), nothing.data());
  const std::vector<Table> after = tables_of(parameters);
  CHECK(after[0][0][0] == doctest::Approx(0.95 * before[0][0][0]));
  for (int32_t y = 0; y < kOutcomes; ++y) {
    const auto row = static_cast<size_t>(y);
    const bool touched =
        std::find(block.candidates.begin(), block.candidates.end(), y) != block.candidates.end();
    CHECK(after[1][row][0] == doctest::Approx((touched ? 0.95 : 1.0) * before[1][row][0]));
  }
}

TEST_CASE("one thread and a seed give the same generator, another seed another") {
  const auto train = [](uint64_t seed) {
    GeneratorSettings settings = settings_for({16, 9}, OptimizerKind::kAdam, 0.01F);
    settings.seed = seed;
    GeneratorParameters parameters(settings);
    Generator generator(parameters, kRows, kCandidates);
    Random random(1);
    PolicySettings policy;
    policy.estimator = PolicySettings::Estimator::kReinforce;
    for (int i = 0; i < 20; ++i) step(generator, policy, random_block(4), random);
    return tables_of(parameters);
  };
  CHECK(train(1) == train(1));
  CHECK(train(1) != train(2));
}

TEST_CASE("a team takes the steps of one thread to the byte, and those of a shared generator") {
  constexpr int64_t kMany = 70;  // conditions and candidates
  for (const auto& hidden : kShapes) {
    for (const bool all : {false, true}) {
      CAPTURE(hidden.size());
      CAPTURE(all);
      const auto train = [&](int threads) {
        GeneratorSettings settings = settings_for(hidden, OptimizerKind::kAdam, 0.01F);
        settings.optimizer.weight_decay = 0.1F;
        settings.outcomes = kMany;
        GeneratorParameters parameters(settings);
        Generator generator(parameters, kMany, kMany, threads);
        Random random(2);
        std::vector<float> features(kMany * padded(kInputs)), prior(kMany * kMany),
            logits(prior.size()), gradient(prior.size());
        std::vector<int32_t> candidates(kMany);
        for (int step = 0; step < 3; ++step) {
          for (float& value : features) value = random.uniform() - 0.5F;
          for (float& value : prior) value = random.uniform();
          for (float& value : gradient) value = random.uniform() - 0.5F;
          for (int32_t& y : candidates) y = static_cast<int32_t>(random.below(kMany));  // repeated
          const float* const h = generator.hidden(features.data(), kMany);
          generator.logits(h, kMany, {all ? nullptr : candidates.data(), kMany}, prior.data(),
                           kBeta, logits.data());
          generator.learn(features.data(), gradient.data());
        }
        std::vector<Table> learned = tables_of(parameters);
        learned.emplace_back().emplace_back(logits.begin(), logits.end());
        return learned;
      };
      const std::vector<Table> one = train(1);
      for (const int threads : {2, 3, 5, 16}) CHECK(train(threads) == one);
      const std::vector<Table> shared = train(DenseLayer::kShared);
      double worst = 0;
      for (size_t t = 0; t < one.size(); ++t) {
        for (size_t i = 0; i < one[t].size(); ++i) {
          for (size_t k = 0; k < one[t][i].size(); ++k) {
            worst = std::max(worst, std::abs(one[t][i][k] - shared[t][i][k]));
          }
        }
      }
      CHECK(worst < 1e-5);
    }
  }
}

TEST_CASE("threads share one generator and it still learns") {
  GeneratorParameters parameters(settings_for({16, 9}, OptimizerKind::kAdam, 0.01F));
  const Block block = random_block(2);
  PolicySettings policy;
  policy.entropy_floor = 3;
  const double first = objective(policy, tables_of(parameters), block);
  in_parallel(4, [&](int thread) {
    Generator generator(parameters, kRows, kCandidates);
    Random random(static_cast<uint64_t>(thread));
    for (int i = 0; i < 300; ++i) step(generator, policy, block, random);
  });
  REQUIRE(all_finite(parameters));
  CHECK(objective(policy, tables_of(parameters), block) > first + 5);
}

}  // namespace acevec::generator_test

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
