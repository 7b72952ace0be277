// Runs a check with every instruction set that this machine has.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "kernels/instruction_sets.h"

namespace acevec {

// Runs `check` with each instruction set chosen, then goes back to the best.
template <class Check>
void for_each_instruction_set(Check&& check) {
  const std::vector<std::string> names = instruction_sets();
  REQUIRE(!names.empty());
  for (const std::string& name : names) {
    CAPTURE(name);
    choose_instruction_set(name);
    REQUIRE(instruction_set() == name);
    check();
  }
  choose_instruction_set("");
  CHECK(instruction_set() == names[0]);
}

}  // namespace acevec
