// What a graph decides of settings that are not given: how long and how fast to train where the
// loss is a softmax over entities, and the weight of the N3 penalty.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/progress.h"
#include "tasks/kg/task.h"
#include "train/task_runner.h"

namespace acevec {

inline constexpr int64_t kUsualGraphEpochs = 24;

// Epochs for a graph of so many training triples, at least 1, where none are given: enough to learn
// from about 3 M triples, from kUsualGraphEpochs to 48 (docs/experiments/kg.md).
int64_t default_graph_epochs(int64_t triples);

// The learning rate at the start for products of vectors of so many numbers, to two digits behind
// the point. Adagrad's first step moves every number by the rate, and a score is then a sum of
// `size` products of three such numbers. The rate keeps size · rate³ at what it is with 256
// numbers, or below.
double default_graph_rate(int64_t size);

// Fewer validation triples say too little.
inline constexpr int64_t kFewestToChooseOn = 200;

struct N3Trial {
  float n3;
  double mrr;  // filtered, on validation triples
};

// The epochs of a trial for a run of so many: half of them, but on a large graph, where they take
// long, down to 8. The shorter a run, the smaller is the weight that is best for it.
int64_t trial_epochs(int64_t epochs, int64_t triples);

// The best one; of equals the first. There must be one.
N3Trial best_of(const std::vector<N3Trial>& trials);

// The weight to try next: 0.04, then half and twice the best so far, until both were tried or five
// weights were; none when that is enough.
std::optional<float> next_n3(const std::vector<N3Trial>& trials);

// The weight where a parabola through the best trial and those at half and at twice its weight,
// over the weight's logarithm, is highest, to two digits; the best trial's where one of these was
// not run. The trials differ by less than chance near the best, and the parabola evens that out.
float chosen_n3(const std::vector<N3Trial>& trials);

// Runs like the one that `settings` and `plan` describe, but shorter and with small vectors, with
// the weights that next_n3() asks for. In their order.
std::vector<N3Trial> try_n3(const Graph& graph, const KnownTriples& known, const KgShape& shape,
                            const KgSettings& settings, const TaskRunner::Plan& plan,
                            Progress& progress);

}  // namespace acevec
