// Compiles the file that includes it once for every instruction set that the compiler knows, each
// time in a namespace of its own; ACEVEC_KERNEL then chooses the best one the machine has. Tests
// compare every instruction set with plain loops.
// Highway is read anew each time, so several kernels in one file (ACEVEC_UNITY) save most of that.
#pragma once

#include "kernels/targets.h"

// The file that the compiler was given: the kernel, or the one that includes several.
#define HWY_TARGET_INCLUDE __BASE_FILE__
// Must come after it.
#include <hwy/foreach_target.h>

// Defines `name`, which the header declares as a pointer to a function so that its parameters are
// written there alone.
// NOLINTBEGIN(bugprone-macro-parentheses): a name cannot have any
#define ACEVEC_KERNEL(name, Kernel)                       \
  HWY_EXPORT(Kernel);                                     \
  constinit decltype(name) name = [](auto... arguments) { \
    return HWY_DYNAMIC_DISPATCH(Kernel)(arguments...);    \
  }
// NOLINTEND(bugprone-macro-parentheses)
