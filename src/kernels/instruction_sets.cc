#include "kernels/instruction_sets.h"

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/error.h"

namespace acevec {
namespace {

// Every target in the binary that the machine has, best (lowest bit) first.
std::vector<int64_t> usable_targets() {
  std::vector<int64_t> targets;
  hwy::SetSupportedTargetsForTest(0);
  for (int64_t rest = hwy::SupportedTargets() & HWY_TARGETS; rest != 0; rest &= rest - 1) {
    targets.push_back(rest & -rest);
  }
  return targets;
}

// Highway's AVX3 and AVX3_ZEN4 are AVX-512 and what later processors added to it.
std::string name_of(int64_t target) {
  constexpr std::string_view kHighway = "AVX3";
  std::string name = hwy::TargetName(target);
  if (name.starts_with(kHighway)) name.replace(0, kHighway.size(), "AVX-512");
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

}  // namespace

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (const int64_t target : usable_targets()) names.push_back(name_of(target));
  return names;
}

void choose_instruction_set(const std::string& name) {
  for (const int64_t target : usable_targets()) {
    if (!name.empty() && name != name_of(target)) continue;
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    return;
  }
  std::string names;
  for (const std::string& usable : instruction_sets()) names += " " + usable;
  throw Error(format("this machine cannot run \"%s\"; it has%s", name.c_str(), names.c_str()));
}

std::string instruction_set() {
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  const int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  return name_of(targets & -targets);
}

}  // namespace acevec
