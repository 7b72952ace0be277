#include "text/wiki/names.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/numbers.h"
#include "text/case.h"

namespace acevec {
namespace {

constexpr int kFile = 6, kCategory = 14;
constexpr size_t kLongestName = 200;

// Names of the file and category namespaces in the wikis of a language and of languages that share
// its names, separated by bars.
struct LanguageNames {
  std::string_view languages;  // separated by blanks
  std::string_view files;
  std::string_view categories;
};

constexpr auto kLanguages = std::to_array<LanguageNames>({
    {"zh gan wuu yue zh-yue lzh zh-classical cdo hak nan zh-min-nan",
     "文件|檔案|档案|图像|圖像|图片|圖片|档", "分类|分類|類|类"},
    {"ja", "ファイル|画像", "カテゴリ"},
    {"ko", "파일|그림", "분류"},
    {"ru ba tt cv be be-tarask be-x-old kk ky mhr mrj myv os sah tg udm ce av bxr tyv",
     "файл|изображение|рисунок|выява|сурет|рәсем|расм|нигъл",
     "категория|к|катэгорыя|санат|төркем|гурӯҳ|категори"},
    {"uk rue", "файл|зображення|изображение", "категорія|категория|катеґорія"},
    {"bg", "файл|картинка", "категория"},
    {"mk", "податотека|слика", "категорија"},
    {"sr sh hr bs sl", "датотека|слика|datoteka|slika", "категорија|kategorija"},
    {"ar arz ary", "ملف|صورة", "تصنيف"},
    {"fa azb mzn glk ckb", "پرونده|تصویر|پەڕگە", "رده|پۆل"},
    {"ur pnb", "فائل|تصویر|ملف", "زمرہ"},
    {"he yi", "קובץ|תמונה|טעקע|בילד", "קטגוריה|קטגורי|קאטעגאריע"},
    {"el", "αρχείο|εικόνα", "κατηγορία"},
    {"hy", "պատկեր|ֆայլ", "կատեգորիա"},
    {"ka", "ფაილი|სურათი", "კატეგორია"},
    {"hi mr ne sa", "चित्र|फ़ाइल|फाइल|सञ्चिका", "श्रेणी|वर्ग|वर्गः"},
    {"bn", "চিত্র|ফাইল", "বিষয়শ্রেণী|বিষয়শ্রেণী"},
    {"ta", "படிமம்|படம்", "பகுப்பு"},
    {"te", "దస్త్రం|బొమ్మ|ఫైలు", "వర్గం"},
    {"th", "ไฟล์|ภาพ", "หมวดหมู่"},
    {"de als bar dsb gsw hsb ksh lb nds pdc pfl stq", "datei|bild|fichier", "kategorie|kategorija"},
    {"fr br oc wa ht frp", "fichier|image|fichièr|imatge", "catégorie|categoria|rummad"},
    {"es an ast qu gn ay", "archivo|imagen|ficheru|imaxe", "categoría|categoria"},
    {"pt", "ficheiro|imagem|arquivo", "categoria"},
    {"gl", "ficheiro|imaxe", "categoría"},
    {"it lmo nap pms scn vec sc", "file|immagine", "categoria"},
    {"ca", "fitxer|imatge", "categoria"},
    {"ro", "fișier|fişier|imagine", "categorie"},
    {"nl li vls zea fy", "bestand|afbeelding|ofbyld", "categorie|kategory"},
    {"pl csb szl", "plik|grafika", "kategoria"},
    {"cs", "soubor|obrázek|obrazek", "kategorie"},
    {"sk", "súbor|obrázok", "kategória"},
    {"hu", "fájl|kép", "kategória"},
    {"sv da no nb nn fo is", "fil|bild|billede|bilde|mynd", "kategori|flokkur|bólkur"},
    {"fi", "tiedosto|kuva", "luokka"},
    {"et", "fail|pilt", "kategooria"},
    {"lv", "attēls", "kategorija"},
    {"lt", "vaizdas", "kategorija"},
    {"tr az", "dosya|resim|fayl|şəkil", "kategori|kateqoriya"},
    {"uz", "fayl|tasvir|файл", "turkum|kategoriya|туркум"},
    {"vi", "tập tin|hình", "thể loại"},
    {"id ms jv su", "berkas|gambar|fail|imej", "kategori"},
    {"eu", "fitxategi|irudi", "kategoria"},
    {"eo", "dosiero", "kategorio"},
    {"cy", "delwedd", "categori"},
    {"la", "fasciculus|imago", "categoria"},
});

// Normalizes a name: "file_talk " and "File talk" are the same.
std::string folded(std::string_view name) {
  std::string spaced(name);
  std::ranges::replace(spaced, '_', ' ');
  return fold_case(trimmed(spaced, " "));
}

// Returns whether a prefix is a language code: "de:", "zh-min-nan:", "simple:". Of other wikis'
// short prefixes, kOthers has those that articles use for links in their text.
bool is_language(std::string_view prefix) {
  constexpr std::array<std::string_view, 5> kOthers{"mw", "voy", "doi", "rfc", "via"};
  if (prefix == "simple") return true;
  if (std::ranges::find(kOthers, prefix) != kOthers.end()) return false;
  const size_t first = std::min(prefix.find('-'), prefix.size());
  const auto is_part = [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; };
  return (first == 2 || first == 3) && std::ranges::all_of(prefix, is_part);
}

// Detects files by their endings, since wikis have more file prefixes than their dumps list
// ("Bild:", "Картинка:").
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

void WikiNames::set_language(std::string_view language) {
  language_ = language;
  for (const LanguageNames& row : kLanguages) {
    const auto languages = split(row.languages, " ");
    if (std::ranges::find(languages, language) == languages.end()) continue;
    for (const std::string_view name : split(row.files, "|")) add(kFile, name);
    for (const std::string_view name : split(row.categories, "|")) add(kCategory, name);
  }
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
