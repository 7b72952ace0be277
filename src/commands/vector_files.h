// Vector files on a command line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.h"
#include "vectors/format.h"
#include "vectors/row_writer.h"
#include "vectors/word_vectors.h"

namespace acevec {

// The kind of commands that read vector files.
inline constexpr std::string_view kVectorCommands = "vectors";

// Returns the arguments after the first, which is the vector file: the queries of such a command.
std::vector<std::string> words_after_vectors(const CommandLine& command);

// Calls read_vectors(), and prints notes about the file on standard error.
WordVectors read_vectors_with_notes(const std::string& path, int64_t most = 0);

// Declares -limit, the number of words of the file to read.
OptionRow& declare_limit(int64_t& limit, OptionTable& table);

// Declares -format of commands that print answers: text, or tsv for programs, which is the default
// where the output is not a terminal.
OptionRow& declare_print_format(
    bool& tsv, OptionTable& table,
    std::string_view help = "text: aligned columns; tsv: separated by tabs");

// An output of rows without words.
struct PlainRowsArguments {
  std::string path;                    // empty: standard output
  std::optional<VectorFormat> format;  // unset: decided by the ending of the path
};

// Declares -output and -format.
void declare_plain_rows(PlainRowsArguments& arguments, OptionTable& table);

// Opens the output. Throws UsageError when the ending names no format without words.
RowWriter plain_rows(const PlainRowsArguments& arguments);

// Says what was written, unless to standard output.
void report_plain_rows(const PlainRowsArguments& arguments, int64_t rows, int64_t columns);

// Throws Error if there is no file at `path`, which may be meant as a text. "-" is standard input.
void require_file_of_texts(const CommandLine& command, const std::string& path);

}  // namespace acevec
