// The formats of vector files.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace acevec {

enum class VectorFormat {
  kText,      // word2vec text: "words size", then one line per word
  kBinary,    // word2vec binary: the same first line, then words and little-endian floats
  kGlove,     // text without the first line
  kNpy,       // numpy array of floats, and a second file with one word per line
  kTsv,       // TensorBoard projector: tab-separated numbers, and a second file like that
  kFastText,  // fastText model, which only training writes
};

// The number types of numpy arrays that acevec writes: 4 or 2 bytes, little-endian.
enum class NumberType { kFloat32, kFloat16 };

// Returns the format of a path's ending (.bin, .glove, .npy or .tsv, also before the ending of a
// packed file); nothing for other endings.
std::optional<VectorFormat> format_of_ending(std::string_view path);

// Returns the format to write to `path`: that of its ending, or text for .txt, .vec or no ending.
// Throws UsageError for any other ending; the message ends with `otherwise`, another way to choose
// a format.
VectorFormat output_format(const std::string& path, const std::string& otherwise = "");

// The format's name for messages: "word2vec text".
std::string described(VectorFormat format);

// True for word2vec's own formats, text and binary.
bool is_word2vec(VectorFormat format);

// True when the words are in a separate file.
bool has_words_file(VectorFormat format);

// Returns the words file of vectors at `path`: v.words for v.npy, v.metadata.tsv for v.tsv.
std::string words_path(const std::string& path, VectorFormat format);

// Returns the file of the context vectors that belong to `path`: items-context.bin for items.bin,
// items-context.txt.gz for items.txt.gz.
std::string context_path(const std::string& path);

}  // namespace acevec
