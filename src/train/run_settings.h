// The settings that every run has, independent of its task.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "train/interval.h"
#include "train/task_runner.h"

namespace acevec {

struct RunSettings {
  TaskRunner::Plan plan;  // threads, seed, epochs, learning rate
  std::string output;     // "-" is standard output; empty: the result stays in memory
  std::string record;     // of the run, may be empty
  std::string log;        // may be empty
  Interval log_every{.part = 0.01};
  std::optional<Interval> save_every;  // none: no snapshots
  std::string checkpoint;              // may be empty
  std::string checkpoint_suffix;       // of this process's file, when there are several processes
  Interval checkpoint_every;
  std::optional<Interval> evaluate_every;  // none: nothing is evaluated
  bool keep_best = false;                  // the result is what had the best evaluation
  int64_t patience = 0;            // evaluations without a better one that end the run; 0: never
  int64_t max_memory = 0;          // bytes; 0: what there is
  int debug = 0;                   // 0: errors only
  std::string command = "acevec";  // that trains, as the user calls it: "acevec kg"
  std::vector<std::string> arguments;  // the options given, as "-name=value", for checkpoints

  std::string checkpoint_file() const { return checkpoint + checkpoint_suffix; }
};

}  // namespace acevec
