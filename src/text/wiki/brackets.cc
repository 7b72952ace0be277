#include "text/wiki/brackets.h"

#include <algorithm>

#include "base/numbers.h"

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
      } else if ((pair == "}-" && closes(Kind::kVariant)) ||
                 (pair == "]]" && on_top(Kind::kLink) && !closes_single()) ||
                 (pair == "|}" && begins_line() && !ends_template() && closes(Kind::kTable))) {
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

  // White space and the marks of an indented line may precede a table.
  bool begins_line() const {
    const size_t before =
        at_ == 0 ? std::string_view::npos : text_.substr(0, at_).find_last_not_of(" \t:*#;");
    return before == std::string_view::npos || text_[before] == '\n';
  }

  // Returns whether "]]]" first closes a "[" that is open inside the link.
  bool closes_single() const {
    return text_.substr(at_, 3) == "]]]" && single_ > found_[open_.back()].open;
  }

  // Skips one character; remembers the last open "[".
  void pass() {
    if (text_[at_] == '[') single_ = at_ + 1;
    if (text_[at_] == ']') single_ = 0;
    ++at_;
  }

  // Returns whether "|}}" ends a template whose last argument is empty.
  bool ends_template() {
    const bool two = text_.substr(at_ + 1, 2) == "}}" && text_.substr(at_ + 1, 3) != "}}}";
    return two && number(Kind::kTemplate) > 0;
  }

  // Returns whether a bracket of this kind is open; drops links that are open in it.
  bool closes(Kind kind) {
    if (number(kind) == 0) return false;
    while (on_top(Kind::kLink)) drop();
    return on_top(kind);
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
  size_t single_ = 0;  // position after the last open "["; 0: there is none
  std::vector<WikiBracket> found_;
  std::vector<size_t> open_;      // indices in found_
  std::array<int, 4> numbers_{};  // open brackets per kind
};

constexpr std::string_view kSpace = " \t\n";
constexpr ByteSet kBar("|"), kColon(":;"), kSemicolon(";");

// Parses the rules of a variant bracket.
class VariantRules {
 public:
  VariantRules(std::string_view text, BracketContent content, std::string_view language)
      : text_(text), content_(content), language_(language) {}

  WikiPiece shown() {
    if (!read_flags()) return {};
    WikiPiece best{content_.at(), content_.end()};
    if (raw_) return best;
    size_t best_rank = kRanks.size() + 1;
    for (bool any = false;; any = true) {
      const std::string_view code = read_code();
      if (code.empty()) return best;
      if (!any) best = {};
      const size_t begin = content_.at();
      const std::string_view rule = trimmed(part(begin, end_of_rule()), kSpace);
      const auto rank = static_cast<size_t>(std::ranges::find(kRanks, code) - kRanks.begin());
      if (rank >= best_rank || rule.empty()) continue;
      best.begin = static_cast<size_t>(rule.data() - text_.data());
      best.end = best.begin + rule.size();
      best_rank = rank;
    }
  }

 private:
  // The order of preference; all other variants come last.
  static constexpr auto kRanks = std::to_array<std::string_view>(
      {"zh-hans", "zh-cn", "zh-sg", "zh-my", "zh", "gan-hans", "wuu-hans", "sr-ec", "sr-cyrl",
       "sh-cyrl", "kk-cyrl", "kk-kz", "uz-cyrl", "crh-cyrl"});

  std::string_view part(size_t begin, size_t end) const { return text_.substr(begin, end - begin); }

  // Reads the flags before the first bar: "A;D|". Returns false when nothing is shown.
  bool read_flags() {
    BracketContent content = content_;
    if (content.find(kBar) == content.end()) return true;
    std::string_view flags = part(content_.at(), content.at());
    content.pass();
    content_ = content;
    bool shown = true;
    while (!flags.empty()) {
      const std::string_view flag = trimmed(take_part(flags, ';'), kSpace);
      if (flag == "R") return raw_ = true;
      shown = shown && flag != "H" && flag != "T" && flag != "D" && flag != "N" && flag != "-";
      raw_ = raw_ || is_variant(flag);
    }
    return shown;
  }

  bool is_variant(std::string_view code) const {
    return code == language_ || (code.starts_with(language_) && code[language_.size()] == '-');
  }

  // Reads the variant in "zh-hans:" or "text=>zh-hans:", and moves past it. Returns an empty string
  // if there is none here.
  std::string_view read_code() {
    BracketContent content = content_;
    const size_t end = content.find(kColon);
    if (end == content.end() || text_[end] != ':') return {};
    std::string_view code = part(content_.at(), end);
    const size_t arrow = code.rfind("=>");
    if (arrow != std::string_view::npos) code.remove_prefix(arrow + 2);
    code = trimmed(code, kSpace);
    if (!is_variant(code)) return {};
    content.pass();
    content_ = content;
    return code;
  }

  // Moves past the rule's end and returns it. A semicolon ends a rule only if another rule or
  // nothing follows.
  size_t end_of_rule() {
    for (;;) {
      const size_t end = content_.find(kSemicolon);
      if (end == content_.end()) return end;
      content_.pass();
      const std::string_view rest = part(content_.at(), content_.end());
      const bool last = rest.find_first_not_of(kSpace) == std::string_view::npos;
      if (last || !VariantRules(*this).read_code().empty()) return end;
    }
  }

  std::string_view text_;
  BracketContent content_;
  std::string_view language_;
  bool raw_ = false;  // the text is shown unchanged
};

}  // namespace

std::vector<WikiBracket> wiki_brackets(std::string_view text, bool variants) {
  return BracketMatcher(text, variants).match();
}

size_t BracketContent::find(const ByteSet& marks) {
  for (;;) {
    // Skip unclosed brackets, which have no content.
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

WikiPiece variant_piece(std::string_view text, const std::vector<WikiBracket>& brackets,
                        size_t number, std::string_view language) {
  return VariantRules(text, {text, brackets, number}, language).shown();
}

bool has_variants(std::string_view language) {
  constexpr auto kWithVariants = std::to_array<std::string_view>(
      {"zh", "sr", "kk", "ku", "uz", "gan", "wuu", "crh", "tg", "iu", "shi", "sh", "ban", "tly"});
  return std::ranges::find(kWithVariants, language) != kWithVariants.end();
}

}  // namespace acevec
