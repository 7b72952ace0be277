// The cxxopts parser of a command's table, which parses and lays out the help.
#pragma once

// A word such as "," is one argument, not an empty list.
#define CXXOPTS_VECTOR_DELIMITER '\0'
#define CXXOPTS_NO_REGEX  // std::regex takes a third of the compiler's time for cli/
#include <cxxopts.hpp>

#include "cli/command_line.h"

namespace acevec {

cxxopts::Options make_parser(const CommandLine& command);

}  // namespace acevec
