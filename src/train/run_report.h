// The messages and the record of a run, the same for all tasks.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/progress.h"
#include "train/memory_plan.h"
#include "train/run.h"

namespace acevec {

// check_memory() as the settings have it, for the plan and what every run takes beside it; and with
// -debug 2 what computes.
void check_memory(MemoryPlan plan, const RunSettings& settings, Progress& progress);

// record["training"]: seconds, the loss of the last epoch, the best evaluation.
void add_training(const Run& run, nlohmann::ordered_json& record);

// "wrote `what` to -output", and the snapshots; with -debug 2 also the memory that the run took.
void report_written(const std::string& what, const RunSettings& settings, const RunFiles& files,
                    Progress& progress);

}  // namespace acevec
