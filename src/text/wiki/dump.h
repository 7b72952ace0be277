// MediaWiki's XML dumps -> the wikitext of their articles; expat parses. Memory does not grow with
// the dump.
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

// MediaWiki itself refuses pages above 2 MiB.
inline constexpr size_t kMaxArticleBytes = 4 << 20;

// Reads a Source to its end, a piece at a time. UTF-8, UTF-16 and Latin-1 are told apart as XML
// says. Dumps may follow each other, as in `bzcat part1.bz2 part2.bz2`. Articles are pages of
// namespace 0 with wikitext that are no redirects; the last of several revisions of a page counts.
class WikiDump {
 public:
  explicit WikiDump(Source& source);

  // Puts the next articles' wikitext into `articles`, `bytes` together or a little more, and counts
  // the pages on the way to them. Returns false at the end, when there are no more.
  // Throws Error when the source is truncated, damaged, or something else than a dump.
  bool next(size_t bytes, std::vector<std::string>& articles, PageCounts& counts);

  // The wiki's names. They are added before the first page only, so they do not change after the
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

  // The parser's events. They throw Error (without the file's name) if the XML is no dump.
  // `attributes`: name, value, ..., null.
  void begin(std::string_view element, const char* const* attributes);
  void add_text(std::string_view text);
  void end();
  void finish_page();

  Source& source_;
  std::unique_ptr<XML_ParserStruct, void (*)(XML_ParserStruct*)> parser_;
  std::vector<char> block_;
  int64_t fed_ = 0;             // bytes that the parser got before the current piece
  int64_t document_ = -1;       // bytes of the document; −1 before its end is seen
  bool any_document_ = false;   // a document has been read to its end
  bool ended_ = false;          // the source has ended
  std::exception_ptr failure_;  // an exception on its way through the parser, which is C

  int depth_ = 0;                 // open elements; 0: outside of a document
  std::string* field_ = nullptr;  // where the text of the current element goes
  Page page_;
  bool in_page_ = false;
  bool any_page_ = false;
  std::string name_;  // of a namespace, and its number
  int key_ = 0;
  WikiNames names_;
  std::string last_title_;             // of the last page that ended; empty before the first
  std::vector<std::string> articles_;  // to be given next
  size_t bytes_ = 0;                   // of these
  PageCounts counts_;
};

}  // namespace acevec
