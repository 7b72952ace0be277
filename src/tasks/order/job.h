// The training job of acevec order: pairs "specific -> general" in, vectors of concepts out.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "tasks/order/hierarchy.h"
#include "tasks/order/task.h"
#include "train/job.h"

namespace acevec {

// Whether what follows from the pairs is learned from.
enum class Closure { kAuto, kGiven, kClosed };

struct OrderJobSettings {
  std::string train;
  Closure closure = Closure::kAuto;
  SplitKind split = SplitKind::kHonest;
  int64_t held_out = 4000;  // at most; pairs for development, and as many for the test
  OrderSettings training;
};

// The settings must outlive the job. `open_pairs` is called when pairs are not learned from that
// others imply; it may change the settings.
std::unique_ptr<Job> make_order_job(const OrderJobSettings& settings, const RunSettings& run,
                                    std::function<void()> open_pairs = {});

}  // namespace acevec
