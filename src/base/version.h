// The program's version, which CMakeLists.txt sets.
#pragma once

namespace acevec {

// "0.2.0".
const char* version();

}  // namespace acevec
