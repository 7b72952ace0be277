// Prefixes of a wiki's titles and their meanings: "File:", "Категория:", "de:".
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace acevec {

// The namespaces of a wiki by name: the English names, which every wiki knows, and the names in its
// own language that a dump lists.
class WikiNames {
 public:
  WikiNames();

  // `key` is MediaWiki's number of the namespace: 0 articles, 6 files, 14 categories.
  void add(int key, std::string_view name);

  // Sets the language of the wiki ("zh"), and adds names of files and categories that wikis of the
  // language know but dumps do not list. Call it before add(), whose names take priority.
  void set_language(std::string_view language);
  const std::string& language() const { return language_; }

  // True when `title` is an article's, not a page of another namespace ("Talk:Albedo").
  bool is_article(std::string_view title) const { return key_of(title) == kUnknown; }

  // True when `title` is a template's ("Template:Lang").
  bool is_template(std::string_view title) const { return key_of(title) == kTemplate; }

  // True when a link to `target` shows no text in place: files, categories, and the same article in
  // other languages. A colon before the prefix makes it visible.
  bool is_hidden(std::string_view target) const;

 private:
  static constexpr int kUnknown = -1, kTemplate = 10;

  int key_of(std::string_view title) const;  // kUnknown when the title has no known prefix

  std::map<std::string, int, std::less<>> keys_;
  std::string language_;
};

}  // namespace acevec
