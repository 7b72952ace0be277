// MediaWiki's XML dumps in; expat parses. Memory does not grow with the dump.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/source.h"
#include "text/wiki/pages.h"

struct XML_ParserStruct;

namespace acevec {

// Reads a Source to its end, a piece at a time. UTF-8, UTF-16 and Latin-1 are told apart as XML
// says. Dumps may follow each other, as in `bzcat part1.bz2 part2.bz2`.
class WikiDump {
 public:
  explicit WikiDump(Source& source);

  // Puts the next articles' wikitext into `articles`, `bytes` together or a little more, and counts
  // the pages on the way to them. Returns false at the end, when there are no more.
  // Throws Error when the source is truncated, damaged, or something else than a dump.
  bool next(size_t bytes, std::vector<std::string>& articles, PageCounts& counts);

  // The wiki's names; they do not change after the first next().
  const WikiNames& names() const { return pages_.names(); }

 private:
  struct Handlers;
  struct Free {
    void operator()(XML_ParserStruct* parser) const;
  };

  void begin_document();
  void parse(std::string_view block, bool last);
  [[noreturn]] void fail() const;

  Source& source_;
  std::unique_ptr<XML_ParserStruct, Free> parser_;
  std::vector<char> block_;
  WikiPages pages_;
  int64_t fed_ = 0;             // bytes that the parser got before the current piece
  int64_t document_ = -1;       // bytes of the document; −1 before its end is seen
  bool any_document_ = false;   // one has been read to its end
  bool ended_ = false;          // the source has
  std::exception_ptr failure_;  // an exception on its way through the parser, which is C
};

}  // namespace acevec
