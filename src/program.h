// The body of main(): runs the command, catches all errors and prints them.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace acevec {

// Prints an error in one line on standard error.
void print_error(const std::string& message);

// Runs a command line, without the program's name. Returns the exit code: 0 success, 1 failure, 2
// wrong usage, 128 + signal after a checkpoint that a signal asked for.
using Complain = std::function<void(const std::string& message)>;
int run_program(const std::vector<std::string>& arguments, const Complain& complain = print_error);

}  // namespace acevec
