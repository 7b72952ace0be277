// The instruction sets that kernels are compiled for; must come before any header of Highway.
#pragma once

// Not vectors of a length unknown at compile time (SVE, RVV), which cannot stand in arrays. Not
// SSE4, which has little for floats that SSSE3 lacks and costs a fifth of the kernels' compile
// time.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSE4)
