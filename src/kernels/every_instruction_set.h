// Compiles the file that includes it once for every instruction set that the compiler knows, each
// time in a namespace of its own; HWY_DYNAMIC_DISPATCH then chooses the best one the machine has.
// Before it the file defines HWY_TARGET_INCLUDE, its own name from src/.
#pragma once

#include "kernels/targets.h"
// Must come after it.
#include <hwy/foreach_target.h>
