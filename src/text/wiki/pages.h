// The elements of a MediaWiki dump -> the wikitext of its articles.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "text/page_counts.h"
#include "text/wiki/names.h"

namespace acevec {

// MediaWiki itself refuses pages above 2 MiB.
inline constexpr size_t kMaxArticleBytes = 4 << 20;

// Takes what an XML parser tells and gathers articles: pages of namespace 0 that hold wikitext and
// lead nowhere else. Of several revisions of a page the last one counts.
class WikiPages {
 public:
  // Throw Error (without the file's name) on what is no dump. `attributes`: name, value, ..., null.
  void begin(std::string_view element, const char* const* attributes);
  void text(std::string_view text);
  void end();

  // Elements that are open; 0: outside of a document.
  int depth() const { return depth_; }

  // Title of the last page whose end was seen; empty before the first.
  const std::string& last_title() const { return last_title_; }

  // Names are added before the first page only, so that they can be read while pages come.
  const WikiNames& names() const { return names_; }

  // Bytes of the articles gathered, and the articles, which are handed over.
  size_t bytes() const { return bytes_; }
  PageCounts take(std::vector<std::string>& articles);

 private:
  void begin_field(std::string_view element, const char* const* attributes);
  void finish_page();

  struct Page {
    std::string title;
    std::string name_space;
    std::string model;
    std::string text;
    bool redirect = false;
    bool cut = false;
  };

  int depth_ = 0;
  std::string* field_ = nullptr;  // where the text of the current element goes
  Page page_;
  bool in_page_ = false;
  bool any_page_ = false;
  std::string name_;  // of a namespace, and its number
  int key_ = 0;
  WikiNames names_;
  std::string last_title_;
  std::vector<std::string> articles_;
  PageCounts counts_;
  size_t bytes_ = 0;
};

}  // namespace acevec
