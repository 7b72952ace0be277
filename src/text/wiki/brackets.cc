#include "text/wiki/brackets.h"

#include <algorithm>
#include <array>

namespace acevec {
namespace {

using Kind = WikiBracket::Kind;

constexpr ByteSet kMarks("{}[]|");

class BracketMatcher {
 public:
  BracketMatcher(std::string_view text, bool variants) : text_(text), variants_(variants) {}

  std::vector<WikiBracket> match() {
    while ((at_ = kMarks.find(text_, at_)) < text_.size()) {
      const std::string_view pair = text_.substr(at_, 2);
      if (pair == "{{") {
        open(Kind::kTemplate);
      } else if (pair == "[[") {
        open(Kind::kLink);
      } else if (pair == "{|" && begins_line()) {
        open(Kind::kTable);
      } else if (variants_ && pair[0] == '{' && at_ > 0 && text_[at_ - 1] == '-') {
        open(Kind::kVariant);
        --at_;
      } else if ((pair == "}-" && closes_variant()) ||
                 (pair == "]]" && on_top(Kind::kLink) && !closes_single()) ||
                 (pair == "|}" && begins_line() && closes_table())) {
        close();
      } else if (pair == "}}" && number(Kind::kTemplate) > 0) {
        while (!on_top(Kind::kTemplate)) drop();
        close();
      } else {
        pass();
      }
    }
    return std::move(found_);
  }

 private:
  int& number(Kind kind) { return numbers_[static_cast<size_t>(kind)]; }
  bool on_top(Kind kind) const { return !open_.empty() && found_[open_.back()].kind == kind; }

  // White space and the marks of an indented line may stand before a table.
  bool begins_line() const {
    const size_t before =
        at_ == 0 ? std::string_view::npos : text_.substr(0, at_).find_last_not_of(" \t:*#;");
    return before == std::string_view::npos || text_[before] == '\n';
  }

  // "]]]" where a "[" is open inside of the link: the first one is its.
  bool closes_single() const {
    return text_.substr(at_, 3) == "]]]" && single_ > found_[open_.back()].open;
  }

  // Over one character; remembers the last "[" that is open.
  void pass() {
    if (text_[at_] == '[') single_ = at_ + 1;
    if (text_[at_] == ']') single_ = 0;
    ++at_;
  }

  // True when a table is open, maybe with links open in it, which are then dropped. "|}}" ends a
  // template, if one is open, whose last argument is empty.
  bool closes_table() {
    if (number(Kind::kTable) == 0) return false;
    const bool two = text_.substr(at_ + 1, 2) == "}}" && text_.substr(at_ + 1, 3) != "}}}";
    if (two && number(Kind::kTemplate) > 0) return false;
    while (on_top(Kind::kLink)) drop();
    return on_top(Kind::kTable);
  }

  // True when a variant is open, maybe with links open in it, which are then dropped.
  bool closes_variant() {
    if (number(Kind::kVariant) == 0) return false;
    while (on_top(Kind::kLink)) drop();
    return on_top(Kind::kVariant);
  }

  void open(Kind kind) {
    open_.push_back(found_.size());
    found_.push_back({kind, at_});
    ++number(kind);
    at_ += 2;
  }

  void drop() {
    --number(found_[open_.back()].kind);
    open_.pop_back();
  }

  void close() {
    found_[open_.back()].close = at_;
    found_[open_.back()].next = found_.size();
    drop();
    at_ += 2;
  }

  std::string_view text_;
  bool variants_;
  size_t at_ = 0;
  size_t single_ = 0;  // behind the last "[" that is open; 0: there is none
  std::vector<WikiBracket> found_;
  std::vector<size_t> open_;      // places in found_
  std::array<int, 4> numbers_{};  // of open brackets of each kind
};

}  // namespace

std::vector<WikiBracket> wiki_brackets(std::string_view text, bool variants) {
  return BracketMatcher(text, variants).match();
}

size_t BracketContent::find(const ByteSet& marks) {
  for (;;) {
    // What a bracket holds that nothing closes lies beside it.
    const WikiBracket* inner = brackets_->data() + next_;
    const WikiBracket* const last = brackets_->data() + brackets_->size();
    while (inner < last && inner->open < end() &&
           (inner->open < at_ || inner->close == WikiBracket::kUnclosed)) {
      ++inner;
    }
    next_ = static_cast<size_t>(inner - brackets_->data());
    const size_t stop = inner < last ? std::min(inner->open, end()) : end();
    at_ = marks.find(text_.substr(0, stop), at_);
    if (at_ < stop || stop == end()) return at_;
    at_ = inner->close + 2;
    next_ = inner->next;
  }
}

}  // namespace acevec
