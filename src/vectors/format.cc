#include "vectors/format.h"

#include <array>
#include <utility>

namespace acevec {
namespace {

constexpr std::array<std::pair<std::string_view, VectorFormat>, 5> kNames{{
    {"text", VectorFormat::kText},
    {"binary", VectorFormat::kBinary},
    {"glove", VectorFormat::kGlove},
    {"npy", VectorFormat::kNpy},
    {"tsv", VectorFormat::kTsv},
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

bool is_binary(const Options& options, const std::string& path) {
  return options.given("binary") ? options.flag("binary") : path.ends_with(".bin");
}

bool has_words_file(VectorFormat format) {
  return format == VectorFormat::kNpy || format == VectorFormat::kTsv;
}

std::string words_path(const std::string& path, VectorFormat format) {
  std::string_view stem = path;
  if (stem.ends_with(kGzip)) stem.remove_suffix(kGzip.size());
  const std::string_view ending = format == VectorFormat::kNpy ? ".npy" : ".tsv";
  if (stem.ends_with(ending)) stem.remove_suffix(ending.size());
  return std::string(stem) + (format == VectorFormat::kNpy ? ".words" : ".metadata.tsv");
}

}  // namespace acevec
