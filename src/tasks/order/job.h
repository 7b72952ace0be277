// The training job of acevec order: reads pairs "specific -> general", writes vectors of concepts.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tasks/order/hierarchy.h"
#include "tasks/order/task.h"
#include "train/job.h"

namespace acevec {

enum class Closure { kAuto, kGiven, kClosed };  // whether the pairs' closure is trained on

struct OrderJobSettings {
  std::string train;
  Closure closure = Closure::kAuto;
  SplitKind split = SplitKind::kHonest;
  int64_t held_out = 4000;  // most pairs for development, and as many for the test
  OrderSettings training;
};

// Called once the pairs are known, to change settings that depend on them: how many different ones
// there are, and whether implied pairs are left out.
using ChooseByPairs = std::function<void(int64_t pairs, bool is_open, Progress& progress)>;

// The settings must outlive the job.
std::unique_ptr<Job> make_order_job(const OrderJobSettings& settings, const RunSettings& run,
                                    ChooseByPairs choose);

}  // namespace acevec
