// The formats of files of vectors.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace acevec {

enum class VectorFormat {
  kText,      // word2vec text: "words size", then a line a word
  kBinary,    // word2vec binary: the same first line, then words and little-endian floats
  kGlove,     // text without the first line
  kNpy,       // numpy's array of floats, and a second file with a word a line
  kTsv,       // TensorBoard projector: tab-separated numbers, and a second file with a word a line
  kFastText,  // fastText's model, which acevec reads here and writes only where it trains
};

// The numbers of the numpy arrays that acevec writes: 4 bytes or 2, little-endian.
enum class NumberType { kFloat32, kFloat16 };

// The format of a file's ending (.bin, .glove, .npy or .tsv, also before that of a packed file);
// none for other endings.
std::optional<VectorFormat> format_of_ending(std::string_view path);

// The format to write to `path`: that of its ending; text for .txt, .vec and none. Throws
// UsageError for any other ending; the message ends in `otherwise`, another way to choose a format.
VectorFormat output_format(const std::string& path, const std::string& otherwise = "");

// "word2vec text", for messages.
std::string described(VectorFormat format);

// True for word2vec's own formats, text and binary.
bool is_word2vec(VectorFormat format);

// True when the words are in a file of their own.
bool has_words_file(VectorFormat format);

// The file of the words of vectors at `path`: v.npy has v.words, v.tsv v.metadata.tsv.
std::string words_path(const std::string& path, VectorFormat format);

// The file of the context vectors of vectors at `path`: items.bin has items-context.bin, and
// items.txt.gz has items-context.txt.gz.
std::string context_path(const std::string& path);

}  // namespace acevec
