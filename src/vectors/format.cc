#include "vectors/format.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/output_file.h"

namespace acevec {
namespace {

constexpr std::array<std::pair<std::string_view, VectorFormat>, 4> kEndings{{
    {".bin", VectorFormat::kBinary},
    {".glove", VectorFormat::kGlove},
    {".npy", VectorFormat::kNpy},
    {".tsv", VectorFormat::kTsv},
}};

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// ".bin" of v.bin; empty where the name has no ending. No endings are what begins with a digit
// (glove.300d), a version (model.v2) and what mktemp makes (tmp.bXbDcsFxzo).
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
  for (const auto& [ending, format] : kEndings) {
    if (path.ends_with(ending)) return format;
  }
  return std::nullopt;
}

VectorFormat output_format(const std::string& path, const std::string& otherwise) {
  if (const auto promised = format_of_ending(path)) return *promised;
  const std::string ending = ending_of(path);
  if (ending.empty() || ending == ".txt" || ending == ".vec") return VectorFormat::kText;
  throw UsageError(
      format("acevec writes no %s files (%s); end the name in .txt, .vec, .bin, .glove, .npy or "
             ".tsv%s",
             ending.c_str(), path.c_str(), otherwise.c_str()));
}

std::string described(VectorFormat format) {
  switch (format) {
    case VectorFormat::kText:
      return "word2vec text";
    case VectorFormat::kBinary:
      return "word2vec binary";
    case VectorFormat::kGlove:
      return "GloVe text";
    case VectorFormat::kNpy:
      return "npy";
    case VectorFormat::kTsv:
      return "tsv";
    case VectorFormat::kFastText:
      return "fastText";
  }
  refuse_case("format");
}

bool is_word2vec(VectorFormat format) {
  return format == VectorFormat::kText || format == VectorFormat::kBinary;
}

bool has_words_file(VectorFormat format) {
  return format == VectorFormat::kNpy || format == VectorFormat::kTsv;
}

std::string words_path(const std::string& path, VectorFormat format) {
  std::string_view stem = without_packing(path);
  const std::string_view ending = format == VectorFormat::kNpy ? ".npy" : ".tsv";
  if (stem.ends_with(ending)) stem.remove_suffix(ending.size());
  return std::string(stem) + (format == VectorFormat::kNpy ? ".words" : ".metadata.tsv");
}

std::string context_path(const std::string& path) {
  const std::filesystem::path plain = without_packing(path);
  return std::string(path).insert(plain.string().size() - plain.extension().string().size(),
                                  "-context");
}

}  // namespace acevec
