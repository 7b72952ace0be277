// The options of acevec kg.
#pragma once

#include <string>

#include "cli/command_line.h"
#include "commands/run_arguments.h"
#include "tasks/kg/task.h"

namespace acevec {

struct KgArguments {
  std::string train, valid, test;
  std::string output_entities, output_relations;
  ScoreKind score = ScoreKind::kTransD;
  Norm norm = Norm::kL1;
  int64_t size = 50;
  bool reciprocal = false;
  double final_rate = 0.01;   // as a share of the rate at the start
  int64_t report_every = 20;  // epochs between evaluations
  bool ace = false;
  KgAdversarySettings adversary;
  KgSettings training;

  bool softmax() const { return training.loss == KgLossKind::kSoftmax; }
  bool has_adversary() const { return ace && !softmax(); }
};

// Declares the rows; `run` has those that every training command has.
void declare_kg(KgArguments& arguments, RunArguments& run, OptionTable& table);

// Values that follow from others, where they are not given, and contradictions. Throws UsageError.
void resolve_kg(KgArguments& arguments, RunArguments& run, CommandLine& command);

}  // namespace acevec
