// The ways to choose adversarial negatives among candidates: -ace-sampler.
#pragma once

#include <cstdint>

namespace acevec {

enum class Sampler : uint8_t {
  kCritic,   // no network: g = softmax(β s), what an ideal generator of limited entropy plays
  kLearned,  // a generator network adds its logits to these
};

}  // namespace acevec
