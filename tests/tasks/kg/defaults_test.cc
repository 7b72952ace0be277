// What a graph decides: epochs, learning rate and the weight of N3.

#include "tasks/kg/defaults.h"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include "train/train_task.h"

namespace acevec::kg_defaults_test {
namespace {

constexpr int32_t kEntities = 40;

// Relation r leads r + 1 places on; every fifth triple is for validation.
Graph wheel() {
  Graph graph;
  for (int32_t i = 0; i < kEntities; ++i) graph.entities.add("e" + std::to_string(i));
  for (int32_t relation = 0; relation < 4; ++relation) {
    graph.relations.add("r" + std::to_string(relation));
    for (int32_t head = 0; head < kEntities; ++head) {
      const Triple triple{head, relation, (head + relation + 1) % kEntities};
      (head % 5 == relation ? graph.valid : graph.train).triples.push_back(triple);
    }
  }
  return graph;
}

constexpr KgShape kShape{ScoreKind::kComplEx, 400};
constexpr TaskRunner::Plan kPlan{.threads = 1, .seed = 3, .epochs = 7, .rate = {0.4, 0.004}};

KgSettings softmax_settings() {
  KgSettings settings;
  settings.loss = KgLossKind::kSoftmax;
  settings.optimizer.kind = OptimizerKind::kAdagrad;
  settings.batch = 10;
  settings.negatives = 2048;
  settings.seed = 3;
  return settings;
}

std::vector<N3Trial> tried() {
  const Graph graph = wheel();
  const KnownTriples known(kEntities, {graph.train.triples, graph.valid.triples});
  Progress progress(true);
  return try_n3(graph, known, kShape, softmax_settings(), kPlan, progress);
}

// The weights that are tried where the MRR is highest at `best`.
std::vector<float> weights_for(float best) {
  std::vector<N3Trial> trials;
  std::vector<float> weights;
  while (const std::optional<float> n3 = next_n3(trials)) {
    weights.push_back(*n3);
    trials.push_back({*n3, 1 - std::abs(std::log2(double{*n3} / double{best}))});
  }
  return weights;
}

}  // namespace

TEST_CASE("a small graph has more epochs, from 24 to 48") {
  CHECK(default_graph_epochs(10'000'000) == 24);
  CHECK(default_graph_epochs(125'000) == 24);
  CHECK(default_graph_epochs(100'000) == 30);
  CHECK(default_graph_epochs(62'500) == 48);
  CHECK(default_graph_epochs(1) == 48);
}

TEST_CASE("size times the rate's cube is the same for all sizes from 256 on") {
  const double usual = 256 * 0.4 * 0.4 * 0.4;
  for (const int64_t size : {300, 500, 1000, 2000, 4000}) {
    const double rate = default_graph_rate(size);
    CHECK(static_cast<double>(size) * rate * rate * rate == doctest::Approx(usual).epsilon(0.1));
  }
  CHECK(default_graph_rate(1000) == 0.25);
}

TEST_CASE("shorter vectors have the usual rate") {
  CHECK(default_graph_rate(2) == 0.4);
  CHECK(default_graph_rate(256) == 0.4);
}

TEST_CASE("the weight of N3 is 0.07, and less the more triples an entity has, to two digits") {
  CHECK(default_n3(0.5) == 0.07F);
  CHECK(default_n3(5) == 0.07F);
  CHECK(default_n3(6) == 0.065F);
  CHECK(default_n3(16) == 0.04F);
  CHECK(default_n3(8544.0 / 104) == 0.018F);
  CHECK(default_n3(256'000'000) == 1e-5F);
}

TEST_CASE("a trial has half the epochs of a run, on large graphs fewer but 8 or half of few") {
  CHECK(trial_epochs(48, 1) == 24);
  CHECK(trial_epochs(48, 62500) == 24);
  CHECK(trial_epochs(34, 100000) == 15);
  CHECK(trial_epochs(24, 1000000) == 8);
  CHECK(trial_epochs(5, 1000000) == 3);
  CHECK(trial_epochs(1, 1) == 1);
}

TEST_CASE("weights are tried towards the best one, until both of its neighbours were") {
  CHECK(weights_for(0.04F) == std::vector<float>{0.04F, 0.02F, 0.08F});
  CHECK(weights_for(0.02F) == std::vector<float>{0.04F, 0.02F, 0.01F});
  CHECK(weights_for(0.08F) == std::vector<float>{0.04F, 0.02F, 0.08F, 0.16F});
  CHECK(weights_for(0.16F) == std::vector<float>{0.04F, 0.02F, 0.08F, 0.16F, 0.32F});
  CHECK(weights_for(0.01F) == std::vector<float>{0.04F, 0.02F, 0.01F, 0.005F});
}

TEST_CASE("no more than five weights are tried") {
  CHECK(weights_for(10).size() == 5);
  CHECK(weights_for(1e-6F).size() == 5);
}

TEST_CASE("of equal weights the first is the best") {
  CHECK(best_of({{0.01F, 0.2}, {0.04F, 0.4}, {0.16F, 0.4}, {0.02F, 0.3}}).n3 == 0.04F);
}

TEST_CASE("the weight is where a parabola through the best trial and its neighbours is highest") {
  // Over log2 the parabola 0.4 - 0.1 (x - 0.25)^2 with x = 0 at 0.04.
  const auto mrr = [](double x) { return 0.4 - 0.1 * (x - 0.25) * (x - 0.25); };
  const std::vector<N3Trial> trials{
      {0.01F, mrr(-2)}, {0.04F, mrr(0)}, {0.16F, mrr(2)}, {0.02F, mrr(-1)}, {0.08F, mrr(1)}};
  CHECK(chosen_n3(trials) == doctest::Approx(0.048));  // 0.04 * 2^0.25 = 0.0476
  CHECK(chosen_n3({{0.01F, 0.3}, {0.005F, 0.4}}) == 0.005F);
  CHECK(chosen_n3({{0.01F, 0.3}, {0.02F, 0.3}, {0.005F, 0.3}}) == 0.01F);
}

TEST_CASE(
    "a trial is a run with an eighth of the size, half the epochs, at most 8, and fewer "
    "candidates, with the rate for its size") {
  const Graph graph = wheel();
  const KnownTriples known(kEntities, {graph.train.triples, graph.valid.triples});
  for (const N3Trial& trial : tried()) {
    KgSettings settings = softmax_settings();
    settings.n3 = trial.n3;
    settings.negatives = 512;
    KgModel model = initial_model({ScoreKind::kComplEx, 50}, kEntities, 4, settings.seed);
    KgTask task(graph, known, settings, model);
    TaskRunner::Plan plan = kPlan;
    plan.epochs = 4;
    const double faster = default_graph_rate(50) / default_graph_rate(400);
    plan.rate = {kPlan.rate.start * faster, kPlan.rate.end * faster};
    train_task(task, plan);
    CHECK(trial.mrr == task.evaluate()->score);
  }
}

}  // namespace acevec::kg_defaults_test
