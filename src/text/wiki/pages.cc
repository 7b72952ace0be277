#include "text/wiki/pages.h"

#include <utility>

#include "base/error.h"
#include "base/numbers.h"

namespace acevec {
namespace {

// mediawiki/page/revision/text and mediawiki/siteinfo/namespaces/namespace: what is of interest
// lies at these depths.
constexpr int kRoot = 1;
constexpr int kPage = 2;
constexpr int kOfPage = 3;
constexpr int kOfRevision = 4;
constexpr int kDeepest = 100;

constexpr size_t kMaxFieldBytes = 1 << 12;  // of titles and the like

// "#REDIRECT [[Albedo]]" in any language: old dumps have no <redirect> element.
bool leads_elsewhere(std::string_view text) {
  const size_t start = text.find_first_not_of(" \t\n");
  if (start == std::string_view::npos || text[start] != '#') return false;
  const size_t word_end = text.find_first_of(" \t\n:[", start);
  const size_t link = text.find_first_not_of(" \t\n:", std::min(word_end, text.size()));
  return word_end > start + 1 && link != std::string_view::npos &&
         text.substr(link).starts_with("[[");
}

const char* attribute(const char* const* attributes, std::string_view name) {
  for (; attributes[0] != nullptr; attributes += 2) {
    if (attributes[0] == name) return attributes[1];
  }
  return "";
}

}  // namespace

void WikiPages::begin(std::string_view element, const char* const* attributes) {
  ++depth_;
  field_ = nullptr;
  if (depth_ > kDeepest) throw Error("its elements are nested too deeply for a dump");
  if (depth_ == kRoot && element != "mediawiki") {
    throw Error(format("it is XML, but not of MediaWiki: it begins with <%s>",
                       std::string(element.substr(0, 40)).c_str()));
  }
  if (depth_ == kRoot && !any_page_) names_.set_language(attribute(attributes, "xml:lang"));
  if (depth_ == kPage) {
    in_page_ = element == "page";
    any_page_ = any_page_ || in_page_;
    page_ = Page();
  }
  begin_field(element, attributes);
}

// Says where the text of `element` goes, if anywhere.
void WikiPages::begin_field(std::string_view element, const char* const* attributes) {
  if (in_page_ && depth_ == kOfPage) {
    if (element == "title") field_ = &page_.title;
    if (element == "ns") field_ = &page_.name_space;
    page_.redirect = page_.redirect || element == "redirect";
  } else if (in_page_ && depth_ == kOfRevision) {
    if (element == "model") field_ = &page_.model;
    if (element == "text") {
      field_ = &page_.text;
      page_.cut = false;
    }
  } else if (!any_page_ && depth_ == kOfRevision && element == "namespace") {
    field_ = &name_;
    key_ = number_of<int>(attribute(attributes, "key")).value_or(0);
  }
  if (field_ != nullptr) field_->clear();
}

void WikiPages::text(std::string_view text) {
  if (field_ == nullptr) return;
  const bool is_article = field_ == &page_.text;
  if (field_->size() + text.size() <= (is_article ? kMaxArticleBytes : kMaxFieldBytes)) {
    field_->append(text);
  } else if (is_article) {
    page_.cut = true;
    field_ = nullptr;
  }
}

void WikiPages::end() {
  if (field_ == &name_) names_.add(key_, name_);
  field_ = nullptr;
  if (depth_ == kPage && in_page_) finish_page();
  in_page_ = in_page_ && depth_ > kPage;
  --depth_;
}

void WikiPages::finish_page() {
  last_title_ = page_.title;
  const bool article =
      page_.name_space.empty() ? names_.is_article(page_.title) : page_.name_space == "0";
  const bool wikitext = page_.model.empty() || page_.model == "wikitext";
  if (!article || !wikitext) {
    ++counts_.others;
  } else if (page_.redirect || leads_elsewhere(page_.text)) {
    ++counts_.redirects;
  } else {
    ++counts_.articles;
    counts_.cut += page_.cut ? 1 : 0;
    bytes_ += page_.text.size();
    articles_.push_back(std::move(page_.text));
  }
}

PageCounts WikiPages::take(std::vector<std::string>& articles) {
  articles.clear();
  std::swap(articles, articles_);
  bytes_ = 0;
  return std::exchange(counts_, {});
}

}  // namespace acevec
