// Messages of commands: lines on standard error.
#pragma once

#include <string_view>

namespace acevec {

// Prints a line that does nothing to a terminal: control characters are shown as one_line() shows
// them, and of a message of more than 1000 bytes the middle is left out.
void print_message(std::string_view message);

}  // namespace acevec
