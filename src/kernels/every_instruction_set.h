// Compiles the file that includes it once for every instruction set that the compiler knows, each
// time in a namespace of its own; HWY_DYNAMIC_DISPATCH then chooses the best one the machine has.
// Highway is read anew each time, so several kernels in one file (ACEVEC_UNITY) save most of that.
#pragma once

#include "kernels/targets.h"

// The file that the compiler was given: the kernel, or the one that includes several.
#define HWY_TARGET_INCLUDE __BASE_FILE__
// Must come after it.
#include <hwy/foreach_target.h>
