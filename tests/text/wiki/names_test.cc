// What the prefixes of titles and links mean.

#include "text/wiki/names.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

namespace acevec {

TEST_CASE("a page is an article unless its prefix names another namespace") {
  WikiNames names;
  names.add(14, "Категория");
  names.add(0, "Main");  // articles have no prefix
  for (const char* const title : {"Albedo", "Star Trek: Picard", "Main:x", ":Talk", "Mu:seum"}) {
    CAPTURE(title);
    CHECK(names.is_article(title));
  }
  for (const char* const title :
       {"Talk:Albedo", "user_talk:x", " File : x", "КАТЕГОРИЯ:Физика", "Module talk:x"}) {
    CAPTURE(title);
    CHECK_FALSE(names.is_article(title));
  }
}

TEST_CASE("links to files, categories and other languages show nothing") {
  const WikiNames names;
  for (const char* const target : {"File:x.ogg", "image:x", "Category:x", "de:Albedo", "simple:x",
                                   "zh-min-nan:x", "Bild:Karte.PNG"}) {
    CAPTURE(target);
    CHECK(names.is_hidden(target));
  }
  for (const char* const target : {"Albedo", ":File:x.png", ":de:Albedo", "doi:10", "Help:x",
                                   "Apollo: a photo", "x.png", "User:x.png"}) {
    CAPTURE(target);
    CHECK_FALSE(names.is_hidden(target));
  }
}

TEST_CASE("wikis of a language know files and categories by more names") {
  const std::pair<const char*, std::vector<const char*>> kLinks[] = {
      {"zh", {"分类:城市", "分類:城市", "檔案:x", "文件:x", "Category:x"}},
      {"ja", {"カテゴリ:都市", "画像:x"}},
      {"ko", {"분류:x", "그림:x"}},
      {"ru", {"Категория:x", "к:x", "Изображение:x"}},
      {"uk", {"Категорія:x", "Зображення:x"}},
      {"sr", {"Kategorija:x", "Слика:x"}},
      {"ar", {"تصنيف:x", "صورة:x"}},
      {"fa", {"رده:x", "تصویر:x"}},
      {"he", {"קטגוריה:x", "תמונה:x"}},
      {"de", {"Bild:x", "Kategorie:x"}},
      {"als", {"Bild:x"}},
      {"fr", {"Fichier:x", "Catégorie:x"}},
      {"es", {"Archivo:x", "Imagen:x", "Categoría:x"}},
      {"it", {"Immagine:x", "Categoria:x"}},
      {"pt", {"Ficheiro:x", "Imagem:x", "Categoria:x"}},
      {"pl", {"Plik:x", "Grafika:x", "Kategoria:x"}},
      {"nl", {"Bestand:x", "Afbeelding:x", "Categorie:x"}},
      {"sv", {"Fil:x", "Bild:x", "Kategori:x"}}};
  for (const auto& [language, targets] : kLinks) {
    WikiNames names;
    names.set_language(language);
    CHECK(names.language() == language);
    for (const char* const target : targets) {
      CAPTURE(target);
      CHECK(names.is_hidden(target));
      CHECK_FALSE(names.is_article(target));
      CHECK_FALSE(names.is_hidden(":" + std::string(target)));
    }
  }
  CHECK_FALSE(WikiNames().is_hidden("Imagine: John Lennon"));  // a file in Romanian
}

TEST_CASE("templates have a prefix") {
  WikiNames names;
  names.add(10, "Modèle");
  CHECK(names.is_template("Template:x"));
  CHECK(names.is_template("modèle :"));
  CHECK_FALSE(names.is_template("x"));
  CHECK_FALSE(names.is_template("Talk:x"));
}

}  // namespace acevec
