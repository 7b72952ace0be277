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

std::string instruction_set();  // the one in use
bool uses_matrix_unit();        // whether it includes Intel's AMX (kernels/matrix_unit.h)

}  // namespace acevec
