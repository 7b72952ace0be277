// The training job of acevec kg: reads triples, writes a model, and scores it by link prediction.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "tasks/kg/model.h"
#include "tasks/kg/task.h"
#include "train/job.h"

namespace acevec {

struct KgJobSettings {
  std::string train, valid, test;  // files of triples; -valid and -test may be empty
  TripleFormat format;             // format of all three files
  double heldout = 0;              // share of the training triples to hold out as `valid`
  std::string init;                // initial model; may be empty
  GraphVectorPaths vectors;
  KgShape shape;
  std::optional<int64_t> report_every;  // epochs between evaluations; none: a quarter of the run
  KgSettings training;

  bool evaluates() const { return !valid.empty() || heldout > 0; }
};

// Sets the epochs and the N3 weight, if not given, from the graph.
using ChooseByGraph = std::function<void(const Graph&, const KnownTriples&, Progress&)>;

// Both settings must outlive the job, which decides when `run` evaluates.
std::unique_ptr<Job> make_kg_job(const KgJobSettings& settings, RunSettings& run,
                                 ChooseByGraph choose);

}  // namespace acevec
