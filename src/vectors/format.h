// The formats of files of vectors.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/options.h"

namespace acevec {

enum class VectorFormat {
  kText,    // word2vec text: "words size", then a line a word
  kBinary,  // word2vec binary: the same first line, then words and little-endian floats
  kGlove,   // text without the first line
  kNpy,     // numpy's array of floats, and a second file with a word a line
  kTsv,     // TensorBoard projector: tab-separated numbers, and a second file with a word a line
};

// The names as typed, for an option table: "text|binary|glove|npy|tsv".
inline constexpr std::string_view kVectorFormats = "text|binary|glove|npy|tsv";

// The format of that name, one of kVectorFormats.
VectorFormat vector_format(std::string_view name);

// The format that a file's ending stands for, .gz left aside: .bin, .glove, .npy, .tsv; none for
// others.
std::optional<VectorFormat> format_of_ending(std::string_view path);

// The row of -binary, for commands that write word2vec's formats; is_binary() gives its value.
constexpr Option binary_row(std::string_view group) {
  return flag(group, "binary", "",
              "write word2vec binary (1) or text (0); by default the ending decides: .bin is "
              "binary, all else text");
}

// Whether the file at `path` is to be binary: -binary if given, else by its ending.
bool is_binary(const Options& options, const std::string& path);

// True when the words stand in a file of their own.
bool has_words_file(VectorFormat format);

// Where the words are that belong to vectors at `path`: v.npy has v.words, v.tsv v.metadata.tsv.
std::string words_path(const std::string& path, VectorFormat format);

}  // namespace acevec
