#include "tasks/kg/cubes_choice.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "tasks/kg/schedule.h"
#include "train/early_end.h"

namespace acevec {
namespace {

constexpr int64_t kTrialCandidates = 512;

// The best weight hardly depends on the size: where a vector's numbers are more, each is smaller,
// and the sums of products and of cubes stay what they are.
KgShape trial_shape(KgShape shape) {
  constexpr int64_t kLess = 8, kLeast = 32, kMost = 128;
  const int64_t even = shape.size / kLess / 2 * 2;  // for complex numbers
  shape.size = std::min(shape.size, std::clamp(even, kLeast, kMost));
  return shape;
}

KgSettings trial_settings(KgSettings settings, float cubes) {
  settings.cubes = cubes;
  settings.negatives =
      settings.negatives == 0 ? kTrialCandidates : std::min(settings.negatives, kTrialCandidates);
  settings.in_batch = false;  // half the time
  return settings;
}

// The trial with that weight, or the end.
std::vector<CubesTrial>::const_iterator trial_of(const std::vector<CubesTrial>& trials,
                                                 float cubes) {
  return std::find_if(trials.begin(), trials.end(), [&](const CubesTrial& trial) {
    return std::abs(trial.cubes / cubes - 1) < 1e-3F;
  });
}

}  // namespace

int64_t trial_epochs(int64_t epochs, int64_t triples) {
  constexpr int64_t kFewest = 8, kTriples = 1500000;
  return std::min((epochs + 1) / 2, std::max(kFewest, kTriples / triples));
}

CubesTrial best_of(const std::vector<CubesTrial>& trials) {
  return *std::max_element(trials.begin(), trials.end(),
                           [](const CubesTrial& a, const CubesTrial& b) { return a.mrr < b.mrr; });
}

std::optional<float> next_cubes(const std::vector<CubesTrial>& trials) {
  constexpr float kFirst = 0.04F;
  constexpr size_t kMost = 5;
  if (trials.empty()) return kFirst;
  if (trials.size() == kMost) return std::nullopt;
  const float best = best_of(trials).cubes;
  for (const float cubes : {best / 2, best * 2}) {
    if (trial_of(trials, cubes) == trials.end()) return cubes;
  }
  return std::nullopt;
}

float chosen_cubes(const std::vector<CubesTrial>& trials) {
  const CubesTrial best = best_of(trials);
  const auto half = trial_of(trials, best.cubes / 2);
  const auto twice = trial_of(trials, best.cubes * 2);
  if (half == trials.end() || twice == trials.end()) return best.cubes;
  const double curvature = half->mrr - 2 * best.mrr + twice->mrr;
  if (curvature == 0) return best.cubes;
  const double doublings = (half->mrr - twice->mrr) / (2 * curvature);  // from -0.5 to 0.5
  const double cubes = double{best.cubes} * std::exp2(doublings);
  const double digits = std::pow(10, std::floor(std::log10(cubes)) - 1);
  return static_cast<float>(std::round(cubes / digits) * digits);
}

std::vector<CubesTrial> try_cubes(const Graph& graph, const KnownTriples& known,
                                  const KgShape& shape, const KgSettings& settings,
                                  const TaskRunner::Plan& plan, Progress& progress) {
  const KgShape small = trial_shape(shape);
  TaskRunner::Plan brief = plan;
  brief.epochs = trial_epochs(plan.epochs, std::ssize(graph.train.triples));
  const double faster = default_graph_rate(small.size) / default_graph_rate(shape.size);
  brief.rate = {plan.rate.start * faster, plan.rate.end * faster};
  std::vector<CubesTrial> trials;
  while (const std::optional<float> cubes = next_cubes(trials)) {
    const KgSettings own = trial_settings(settings, *cubes);
    KgModel model = initial_model(small, graph.entities.size(), graph.relations.size(), own.seed);
    KgTask task(graph, known, own, model);
    LossWatch watch;
    watch.start(task.start_loss().value_or(-1), describe_kg().least_window);
    bool diverged = false;
    const auto show = [&](const RunState& now, const Sums& piece) {
      diverged = !std::isfinite(piece.loss.sum) || watch.is_worse_than_start(now, piece.loss);
      if (progress.due()) {
        const double part = static_cast<double>(now.done) / static_cast<double>(now.total);
        progress.show({{format("trying -cubes %g %5.1f%%", double{*cubes}, 100 * part), 0}});
      }
      return TaskRunner::Wish{.pause = diverged};
    };
    TaskRunner(task, brief).run(show, [] {});
    // A model that has diverged is no measure of a weight.
    diverged = diverged || !model.entities.finite() || !model.relations.finite();
    trials.push_back({*cubes, diverged ? 0 : task.evaluate()->score});
  }
  return trials;
}

}  // namespace acevec
