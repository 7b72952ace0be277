// The weight of the N3 penalty, found by short runs: it follows neither from the counts of
// entities, relations and triples nor from anything else that is known beforehand.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/progress.h"
#include "tasks/kg/task.h"
#include "train/task_runner.h"

namespace acevec {

// Fewer validation triples say too little.
inline constexpr int64_t kFewestToChooseOn = 200;

struct CubesTrial {
  float cubes;
  double mrr;  // filtered, on validation triples
};

// The epochs of a trial for a run of so many: half of them, but on a large graph, where they take
// long, down to 8. The shorter a run, the smaller is the weight that is best for it.
int64_t trial_epochs(int64_t epochs, int64_t triples);

// The best one; of equals the first. There must be one.
CubesTrial best_of(const std::vector<CubesTrial>& trials);

// The weight to try next: 0.04, then half and twice the best so far, until both were tried or five
// weights were; none when that is enough.
std::optional<float> next_cubes(const std::vector<CubesTrial>& trials);

// The weight where a parabola through the best trial and those at half and at twice its weight,
// over the weight's logarithm, is highest, to two digits; the best trial's where one of these was
// not run. The trials differ by less than chance near the best, and the parabola evens that out.
float chosen_cubes(const std::vector<CubesTrial>& trials);

// Runs like the one that `settings` and `plan` describe, but shorter and with small vectors, with
// the weights that next_cubes() asks for. In their order.
std::vector<CubesTrial> try_cubes(const Graph& graph, const KnownTriples& known,
                                  const KgShape& shape, const KgSettings& settings,
                                  const TaskRunner::Plan& plan, Progress& progress);

}  // namespace acevec
