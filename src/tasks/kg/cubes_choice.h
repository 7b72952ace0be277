// The weight of the N3 penalty, found by short runs: it follows neither from the counts of
// entities, relations and triples nor from anything else that is known beforehand.
#pragma once

#include <cstdint>
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

// The weights to try first, and to try around the best of them.
std::vector<float> first_cubes();
std::vector<float> cubes_around(float best);

// The best one; of equals the first. There must be one.
CubesTrial best_of(const std::vector<CubesTrial>& trials);

// The weight where a parabola through the best trial and those at half and at twice its weight,
// over the weight's logarithm, is highest, to two digits; the best trial's where one of these was
// not run. The trials differ by less than chance near the best, and the parabola evens that out.
float chosen_cubes(const std::vector<CubesTrial>& trials);

// Runs like the one that `settings` and `plan` describe, but shorter and with small vectors: first
// with weights far from each other, then with those around the best. In their order.
std::vector<CubesTrial> try_cubes(const Graph& graph, const KnownTriples& known,
                                  const KgShape& shape, const KgSettings& settings,
                                  const TaskRunner::Plan& plan, Progress& progress);

}  // namespace acevec
