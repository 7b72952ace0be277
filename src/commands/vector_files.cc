#include "commands/vector_files.h"

#include <unistd.h>

#include "base/error.h"
#include "base/progress.h"
#include "base/same_file.h"

namespace acevec {

std::vector<std::string> words_after_vectors(const CommandLine& command) {
  return {command.positional().begin() + 1, command.positional().end()};
}

WordVectors read_vectors_with_notes(const std::string& path, int64_t most) {
  WordVectors vectors = read_vectors(path, most);
  if (!vectors.note.empty()) print_message("acevec: " + vectors.note);
  return vectors;
}

OptionRow& declare_limit(int64_t& limit, OptionTable& table) {
  return table.integer("limit", limit, {0, 1e15},
                       "read only the first N words, the most frequent; 0: all");
}

OptionRow& declare_print_format(bool& tsv, OptionTable& table, std::string_view help) {
  return table.choice<bool>("format", tsv, {{"text", false}, {"tsv", true}}, help)
      .default_when(
          "output to a pipe or a file", [] { return isatty(STDOUT_FILENO) != 1; }, "tsv");
}

void declare_plain_rows(PlainRowsArguments& arguments, OptionTable& table) {
  table.output_file("output", arguments.path, "write the vectors here")
      .default_later("standard output");
  table
      .choice<VectorFormat>(
          "format", arguments.format,
          {{"text", VectorFormat::kText}, {"tsv", VectorFormat::kTsv}, {"npy", VectorFormat::kNpy}},
          "text: numbers separated by spaces; tsv: by tabs; npy: numpy's array")
      .default_later("by the ending of -output; .txt, .vec or none is text");
}

RowWriter plain_rows(const PlainRowsArguments& arguments) {
  const std::string path = arguments.path.empty() ? "-" : arguments.path;
  VectorFormat format =
      arguments.format ? *arguments.format : output_format(arguments.path, ", or give -format");
  if (format == VectorFormat::kBinary || format == VectorFormat::kGlove) {
    throw UsageError(acevec::format(
        "%s rows have no words (%s); end the name in .txt, .vec, .npy or .tsv, or give -format",
        described(format).c_str(), path.c_str()));
  }
  if (format == VectorFormat::kText) format = VectorFormat::kGlove;  // without a first line
  return {path, format, NumberType::kFloat32, false};
}

void report_plain_rows(const PlainRowsArguments& arguments, int64_t rows, int64_t columns) {
  if (arguments.path.empty() || arguments.path == "-") return;
  print_message(format("wrote %s of size %ld to %s", counted(rows, "vector").c_str(),
                       static_cast<long>(columns), arguments.path.c_str()));
}

void require_file_of_texts(const CommandLine& command, const std::string& path) {
  if (path == "-" || exists(path)) return;
  throw Error(format("there is no file %s; for one text: echo '...' | %s MODEL", path.c_str(),
                     called(command.about().name).c_str()));
}

}  // namespace acevec
