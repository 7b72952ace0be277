// The formats of files of vectors.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/file_options.h"
#include "cli/options.h"

namespace acevec {

enum class VectorFormat {
  kText,      // word2vec text: "words size", then a line a word
  kBinary,    // word2vec binary: the same first line, then words and little-endian floats
  kGlove,     // text without the first line
  kNpy,       // numpy's array of floats, and a second file with a word a line
  kTsv,       // TensorBoard projector: tab-separated numbers, and a second file with a word a line
  kFastText,  // fastText's model, which acevec reads here and writes only where it trains
};

// Numbers of numpy's arrays that acevec writes: 4 bytes or 2, little-endian.
enum class NumberType { kFloat32, kFloat16 };

// The names as typed, for an option table.
inline constexpr std::string_view kVectorFormats = "text|binary|glove|npy|tsv|fasttext";

// The format that option `name` was given, one of kVectorFormats.
VectorFormat chosen_format(const Options& options, std::string_view name);

// The format that a file's ending stands for, .gz left aside: .bin, .glove, .npy, .tsv; none for
// others.
std::optional<VectorFormat> format_of_ending(std::string_view path);

// The row of -binary, for commands that write vectors; output_format() reads it.
constexpr Option binary_row(std::string_view group) {
  return flag(group, "binary", "",
              "write word2vec binary (1) or text (0); by default the ending decides: .bin is "
              "binary, .npy, .tsv and .glove as in acevec convert, .txt, .vec or none text");
}

// The format to write to `path`: what its ending promises, text for .txt, .vec and none. Throws
// UsageError for any other ending; the message ends in `otherwise`, another way to choose a format.
VectorFormat output_format(const std::string& path, const std::string& otherwise = "");

// The same for a command that has -binary, which decides if it is given. Throws UsageError when it
// contradicts the ending, too.
VectorFormat output_format(const Options& options, const std::string& path);

// "word2vec text", for messages.
std::string described(VectorFormat format);

// True for word2vec's own formats, text and binary.
bool is_word2vec(VectorFormat format);

// True when the words stand in a file of their own.
bool has_words_file(VectorFormat format);

// Appends that file to `files` if vectors of `format` at `path` have one. `name` is what `path` is
// called in messages.
void add_words_file(const std::string& name, const std::string& path,
                    std::optional<VectorFormat> format, bool written, std::vector<RunFile>& files);

// Where the words are that belong to vectors at `path`: v.npy has v.words, v.tsv v.metadata.tsv.
std::string words_path(const std::string& path, VectorFormat format);

}  // namespace acevec
