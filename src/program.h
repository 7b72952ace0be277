// The body of main(): runs the command, catches all errors and prints them.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace acevec {

// Says in one line, on standard error, what went wrong.
void print_error(const std::string& message);

// Returns the exit code: 0 fine, 1 something failed, 2 wrong usage, 128 + signal after a checkpoint
// that a signal asked for. `arguments`: without the program's name.
using Complain = std::function<void(const std::string& message)>;
int run_program(const std::vector<std::string>& arguments, const Complain& complain = print_error);

}  // namespace acevec
