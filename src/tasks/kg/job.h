// The training job of acevec kg: triples in, a model out, scored by link prediction.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "tasks/kg/task.h"
#include "train/job.h"

namespace acevec {

struct KgJobSettings {
  std::string train, valid, test;                 // files of triples; -valid and -test may be empty
  std::string init;                               // the model to start from; may be empty
  std::string output_entities, output_relations;  // files of vectors; may be empty
  KgShape shape;
  std::optional<int64_t> report_every;  // epochs between evaluations; none: a quarter of all
  KgSettings training;
};

// Sets the epochs and the weight of N3 from what was read, where they are not given.
using ChooseByGraph = std::function<void(const Graph&, const KnownTriples&, Progress&)>;

// Both settings must outlive the job, which decides when `run` evaluates.
std::unique_ptr<Job> make_kg_job(const KgJobSettings& settings, RunSettings& run,
                                 ChooseByGraph choose);

}  // namespace acevec
