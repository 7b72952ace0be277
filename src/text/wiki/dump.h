// Extracts the wikitext of articles from MediaWiki's XML dumps, with expat. Memory does not grow
// with the dump.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/source.h"
#include "text/tokenizer.h"
#include "text/wiki/names.h"

struct XML_ParserStruct;

namespace acevec {

// The maximum article size; MediaWiki itself refuses pages above 2 MiB.
inline constexpr size_t kMaxArticleBytes = 4 << 20;

// Reads a Source to its end, block by block. UTF-8, UTF-16 and Latin-1 are detected as XML
// specifies. Dumps may be concatenated, as by `bzcat part1.bz2 part2.bz2`. Articles are pages of
// namespace 0 with wikitext that are not redirects; the last of several revisions of a page counts.
class WikiDump {
 public:
  explicit WikiDump(Source& source);

  // Sets `articles` to the wikitext of the next articles, about `bytes` bytes together, and counts
  // the pages passed. Returns false at the end, when there are no more. Throws Error when the
  // source is truncated, damaged, or not a dump.
  bool next(size_t bytes, std::vector<std::string>& articles, PageCounts& counts);

  // The wiki's names. They are complete before the first page, so they do not change after the
  // first next().
  const WikiNames& names() const { return names_; }

 private:
  struct Handlers;
  struct Page {
    std::string title;
    std::string name_space;
    std::string model;
    std::string text;
    bool redirect = false;
    bool cut = false;
  };

  void begin_document();
  void parse(std::string_view block, bool last);
  [[noreturn]] void fail() const;

  // The parser's events. They throw Error (without the file's name) if the XML is not a dump.
  // `attributes`: name, value, ..., null.
  void begin(std::string_view element, const char* const* attributes);
  void add_text(std::string_view text);
  void end();
  void finish_page();

  Source& source_;
  std::unique_ptr<XML_ParserStruct, void (*)(XML_ParserStruct*)> parser_;
  std::vector<char> block_;
  int64_t fed_ = 0;            // bytes of the document that the parser got before the current block
  int64_t document_ = -1;      // length of the document in bytes; −1 until its end is seen
  bool any_document_ = false;  // a document has been completely read
  bool ended_ = false;         // the source has ended
  std::exception_ptr failure_;  // an exception to pass around the parser, which is C

  int depth_ = 0;                 // open elements; 0: outside of a document
  std::string* field_ = nullptr;  // destination of the current element's text
  Page page_;
  bool in_page_ = false;
  bool any_page_ = false;
  std::string name_;  // name of a namespace, and its number
  int key_ = 0;
  WikiNames names_;
  std::string last_title_;             // title of the last complete page; empty before the first
  std::vector<std::string> articles_;  // to be returned by next()
  size_t bytes_ = 0;                   // size of articles_
  PageCounts counts_;
};

}  // namespace acevec
