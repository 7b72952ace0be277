#include "text/wiki/names.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/numbers.h"
#include "text/case.h"

namespace acevec {
namespace {

constexpr int kUnknown = -1;
constexpr int kFile = 6;
constexpr int kCategory = 14;
constexpr size_t kLongestName = 200;

// "file_talk " and "File talk" are one name.
std::string folded(std::string_view name) {
  std::string spaced(name);
  std::replace(spaced.begin(), spaced.end(), '_', ' ');
  return fold_case(trimmed(spaced, " "));
}

// Codes as in "de:", "zh-min-nan:", "simple:". Other wikis have short names too; those shown here
// are the ones that articles link to in their text.
bool is_language(std::string_view prefix) {
  constexpr std::array<std::string_view, 6> kOthers{"mw", "voy", "doi", "rfc", "isbn", "via"};
  if (prefix == "simple") return true;
  if (std::ranges::find(kOthers, prefix) != kOthers.end()) return false;
  const size_t first = std::min(prefix.find('-'), prefix.size());
  const auto is_part = [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; };
  return (first == 2 || first == 3) && std::ranges::all_of(prefix, is_part);
}

// Wikis know files by more names than their dumps list ("Bild:", "Картинка:").
bool has_media_ending(std::string_view target) {
  constexpr std::array<std::string_view, 13> kEndings{".jpg", ".jpeg", ".png",  ".svg", ".gif",
                                                      ".tif", ".tiff", ".webp", ".ogg", ".oga",
                                                      ".ogv", ".webm", ".pdf"};
  const std::string end = folded(target.substr(target.size() - std::min<size_t>(target.size(), 6)));
  return std::ranges::any_of(kEndings,
                             [&](std::string_view ending) { return end.ends_with(ending); });
}

}  // namespace

WikiNames::WikiNames() {
  constexpr std::pair<int, std::string_view> kEnglish[] = {
      {-2, "Media"},    {-1, "Special"},       {1, "Talk"},      {2, "User"},
      {3, "User talk"}, {4, "Project"},        {4, "Wikipedia"}, {5, "Project talk"},
      {6, "File"},      {6, "Image"},          {7, "File talk"}, {7, "Image talk"},
      {8, "MediaWiki"}, {9, "MediaWiki talk"}, {10, "Template"}, {11, "Template talk"},
      {12, "Help"},     {13, "Help talk"},     {14, "Category"}, {15, "Category talk"},
      {828, "Module"},  {829, "Module talk"}};
  for (const auto& [key, name] : kEnglish) add(key, name);
}

void WikiNames::add(int key, std::string_view name) {
  std::string prefix = folded(name);
  if (key != 0 && !prefix.empty()) keys_[std::move(prefix)] = key;
}

bool WikiNames::is_article(std::string_view title) const {
  return key_of(title) == kUnknown;
}

bool WikiNames::is_hidden(std::string_view target) const {
  const size_t colon = target.substr(0, kLongestName).find(':');
  if (colon == std::string_view::npos || colon == 0) return false;
  const int key = key_of(target);
  return key == kFile || key == kCategory || is_language(target.substr(0, colon)) ||
         (key == kUnknown && has_media_ending(target));
}

int WikiNames::key_of(std::string_view title) const {
  const size_t colon = title.substr(0, kLongestName).find(':');
  if (colon == std::string_view::npos) return kUnknown;
  const auto found = keys_.find(folded(title.substr(0, colon)));
  return found == keys_.end() ? kUnknown : found->second;
}

}  // namespace acevec
