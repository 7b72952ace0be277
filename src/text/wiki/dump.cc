#include "text/wiki/dump.h"

#include <expat.h>

#include <algorithm>
#include <new>
#include <utility>

#include "base/error.h"
#include "base/numbers.h"

namespace acevec {
namespace {

// The depths of mediawiki/page/revision/text and mediawiki/siteinfo/namespaces/namespace.
constexpr int kRoot = 1;
constexpr int kPage = 2;
constexpr int kOfPage = 3;
constexpr int kOfRevision = 4;
constexpr int kDeepest = 100;

constexpr size_t kMaxFieldBytes = 1 << 12;  // limit of titles and other short fields

// Returns whether a page begins like "#REDIRECT [[Albedo]]" in any language: old dumps have no
// <redirect> element.
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

constexpr size_t kBlock = 1 << 16;
constexpr int64_t kLongestDumpTag = 1 << 20;  // expat buffers a whole tag or comment

// True for white space between documents, in UTF-8 or UTF-16.
bool is_gap(char c) {
  return c == '\n' || c == '\r' || c == ' ' || c == '\t' || c == '\0';
}

}  // namespace

void WikiDump::begin(std::string_view element, const char* const* attributes) {
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

void WikiDump::add_text(std::string_view text) {
  if (field_ == nullptr) return;
  const bool is_article = field_ == &page_.text;
  if (field_->size() + text.size() <= (is_article ? kMaxArticleBytes : kMaxFieldBytes)) {
    field_->append(text);
  } else if (is_article) {
    page_.cut = true;
    field_ = nullptr;
  }
}

void WikiDump::end() {
  if (field_ == &name_) names_.add(key_, name_);
  field_ = nullptr;
  if (depth_ == kPage && in_page_) finish_page();
  in_page_ = in_page_ && depth_ > kPage;
  --depth_;
}

void WikiDump::finish_page() {
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

// The callbacks of expat, through which no exception may pass.
struct WikiDump::Handlers {
  template <class Event>
  static void guard(void* data, Event&& event) {
    auto& dump = *static_cast<WikiDump*>(data);
    try {
      event(dump);
    } catch (...) {
      dump.failure_ = std::current_exception();
      XML_StopParser(dump.parser_.get(), XML_FALSE);
    }
  }
  static void begin(void* data, const char* element, const char** attributes) {
    guard(data, [&](WikiDump& dump) { dump.begin(element, attributes); });
  }
  static void text(void* data, const char* text, int size) {
    guard(data, [&](WikiDump& dump) { dump.add_text({text, static_cast<size_t>(size)}); });
  }
  static void end(void* data, const char*) {
    guard(data, [](WikiDump& dump) {
      dump.end();
      if (dump.depth_ > 0) return;
      XML_Parser const parser = dump.parser_.get();
      dump.document_ = XML_GetCurrentByteIndex(parser) + XML_GetCurrentByteCount(parser);
      XML_StopParser(parser, XML_TRUE);
    });
  }
};

WikiDump::WikiDump(Source& source)
    : source_(source), parser_(XML_ParserCreate(nullptr), XML_ParserFree), block_(kBlock) {
  if (!parser_) throw std::bad_alloc();
  begin_document();
}

void WikiDump::begin_document() {
  XML_ParserReset(parser_.get(), nullptr);
  XML_SetUserData(parser_.get(), this);
  XML_SetElementHandler(parser_.get(), Handlers::begin, Handlers::end);
  XML_SetCharacterDataHandler(parser_.get(), Handlers::text);
  fed_ = 0;
  document_ = -1;
}

bool WikiDump::next(size_t bytes, std::vector<std::string>& articles, PageCounts& counts) {
  while (!ended_ && bytes_ < bytes) {
    ended_ = true;  // if one of the next lines throws, all threads see the end
    const size_t got = source_.read(block_.data(), block_.size());
    const bool last = got < block_.size();
    parse({block_.data(), got}, last);
    ended_ = last;
  }
  articles = std::exchange(articles_, {});
  counts = std::exchange(counts_, {});
  bytes_ = 0;
  return !ended_ || counts.total() > 0;
}

// Parses a block of the source; if a document ends in it, another may begin.
void WikiDump::parse(std::string_view block, bool last) {
  for (;;) {
    if (fed_ == 0 && any_document_) {
      const auto gap = std::ranges::find_if_not(block, is_gap);
      block.remove_prefix(static_cast<size_t>(gap - block.begin()));
      if (block.empty()) return;
    }
    const XML_Status status = XML_Parse(parser_.get(), block.data(), static_cast<int>(block.size()),
                                        last ? XML_TRUE : XML_FALSE);
    if (status == XML_STATUS_ERROR) fail();
    if (status == XML_STATUS_OK) break;
    any_document_ = true;
    block.remove_prefix(static_cast<size_t>(document_ - fed_));
    begin_document();
  }
  fed_ += static_cast<int64_t>(block.size());
  if (fed_ - XML_GetCurrentByteIndex(parser_.get()) > kLongestDumpTag) {
    source_.refuse(format("line %lu has a tag of more than 1 MiB; the dump is damaged",
                          XML_GetCurrentLineNumber(parser_.get())));
  }
}

void WikiDump::fail() const {
  if (failure_) {
    try {
      std::rethrow_exception(failure_);
    } catch (const Error& error) {
      source_.refuse(format("%s; give a MediaWiki dump, or leave out -format wiki", error.what()));
    }
  }
  const XML_Error code = XML_GetErrorCode(parser_.get());
  if (code == XML_ERROR_NO_MEMORY) throw std::bad_alloc();
  const char* const reason = XML_ErrorString(code);
  std::string place = format("in line %lu", XML_GetCurrentLineNumber(parser_.get()));
  if (depth_ == 0) {
    source_.refuse(format("it is not XML (%s %s); give a MediaWiki dump, or leave out -format wiki",
                          reason, place.c_str()));
  }
  if (!last_title_.empty()) place += " after the page \"" + last_title_ + '"';
  if (code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN ||
      code == XML_ERROR_PARTIAL_CHAR) {
    source_.refuse("the dump is truncated " + place + "; download the whole file");
  }
  source_.refuse("it is damaged " + place + " (" + reason + "); get the dump again");
}

}  // namespace acevec
