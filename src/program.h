// The body of main(): runs the command, and catches and prints all errors.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace acevec {

// Prints an error as one line on standard error.
void print_error(const std::string& message);

// Runs a command line, given without the program's name. Returns the exit code: 0 success, 1
// failure, 2 wrong usage, 128 + signal when a signal ended the run after a checkpoint.
using Complain = std::function<void(const std::string& message)>;
int run_program(const std::vector<std::string>& arguments, const Complain& complain = print_error);

}  // namespace acevec
