// A task's training, and what the task is before and behind it.
#pragma once

#include <doctest/doctest.h>

#include <vector>

#include "train/task_runner.h"

namespace acevec {

struct Learned {
  double before = 0, after = 0;  // scores
  std::vector<float> numbers;    // of all parameters
};

inline Learned learn(Task& task, const TaskRunner::Plan& plan) {
  Learned learned;
  learned.before = task.evaluate()->score;
  TaskRunner runner(task, plan);
  runner.run([](const RunState&, const Sums&) { return TaskRunner::Request{}; }, [] {});
  CHECK(runner.state().done == runner.state().total);
  learned.after = task.evaluate()->score;
  for (const Parameter& parameter : task.parameters()) {
    const Matrix& matrix = *parameter.matrix;
    learned.numbers.insert(learned.numbers.end(), matrix.row(0),
                           matrix.row(0) + matrix.rows() * matrix.stride());
  }
  return learned;
}

}  // namespace acevec
