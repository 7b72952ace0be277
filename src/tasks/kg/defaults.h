// Defaults that depend on the graph: the epochs and the learning rate if the loss is a softmax over
// entities, and the weight of the N3 penalty.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/progress.h"
#include "tasks/kg/task.h"
#include "train/task_runner.h"

namespace acevec {

inline constexpr int64_t kUsualGraphEpochs = 24;

// The default number of epochs for a graph of `triples` ≥ 1 training triples: enough to learn from
// about 3 M triples, from kUsualGraphEpochs to 48 (docs/experiments/kg.md).
int64_t default_graph_epochs(int64_t triples);

// The default initial learning rate for products of vectors of `size` numbers, rounded to two
// decimals. Adagrad's first step moves every number by the rate, and a score then sums `size`
// products of three such numbers. The rate keeps size · rate³ at most at that of 256 numbers.
double default_graph_rate(int64_t size);

// The default weight of N3 where no trials choose it, to two digits: 0.07 or, if smaller,
// 0.16 / sqrt(training triples per entity), a number above 0.
float default_n3(double triples_per_entity);

// Fewer validation triples often choose a worse weight than default_n3() (docs/experiments/kg.md).
inline constexpr int64_t kFewestToChooseOn = 50;

struct N3Trial {
  float n3;
  double mrr;  // filtered, on validation triples
};

// The epochs of a trial for a run of `epochs`: half of them, but down to 8 on a large graph, where
// epochs take long. The shorter a run, the smaller is the best weight for it.
int64_t trial_epochs(int64_t epochs, int64_t triples);

// The best trial, the first of equal ones. `trials` must not be empty.
N3Trial best_of(const std::vector<N3Trial>& trials);

// The next weight: 0.04, then half and twice the best so far; none if both or five have been tried.
std::optional<float> next_n3(const std::vector<N3Trial>& trials);

// The weight, to two digits, at the maximum of a parabola over log(weight) through the best trial
// and those at half and twice its weight; the best trial's weight if one of these was not run. Near
// the best, trials differ by less than the noise, which the parabola evens out.
float chosen_n3(const std::vector<N3Trial>& trials);

// Runs trials of the run that `settings` and `plan` describe, but shorter and with smaller vectors,
// with the weights of next_n3(). Returns them in order.
std::vector<N3Trial> try_n3(const Graph& graph, const KnownTriples& known, const KgShape& shape,
                            const KgSettings& settings, const TaskRunner::Plan& plan,
                            Progress& progress);

}  // namespace acevec
