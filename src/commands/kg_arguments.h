// The options of acevec kg.
#pragma once

#include <optional>

#include "cli/command_line.h"
#include "commands/precision_arguments.h"
#include "commands/run_arguments.h"
#include "tasks/kg/job.h"

namespace acevec {

// Options under one name.
enum class KgPreset { kPaper };

struct KgArguments : KgJobSettings {
  std::optional<KgPreset> preset;
  std::optional<int64_t> iter;  // the graph decides
  std::optional<float> n3;      // where N3 has a weight and none is given, it is chosen on -valid
  PrecisionArgument precision;
  bool ace = false;  // with softmax: KgSettings::in_batch
  KgAdversarySettings adversary;

  bool softmax() const { return training.loss == KgLossKind::kSoftmax; }
  bool has_adversary() const { return ace && !softmax(); }
};

// Declares the rows; `run` has those that every training command has.
void declare_kg(KgArguments& arguments, RunArguments& run, OptionTable& table);

// The weight of N3 where none is chosen.
inline constexpr float kUsualN3 = 0.07F;

// Values that follow from others, where they are not given, and contradictions. Throws UsageError.
void resolve_kg(KgArguments& arguments, RunArguments& run, CommandLine& command);

}  // namespace acevec
