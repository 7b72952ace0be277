// A task's training without files, progress and evaluation.
#pragma once

#include "train/task_runner.h"

namespace acevec {

// Trains to the end. Returns the sums of the last epoch.
inline Sums train_task(Task& task, const TaskRunner::Plan& plan) {
  TaskRunner runner(task, plan);
  runner.run([](const RunState&, const Sums&) { return TaskRunner::Request{}; }, [] {});
  return runner.epoch_sums();
}

}  // namespace acevec
