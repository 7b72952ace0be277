#include "vectors/format.h"

#include <array>
#include <utility>

#include "base/error.h"

namespace acevec {
namespace {

constexpr std::array<std::pair<std::string_view, VectorFormat>, 6> kNames{{
    {"text", VectorFormat::kText},
    {"binary", VectorFormat::kBinary},
    {"glove", VectorFormat::kGlove},
    {"npy", VectorFormat::kNpy},
    {"tsv", VectorFormat::kTsv},
    {"fasttext", VectorFormat::kFastText},
}};

constexpr std::array<std::pair<std::string_view, VectorFormat>, 4> kEndings{{
    {".bin", VectorFormat::kBinary},
    {".glove", VectorFormat::kGlove},
    {".npy", VectorFormat::kNpy},
    {".tsv", VectorFormat::kTsv},
}};

constexpr std::string_view kGzip = ".gz";

}  // namespace

VectorFormat vector_format(std::string_view name) {
  for (const auto& [known, format] : kNames) {
    if (known == name) return format;
  }
  return VectorFormat::kText;
}

std::optional<VectorFormat> format_of_ending(std::string_view path) {
  if (path.ends_with(kGzip)) path.remove_suffix(kGzip.size());
  for (const auto& [ending, format] : kEndings) {
    if (path.ends_with(ending)) return format;
  }
  return std::nullopt;
}

VectorFormat output_format(const Options& options, const std::string& path) {
  const VectorFormat promised = format_of_ending(path).value_or(VectorFormat::kText);
  if (!options.given("binary")) return promised;
  if (!is_word2vec(promised)) {
    throw UsageError(
        format("-binary chooses between word2vec's formats, and the ending of %s means another; "
               "leave it out, or give another ending",
               path.c_str()));
  }
  return options.flag("binary") ? VectorFormat::kBinary : VectorFormat::kText;
}

bool is_word2vec(VectorFormat format) {
  return format == VectorFormat::kText || format == VectorFormat::kBinary;
}

bool has_words_file(VectorFormat format) {
  return format == VectorFormat::kNpy || format == VectorFormat::kTsv;
}

void add_words_file(const std::string& name, const std::string& path,
                    std::optional<VectorFormat> format, bool written, std::vector<RunFile>& files) {
  if (path == "-" || !format || !has_words_file(*format)) return;
  files.push_back({"the words of " + name, words_path(path, *format), written});
}

std::string words_path(const std::string& path, VectorFormat format) {
  std::string_view stem = path;
  if (stem.ends_with(kGzip)) stem.remove_suffix(kGzip.size());
  const std::string_view ending = format == VectorFormat::kNpy ? ".npy" : ".tsv";
  if (stem.ends_with(ending)) stem.remove_suffix(ending.size());
  return std::string(stem) + (format == VectorFormat::kNpy ? ".words" : ".metadata.tsv");
}

}  // namespace acevec
