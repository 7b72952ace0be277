// How sentence encoders are trained: the settings of a SentenceTask.
#pragma once

#include <cstdint>
#include <optional>

#include "tasks/sentence/adversary.h"

namespace acevec {

struct SentenceSettings {
  int64_t batch = 128;  // sentences in a step, about
  int64_t passage = 8;  // of them, that follow each other in a document
  int64_t context = 1;  // a sentence's targets are as many before it and after it
  int64_t block = 0;    // above 0: compare_blocks() of so many targets, not pick_targets()
  double heldout = 0;   // share of the documents
  int threads = 1;      // that share a step
  uint64_t seed = 1;
  std::optional<SentenceAdversarySettings> adversary;
};

}  // namespace acevec
