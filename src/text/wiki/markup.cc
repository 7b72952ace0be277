#include "text/wiki/markup.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "text/wiki/brackets.h"

namespace acevec {
namespace {

// Returns whether a tag separates paragraphs; other tags are inside paragraphs.
bool is_block(std::string_view name) {
  constexpr auto kBlocks = std::to_array<std::string_view>(
      {"p",  "div", "center", "blockquote", "poem", "ul", "ol", "li", "dl", "dt", "dd",
       "tr", "td",  "th",     "caption",    "hr",   "h1", "h2", "h3", "h4", "h5", "h6"});
  return std::ranges::find(kBlocks, name) != kBlocks.end();
}

// MediaWiki's rule for runs of apostrophes in a line: two are italics, three bold, five both; the
// first of four, and all but the last five of more than five, are text. If the line has an odd
// number of both marks, one bold becomes an apostrophe and italics: the first after a one-letter
// word ("l'''Odyssée''"), else after a longer word ("''Comet'''s"), else after a space.
class QuoteRuns {
 public:
  // Adds a run of `count` ≥ 2 at text[at]; appends its apostrophes that are text.
  void add(std::string_view text, size_t at, size_t count, std::string& out) {
    const size_t marks = count == 4 ? 3 : std::min<size_t>(count, 5);
    const size_t start = at + count - marks;
    out.append(count - marks, '\'');
    odd_bold_ = odd_bold_ != (marks != 2);
    odd_italics_ = odd_italics_ != (marks != 3);
    if (marks == 3) {
      // MediaWiki sees no space before a one-letter word at the start of this text.
      const size_t length = start - std::min(after_, start);
      const bool space = length > 0 && text[start - 1] == ' ';
      const bool one_letter = length > 1 && text[start - 2] == ' ';
      size_t& place = space ? after_space_ : one_letter ? after_letter_ : after_word_;
      if (place == kNone) place = out.size();
    }
    after_ = at + count;
  }

  // Ends the line, which ends before text[at] and is in `out`: inserts the apostrophe if one bold
  // becomes one.
  void end_line(size_t at, std::string& out) {
    if (odd_bold_ && odd_italics_) {
      const size_t place = after_letter_ != kNone ? after_letter_
                           : after_word_ != kNone ? after_word_
                                                  : after_space_;
      if (place != kNone) out.insert(place, 1, '\'');
    }
    *this = QuoteRuns();
    after_ = at + 1;
  }

 private:
  static constexpr size_t kNone = static_cast<size_t>(-1);

  size_t after_ = 0;  // where the text after the last run or line end begins
  bool odd_bold_ = false, odd_italics_ = false;
  size_t after_letter_ = kNone, after_word_ = kNone, after_space_ = kNone;  // positions in `out`
};

// The second step: brackets, tags, quotes, entities and magic words; lines stay.
class InlineMarkup {
 public:
  InlineMarkup(std::string_view text, const WikiNames& names)
      : whole_(text),
        text_(text),
        names_(names),
        brackets_(wiki_brackets(text, has_variants(names.language()))) {
    out_.reserve(text.size());
  }

  std::string remove() {
    do {
      read_piece();
    } while (begin_next_piece());
    quotes_.end_line(at_, out_);
    return std::move(out_);
  }

 private:
  // Converts text_ to its end.
  void read_piece() {
    constexpr ByteSet kSpecials("{}[]<'&_\n\xc2");
    while (at_ < text_.size()) {
      const size_t special = kSpecials.find(text_, at_);
      out_.append(text_, at_, special - at_);
      at_ = special;
      if (at_ < text_.size() && !remove_here()) out_ += text_[at_++];
    }
  }

  // Moves on to the next piece; returns false when there is none.
  bool begin_next_piece() {
    if (pieces_.empty()) return false;
    const WikiPiece piece = pieces_.back();
    pieces_.pop_back();
    out_ += piece.before;
    if (piece.begin == piece.end) return true;
    // Searched for, because arguments may be shown in another order than they are written.
    next_ = static_cast<size_t>(
        std::ranges::lower_bound(brackets_, piece.begin, {}, &WikiBracket::open) -
        brackets_.begin());
    at_ = piece.begin;
    text_ = whole_.substr(0, piece.end);
    return true;
  }

  // Continues with `pieces`, then after the closed bracket.
  void show(std::span<const WikiPiece> pieces, const WikiBracket& bracket) {
    pieces_.push_back({bracket.close + 2, text_.size()});
    pieces_.insert(pieces_.end(), pieces.rbegin(), pieces.rend());
    text_ = whole_.substr(0, at_);
  }

  std::string_view rest() const { return text_.substr(at_); }

  // Removes the markup at the current position; returns false when there is none.
  bool remove_here() {
    switch (text_[at_]) {
      case '{':
        return open_brace();
      case '[':
        return open_link() || open_external_link();
      case '}':
        return skip("}}");
      case ']':
        return close_link();
      case '<':
        return remove_tag();
      case '\'':
        return remove_quotes();
      case '&':
        return decode();
      case '_':
        return remove_magic_word();
      case '\n':
        quotes_.end_line(at_, out_);
        external_links_ = 0;
        return false;
      default:  // U+00A0 (no-break space), which may be between any two words
        if (!skip("\xc2\xa0")) return false;
        out_ += ' ';
        return true;
    }
  }

  bool skip(std::string_view markup) {
    if (!rest().starts_with(markup)) return false;
    at_ += markup.size();
    return true;
  }

  // Returns the bracket that opens here, or null.
  const WikiBracket* bracket() {
    while (next_ < brackets_.size() && brackets_[next_].open < at_) ++next_;
    const bool here = next_ < brackets_.size() && brackets_[next_].open == at_;
    return here ? &brackets_[next_] : nullptr;
  }

