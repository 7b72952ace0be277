// What a run needs is compared with what it may take.

#include "train/memory_plan.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "base/memory.h"

namespace acevec {

TEST_CASE("a plan is held to the limit, together with what is in use already") {
  const MemoryPlan plan{"a job", "lower -size", {{"rows", 300 << 20}, {"threads", 100 << 20}}};
  CHECK(plan.total() == 400 << 20);
  Progress quiet(true);
  CHECK_NOTHROW(check_memory(plan, plan.total() + resident_bytes() + (64 << 20), true, quiet));
  CHECK_THROWS_WITH_AS(check_memory(plan, plan.total(), false, quiet),
                       doctest::Contains("400 are available; lower -size, or raise -max-memory"),
                       Error);
}

}  // namespace acevec
