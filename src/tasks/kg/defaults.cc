#include "tasks/kg/defaults.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "train/early_end.h"

namespace acevec {
namespace {

constexpr size_t kMostTrials = 5;
constexpr int64_t kTrialCandidates = 512;

// The best weight hardly depends on the size: vectors of more numbers have smaller ones, and the
// sums of products and of cubes stay the same.
KgShape trial_shape(KgShape shape) {
  constexpr int64_t kLess = 8, kLeast = 32, kMost = 128;
  const int64_t even = shape.size / kLess / 2 * 2;  // for complex numbers
  shape.size = std::min(shape.size, std::clamp(even, kLeast, kMost));
  return shape;
}

KgSettings trial_settings(KgSettings settings, float n3) {
  settings.n3 = n3;
  settings.negatives =
      settings.negatives == 0 ? kTrialCandidates : std::min(settings.negatives, kTrialCandidates);
  settings.in_batch = false;  // halves the time
  return settings;
}

// The trial with weight `n3`, or end().
std::vector<N3Trial>::const_iterator trial_of(const std::vector<N3Trial>& trials, float n3) {
  return std::find_if(trials.begin(), trials.end(),
                      [&](const N3Trial& trial) { return std::abs(trial.n3 / n3 - 1) < 1e-3F; });
}

float to_two_digits(double number) {
  const double digits = std::pow(10, std::floor(std::log10(number)) - 1);
  return static_cast<float>(std::round(number / digits) * digits);
}

}  // namespace

int64_t default_graph_epochs(int64_t triples) {
  constexpr int64_t kMost = 48;
  constexpr int64_t kTriples = 3'000'000;
  return std::clamp(kTriples / triples, kUsualGraphEpochs, kMost);
}

double default_graph_rate(int64_t size) {
  constexpr double kUsual = 0.4;
  constexpr double kUsualSize = 256;
  const double less = std::cbrt(std::min(kUsualSize / static_cast<double>(size), 1.0));
  return std::round(100 * kUsual * less) / 100;
}

float default_n3(double triples_per_entity) {
  constexpr double kMost = 0.07, kOfOnePerEntity = 0.16;
  return to_two_digits(std::min(kMost, kOfOnePerEntity / std::sqrt(triples_per_entity)));
}

int64_t trial_epochs(int64_t epochs, int64_t triples) {
  constexpr int64_t kFewest = 8, kTriples = 1500000;
  return std::min((epochs + 1) / 2, std::max(kFewest, kTriples / triples));
}

N3Trial best_of(const std::vector<N3Trial>& trials) {
  return *std::ranges::max_element(trials, {}, &N3Trial::mrr);
}

std::optional<float> next_n3(const std::vector<N3Trial>& trials) {
  constexpr float kFirst = 0.04F;
  if (trials.empty()) return kFirst;
  if (trials.size() == kMostTrials) return std::nullopt;
  const float best = best_of(trials).n3;
  for (const float n3 : {best / 2, best * 2}) {
    if (trial_of(trials, n3) == trials.end()) return n3;
  }
  return std::nullopt;
}

float chosen_n3(const std::vector<N3Trial>& trials) {
  const N3Trial best = best_of(trials);
  const auto half = trial_of(trials, best.n3 / 2);
  const auto twice = trial_of(trials, best.n3 * 2);
  if (half == trials.end() || twice == trials.end()) return best.n3;
  const double curvature = half->mrr - 2 * best.mrr + twice->mrr;
  if (curvature == 0) return best.n3;
  const double doublings = (half->mrr - twice->mrr) / (2 * curvature);  // from -0.5 to 0.5
  return to_two_digits(double{best.n3} * std::exp2(doublings));
}

std::vector<N3Trial> try_n3(const Graph& graph, const KnownTriples& known, const KgShape& shape,
                            const KgSettings& settings, const TaskRunner::Plan& plan,
                            Progress& progress) {
  const KgShape small = trial_shape(shape);
  TaskRunner::Plan brief = plan;
  brief.epochs = trial_epochs(plan.epochs, std::ssize(graph.train.triples));
  const double faster = default_graph_rate(small.size) / default_graph_rate(shape.size);
  brief.rate = {plan.rate.start * faster, plan.rate.end * faster};
  const Stopwatch watch;
  std::vector<N3Trial> trials;
  while (const std::optional<float> n3 = next_n3(trials)) {
    const KgSettings own = trial_settings(settings, *n3);
    KgModel model = initial_model(small, graph.entities.size(), graph.relations.size(), own.seed);
    KgTask task(graph, known, own, model);
    DivergenceDetector divergence;
    divergence.start(task, describe_kg());
    bool diverged = false;
    const auto show = [&](const RunState& now, const Sums& piece) {
      diverged = !std::isfinite(piece.loss.sum) || divergence.has_diverged(now, piece.loss);
      if (progress.due()) {
        const double part = static_cast<double>(now.done) / static_cast<double>(now.total);
        const double done = static_cast<double>(trials.size()) + part;
        const double most = watch.seconds() * (double{kMostTrials} / done - 1);
        progress.show({{format("trying -n3 %g %5.1f%%", double{*n3}, 100 * part), 0},
                       {format("trial %zu of at most %zu", trials.size() + 1, kMostTrials), 2},
                       {"ETA at most " + clock_text(most), 1}});
      }
      return TaskRunner::Request{.pause = diverged};
    };
    TaskRunner(task, brief).run(show, [] {});
    // A diverged model says nothing about a weight.
    diverged = diverged || !model.entities.finite() || !model.relations.finite();
    trials.push_back({*n3, diverged ? 0 : task.evaluate()->score});
  }
  return trials;
}

}  // namespace acevec
