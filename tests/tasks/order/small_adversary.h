// The settings of a small adversary for tests.
#pragma once

#include "tasks/order/adversary.h"
#include "tasks/order/task.h"

namespace acevec {

inline OrderAdversarySettings small_adversary() {
  OrderAdversarySettings settings;
  settings.specific_share = OrderSettings().specific_share;
  settings.conditions = 20;
  settings.draws = 10;
  settings.policy.entropy_floor = 10;
  return settings;
}

}  // namespace acevec
