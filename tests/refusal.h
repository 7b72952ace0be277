// Why something is refused.
#pragma once

#include <string>

#include "base/error.h"

namespace acevec {

// The message of the Error, or of that kind of it, that `act` throws; "accepted" when it throws
// none.
template <class Refusal = Error, class Act>
std::string refusal_of(const Act& act) {
  try {
    act();
  } catch (const Refusal& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace acevec
