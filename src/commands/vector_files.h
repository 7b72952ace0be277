// Files of vectors on a command line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "vectors/format.h"

namespace acevec {

// The row of -binary: whether to write word2vec's binary format or its text.
OptionRow& declare_binary(std::optional<bool>& binary, OptionTable& table);

// The format to write to `path`: what its ending stands for, or what -binary says if that is given.
// Throws UsageError when -binary contradicts the ending.
VectorFormat output_format(const std::optional<bool>& binary, const std::string& path);

// Where rows without words go, and how.
struct PlainRowsArguments {
  std::string path;                    // empty: standard output
  std::optional<VectorFormat> format;  // the ending decides
};

// The rows of -output and -format.
void declare_plain_rows(PlainRowsArguments& arguments, OptionTable& table);

// The format to write. Throws UsageError when the ending stands for one that needs words.
VectorFormat plain_format(const PlainRowsArguments& arguments);

}  // namespace acevec