  // Handles a template, a variant, or a table.
  bool open_brace() {
    const WikiBracket* const found = bracket();
    if (found == nullptr) return false;
    const bool is_table = found->kind == WikiBracket::Kind::kTable;
    const bool is_variant = found->kind == WikiBracket::Kind::kVariant;
    if (is_variant && out_.ends_with('-')) out_.pop_back();
    if (found->close == WikiBracket::kUnclosed) {
      // The rest of the table's line then begins with "|", and is dropped with such lines.
      at_ += is_table || is_variant ? 1 : 2;
    } else if (is_variant) {
      const WikiPiece shown = variant_piece(whole_, brackets_, next_, names_.language());
      show({&shown, 1}, *found);
    } else if (is_table) {
      at_ = found->close + 2;
      out_ += "\n\n";
    } else {
      const auto shown = template_pieces(whole_, brackets_, next_, names_);
      if (!shown.empty()) {
        show(shown, *found);
      } else {
        at_ = found->close + 2;
        append_gap(rest(), out_);
      }
    }
    return true;
  }

  // [[target]], [[target|text]]: skips what is not shown; the rest is read from here, and "]]" is
  // removed when reached.
  bool open_link() {
    constexpr ByteSet kTargetEnds("|[]{}<\n"), kTextBegins("|\n");
    const WikiBracket* const found = bracket();
    if (found == nullptr) return false;
    const bool closed = found->close != WikiBracket::kUnclosed;
    at_ += 2;
    const std::string_view target = text_.substr(at_, kTargetEnds.find(text_, at_) - at_);
    if (names_.is_hidden(target)) {
      at_ = closed ? found->close + 2 : std::min(text_.find('\n', at_), text_.size());
      return true;
    }
    size_t bar = at_ + target.size();
    if (closed) bar = BracketContent(whole_, brackets_, next_).find(kTextBegins);
    if (bar < text_.size() && text_[bar] == '|') {
      at_ = bar + 1;
    } else if (target.starts_with(':') || target.starts_with('#')) {
      ++at_;
    }
    return true;
  }

  bool close_link() {
    if (skip("]]")) return true;
    if (external_links_ == 0) return false;
    --external_links_;
    ++at_;
    return true;
  }

  // [http://address text] shows the text, [http://address] a number, which is dropped.
  bool open_external_link() {
    constexpr auto kSchemes = std::to_array<std::string_view>(
        {"http://", "https://", "//", "ftp://", "mailto:", "news:", "irc://"});
    const std::string_view address = text_.substr(at_ + 1);
    const auto begins = [&](std::string_view scheme) { return address.starts_with(scheme); };
    if (std::ranges::none_of(kSchemes, begins)) return false;
    const size_t end = std::min(text_.find_first_of(" \t\n]<[", at_ + 1), text_.size());
    at_ = end;
    if (end < text_.size() && text_[end] == ']') {
      ++at_;
    } else {
      ++external_links_;
    }
    return true;
  }

  bool remove_tag() {
    constexpr size_t kLongestTag = 1000;
    const size_t end = text_.substr(0, at_ + kLongestTag).find_first_of("<>", at_ + 1);
    if (end == std::string_view::npos || text_[end] == '<') return false;
    std::string_view tag = text_.substr(at_ + 1, end - at_ - 1);
    if (tag.starts_with('/')) tag.remove_prefix(1);
    if (tag.empty() || !is_ascii_letter(tag.front())) return false;
    std::string name;
    for (const char c : tag.substr(0, tag.find_first_of(" \t\n/"))) {
      name += is_ascii_letter(c) ? static_cast<char>(c | 0x20) : c;
    }
    at_ = end + 1;
    if (name == "br") {
      out_ += ' ';
    } else if (is_block(name)) {
      out_ += "\n\n";
    }
    return true;
  }

  bool remove_quotes() {
    const size_t end = std::min(text_.find_first_not_of('\'', at_), text_.size());
    if (end - at_ == 1) return false;
    quotes_.add(text_, at_, end - at_, out_);
    at_ = end;
    return true;
  }

  bool decode() {
    const size_t length = decode_entity(rest(), out_);
    at_ += length;
    return length > 0;
  }

  // Removes __TOC__ and the like in any language: non-ASCII letters or ASCII capitals.
  bool remove_magic_word() {
    constexpr size_t kLongest = 64;
    if (!rest().starts_with("__")) return false;
    const std::string_view word = rest().substr(2, kLongest);
    const size_t length = word.find("__");
    if (length == std::string_view::npos || length == 0) return false;
    const auto is_magic = [](char c) {
      return (c >= 'A' && c <= 'Z') || (static_cast<unsigned char>(c) & 0x80) != 0;
    };
    if (!std::ranges::all_of(word.substr(0, length), is_magic)) return false;
    at_ += 2 + length + 2;
    return true;
  }

  std::string_view whole_;
  std::string_view text_;          // up to the end of the current piece
  std::vector<WikiPiece> pieces_;  // to be read next, in reverse order
  const WikiNames& names_;
  std::vector<WikiBracket> brackets_;
  size_t next_ = 0;  // index of the first bracket that opens at or after at_
  size_t at_ = 0;
  int external_links_ = 0;  // open in this line
  QuoteRuns quotes_;
  std::string out_;
};

}  // namespace

void append_plain_text(std::string_view wikitext, const WikiNames& names, std::string& text) {
  const std::string shown = without_hidden_elements(wikitext);
  append_paragraphs(InlineMarkup(shown, names).remove(), text);
}

}  // namespace acevec
