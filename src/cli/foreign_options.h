// Options of word2vec, fastText and gensim that have other names here, or do not exist.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/command_line.h"

namespace acevec {

struct ForeignOption {
  std::string_view name;          // in lower case, without dashes and underscores
  std::string_view own;           // acevec's equivalents, "alpha|rate"; empty when there are none
  std::string_view absence;       // if `own` is empty: the reason, and what to do
  std::string_view command = {};  // the one it applies to; empty: all that train
};

std::span<const ForeignOption> foreign_options();

// The hint for `name`, which is not an option of the command: "acevec calls it -size". Empty when
// no program has such an option, or it does not apply to this command.
std::string foreign_advice(const CommandLine& command, std::string_view name);

}  // namespace acevec
