// The program's version, which CMakeLists.txt sets.
#pragma once

namespace acevec {

// Such as "1.2.3".
const char* version();

}  // namespace acevec
