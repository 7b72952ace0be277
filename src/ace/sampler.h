// The ways to choose adversarial negatives among candidates: -ace-sampler.
#pragma once

#include <cstdint>
#include <optional>

#include "ace/mining.h"
#include "base/error.h"

namespace acevec {

enum class Sampler : uint8_t {
  kCritic,   // no network: g = softmax(β s), what an ideal generator of limited entropy plays
  kLearned,  // a generator network adds its logits to these
  kHardest,  // all on one candidate, mined by its score: see ace/mining.h
  kSemiHard,
};

// The rule of a sampler that mines.
inline std::optional<Mining> mining_of(Sampler sampler) {
  switch (sampler) {
    case Sampler::kHardest:
      return Mining::kHardest;
    case Sampler::kSemiHard:
      return Mining::kSemiHard;
    case Sampler::kCritic:
    case Sampler::kLearned:
      return std::nullopt;
  }
  refuse_case("sampler");
}

}  // namespace acevec
