// The instruction set that the kernels use.
#pragma once

#include <string>
#include <vector>

namespace acevec {

// The instruction sets that this binary contains and this machine supports, best first, by the
// names that choose_instruction_set() takes ("AVX-512", "AVX2", "SSSE3", ...).
std::vector<std::string> instruction_sets();

// Selects an instruction set ("" for the best). Throws Error if it is not in the list. Must not be
// called while other threads compute.
void choose_instruction_set(const std::string& name);

// The instruction set in use.
std::string instruction_set();

// True if it includes Intel's matrix unit, AMX (kernels/matrix_unit.h).
bool uses_matrix_unit();

}  // namespace acevec
