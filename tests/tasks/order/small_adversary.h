// The settings of a small adversary for tests.
#pragma once

#include "tasks/order/settings.h"

namespace acevec {

inline OrderAdversarySettings small_adversary() {
  OrderAdversarySettings settings;
  settings.conditions = 20;
  settings.draws = 10;
  settings.policy.entropy_floor = 10;
  return settings;
}

}  // namespace acevec
