// The choice of an instruction set; that each computes rightly is tested where the kernels are.

#include "math/instruction_sets.h"

#include <doctest/doctest.h>
#include "base/error.h"

namespace acevec {

TEST_CASE("an unknown instruction set is refused by name") {
  CHECK_THROWS_WITH_AS(choose_instruction_set("ABC"), doctest::Contains("ABC"), Error);
}

}  // namespace acevec
