// How sentence encoders are trained: the settings of a SentenceTask.
#pragma once

#include <cstdint>
#include <optional>

#include "sentence/adversary.h"
#include "sentence/contrast.h"

namespace acevec {

struct SentenceSettings {
  int64_t batch{};    // sentences in a step, about
  int64_t passage{};  // of them, that follow each other in a document
  int64_t context{};  // a sentence's targets are as many before it and after it
  ContrastSettings contrast;
  int64_t memory{};  // sentences before the batch that are candidates too
  double words{};    // share of a sentence's words that are left out and to be picked; 0: none
  double sample{};   // frequency above which words are rarely left out
  double heldout{};  // share of the documents
  uint64_t seed{};
  std::optional<SentenceAdversarySettings> adversary;
};

}  // namespace acevec
