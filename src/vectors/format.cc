#include "vectors/format.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/error.h"
#include "base/output_file.h"

namespace acevec {
namespace {

struct FormatRow {
  VectorFormat format;
  const char* name;
  std::string_view ending = {};  // ending of the vector file
  std::string_view words = {};   // ending of the words file; empty: there is none
};
constexpr FormatRow kFormats[] = {
    {VectorFormat::kText, "word2vec text"},
    {VectorFormat::kBinary, "word2vec binary", ".bin"},
    {VectorFormat::kGlove, "GloVe text", ".glove"},
    {VectorFormat::kNpy, "npy", ".npy", ".words"},
    {VectorFormat::kTsv, "tsv", ".tsv", ".metadata.tsv"},
    {VectorFormat::kFastText, "fastText"},
};

const FormatRow& row_of(VectorFormat format) {
  return *std::ranges::find(kFormats, format, &FormatRow::format);
}

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// Returns ".bin" for v.bin; empty if the name has no ending. A part that begins with a digit
// (glove.300d), a version (model.v2) and mktemp's random letters (tmp.bXbDcsFxzo) are not endings.
std::string ending_of(const std::string& path) {
  constexpr size_t kMktemp = 11;
  const std::filesystem::path name = std::filesystem::path(path).filename();
  const std::string ending = name.extension().string();
  if (ending.size() < 2 || is_digit(ending[1])) return "";
  const bool version = ending.size() > 2 && (ending[1] == 'v' || ending[1] == 'V') &&
                       std::all_of(ending.begin() + 2, ending.end(), is_digit);
  const bool by_chance = name.stem() == "tmp" && ending.size() == kMktemp;
  return version || by_chance ? "" : ending;
}

}  // namespace

std::optional<VectorFormat> format_of_ending(std::string_view path) {
  path = without_packing(path);
  for (const FormatRow& row : kFormats) {
    if (!row.ending.empty() && path.ends_with(row.ending)) return row.format;
  }
  return std::nullopt;
}

VectorFormat output_format(const std::string& path, const std::string& otherwise) {
  if (const auto by_ending = format_of_ending(path)) return *by_ending;
  const std::string ending = ending_of(path);
  if (ending.empty() || ending == ".txt" || ending == ".vec") return VectorFormat::kText;
  throw UsageError(
      format("cannot write %s files (%s); end the name in .txt, .vec, .bin, .glove, .npy or "
             ".tsv%s",
             ending.c_str(), path.c_str(), otherwise.c_str()));
}

std::string described(VectorFormat format) {
  return row_of(format).name;
}

bool is_word2vec(VectorFormat format) {
  return format == VectorFormat::kText || format == VectorFormat::kBinary;
}

bool has_words_file(VectorFormat format) {
  return !row_of(format).words.empty();
}

std::string words_path(const std::string& path, VectorFormat format) {
  const FormatRow& row = row_of(format);
  std::string_view stem = without_packing(path);
  if (stem.ends_with(row.ending)) stem.remove_suffix(row.ending.size());
  return std::string(stem).append(row.words);
}

std::string context_path(const std::string& path) {
  const std::filesystem::path plain = without_packing(path);
  return std::string(path).insert(plain.string().size() - plain.extension().string().size(),
                                  "-context");
}

}  // namespace acevec
