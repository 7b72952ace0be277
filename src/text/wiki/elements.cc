#include "text/wiki/elements.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "text/wiki/bytes.h"

namespace acevec {
namespace {

constexpr std::string_view kNoWiki = "nowiki";
constexpr auto kHidden = std::to_array<std::string_view>(
    {kNoWiki,     "ref",         "references",      "math",         "chem",     "ce",
     "gallery",   "source",      "syntaxhighlight", "code",         "pre",      "timeline",
     "score",     "hiero",       "imagemap",        "templatedata", "mapframe", "maplink",
     "graph",     "inputbox",    "includeonly",     "table",        "style",    "script",
     "indicator", "categorytree"});
constexpr size_t kLongestElement = 4096;

bool equal_letters(char a, char b) {
  return (a | 0x20) == (b | 0x20);
}

// True when `text` begins with the letters of `name`, in either case, and no others.
bool begins_with_name(std::string_view text, std::string_view name) {
  if (text.size() <= name.size()) return false;
  const char after = text[name.size()];
  return std::equal(name.begin(), name.end(), text.begin(), equal_letters) &&
         (after == '>' || after == '/' || after == ' ' || after == '\t' || after == '\n');
}

// Where "</name" begins at or after `at`.
size_t find_closing_tag(std::string_view text, size_t at, std::string_view name) {
  for (;; ++at) {
    at = text.find("</", at);
    if (at == std::string_view::npos || begins_with_name(text.substr(at + 2), name)) return at;
  }
}

void append_escaped(std::string_view text, std::string& out) {
  for (const char c : text) {
    if (std::string_view("[]{}<>'&=*#:;|!_-").find(c) != std::string_view::npos) {
      out += format("&#%d;", c);
    } else {
      out += c;
    }
  }
}

class ElementRemover {
 public:
  explicit ElementRemover(std::string_view text) : text_(text) { out_.reserve(text.size()); }

  std::string remove() {
    while (at_ < text_.size()) {
      const size_t tag = std::min(text_.find('<', at_), text_.size());
      out_.append(text_, at_, tag - at_);
      at_ = tag;
      if (at_ < text_.size() && !skip_comment() && !skip_element()) out_ += text_[at_++];
    }
    return std::move(out_);
  }

 private:
  bool skip_comment() {
    constexpr std::string_view kBegin = "<!--";
    constexpr std::string_view kEnd = "-->";
    if (!text_.substr(at_).starts_with(kBegin)) return false;
    const size_t end = text_.find(kEnd, at_ + kBegin.size());
    if (end == std::string_view::npos) {  // hides all that follows, as in MediaWiki
      at_ = text_.size();
      return true;
    }
    at_ = end + kEnd.size();
    // A comment on lines of its own leaves no empty line, which would part a paragraph.
    const bool own_line = out_.empty() || out_.back() == '\n';
    if (own_line && text_.substr(at_).starts_with('\n')) ++at_;
    return true;
  }

  bool skip_element() {
    const std::string_view rest = text_.substr(at_ + 1);
    const auto name = std::ranges::find_if(
        kHidden, [&](std::string_view hidden) { return begins_with_name(rest, hidden); });
    if (name == kHidden.end()) return false;
    const size_t tag_end = text_.substr(0, at_ + kLongestElement).find('>', at_);
    if (tag_end == std::string_view::npos) return false;
    const size_t content = tag_end + 1;
    at_ = content;
    bool& unclosed = unclosed_[static_cast<size_t>(name - kHidden.begin())];
    if (text_[tag_end - 1] == '/' || unclosed) {
      part_quotes();
      return true;
    }
    const size_t closing = find_closing_tag(text_, content, *name);
    unclosed = closing == std::string_view::npos;
    if (unclosed) return true;
    if (*name == kNoWiki) append_escaped(text_.substr(content, closing - content), out_);
    at_ = std::min(text_.find('>', closing), text_.size() - 1) + 1;
    if (*name != kNoWiki) append_gap(text_.substr(at_), out_);
    part_quotes();
    return true;
  }

  // Apostrophes before and behind an element are not one run: an entity that shows nothing, as
  // there are, parts them.
  void part_quotes() {
    if (out_.ends_with('\'') && text_.substr(at_).starts_with('\'')) out_ += "&shy;";
  }

  std::string_view text_;
  size_t at_ = 0;
  std::string out_;
  // No closing tag of this name is left: not looked for again, which would take quadratic time.
  std::array<bool, kHidden.size()> unclosed_{};
};

}  // namespace

std::string without_hidden_elements(std::string_view wikitext) {
  return ElementRemover(wikitext).remove();
}

}  // namespace acevec
