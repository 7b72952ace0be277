#include "base/version.h"

namespace acevec {

const char* version() {
  return ACEVEC_VERSION;
}

}  // namespace acevec
