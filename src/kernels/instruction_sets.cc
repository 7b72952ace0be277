#include "kernels/instruction_sets.h"

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "kernels/matrix_unit.h"

namespace acevec {
namespace {

// Highway's AVX3 and AVX3_ZEN4 are AVX-512 and its later extensions.
std::string name_of(int64_t target) {
  constexpr std::string_view kHighway = "AVX3";
  std::string name = hwy::TargetName(target);
  if (name.starts_with(kHighway)) name.replace(0, kHighway.size(), "AVX-512");
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

// A target of Highway, and whether the matrix unit is used too.
struct InstructionSet {
  int64_t target;
  bool matrix_unit;

  std::string name() const { return name_of(target) + (matrix_unit ? "-AMX" : ""); }
};

// The binary's sets that the machine supports, best (lowest bit) first; after a choice, only that.
std::vector<InstructionSet> usable_sets() {
  std::vector<InstructionSet> sets;
  for (int64_t rest = hwy::SupportedTargets() & HWY_TARGETS; rest != 0; rest &= rest - 1) {
    const int64_t target = rest & -rest;
    if (sets.empty() && has_matrix_unit()) sets.push_back({target, true});
    sets.push_back({target, false});
  }
  return sets;
}

// Its first call may be from several threads at once.
InstructionSet& chosen() {
  static InstructionSet set = usable_sets().front();
  return set;
}

}  // namespace

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  hwy::SetSupportedTargetsForTest(0);
  for (const InstructionSet& set : usable_sets()) names.push_back(set.name());
  hwy::SetSupportedTargetsForTest(chosen().target);
  return names;
}

void choose_instruction_set(const std::string& name) {
  std::string names;
  hwy::SetSupportedTargetsForTest(0);
  for (const InstructionSet& set : usable_sets()) {
    names += " " + set.name();
    if (!name.empty() && name != set.name()) continue;
    chosen() = set;
    hwy::SetSupportedTargetsForTest(set.target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    return;
  }
  throw Error(format("this machine cannot run \"%s\"; it has%s", name.c_str(), names.c_str()));
}

std::string instruction_set() {
  return chosen().name();
}

bool uses_matrix_unit() {
  return chosen().matrix_unit;
}

}  // namespace acevec
