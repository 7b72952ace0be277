// The choice of an instruction set; that each computes rightly is tested where the kernels are.

#include "kernels/instruction_sets.h"

#include <doctest/doctest.h>
#include "base/error.h"

namespace acevec {

TEST_CASE("an unknown instruction set is refused by name") {
  CHECK_THROWS_WITH_AS(choose_instruction_set("ABC"), doctest::Contains("ABC"), Error);
}

TEST_CASE("instruction sets have their makers' names, and can be chosen by them") {
  for (const std::string& name : instruction_sets()) {
    CHECK_FALSE(name.starts_with("AVX3"));
    CHECK(name.find('_') == std::string::npos);
    choose_instruction_set(name);
    CHECK(instruction_set() == name);
  }
  choose_instruction_set("");
  CHECK(instruction_set() == instruction_sets().front());
}

}  // namespace acevec
