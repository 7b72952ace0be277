// The instruction set that the kernels use.
#pragma once

#include <string>
#include <vector>

namespace acevec {

// The instruction sets that this binary has and this machine can run, best first, by the names
// that choose_instruction_set() takes ("AVX-512", "AVX2", "SSSE3", ...).
std::vector<std::string> instruction_sets();

// From now on uses this one ("" for the best). Throws Error when it is not in the list. Not to be
// called while other threads compute.
void choose_instruction_set(const std::string& name);

// The one in use.
std::string instruction_set();

// True when that has Intel's matrix unit, AMX (kernels/matrix_unit.h).
bool uses_matrix_unit();

}  // namespace acevec
