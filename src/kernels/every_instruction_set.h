// Compiles the file that includes it once for every instruction set that the compiler knows, each
// time in a namespace of its own; HWY_DYNAMIC_DISPATCH then chooses the best one the machine has.
// Before it the file defines HWY_TARGET_INCLUDE, its own name from src/.
#pragma once

// Vectors of a length unknown at compile time (SVE, RVV) cannot stand in arrays.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#include <hwy/foreach_target.h>
