#include "text/wiki/variants.h"

#include <algorithm>
#include <array>

#include "base/numbers.h"

namespace acevec {
namespace {

constexpr std::string_view kSpace = " \t\n";
constexpr ByteSet kBar("|"), kColon(":;"), kSemicolon(";");

// Takes the rules of a bracket apart.
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
  // The order of preference; all others come behind them.
  static constexpr auto kRanks = std::to_array<std::string_view>(
      {"zh-hans", "zh-cn", "zh-sg", "zh-my", "zh", "gan-hans", "wuu-hans", "sr-ec", "sr-cyrl",
       "sh-cyrl", "kk-cyrl", "kk-kz", "uz-cyrl", "crh-cyrl"});

  std::string_view part(size_t begin, size_t end) const { return text_.substr(begin, end - begin); }

  // Flags stand before the first bar: "A;D|". False when they say that nothing is shown.
  bool read_flags() {
    BracketContent content = content_;
    if (content.find(kBar) == content.end()) return true;
    std::string_view flags = part(content_.at(), content.at());
    content.pass();
    content_ = content;
    bool shown = true;
    while (!flags.empty()) {
      const size_t end = std::min(flags.find(';'), flags.size());
      const std::string_view flag = trimmed(flags.substr(0, end), kSpace);
      flags.remove_prefix(std::min(end + 1, flags.size()));
      if (flag == "R") return raw_ = true;
      shown = shown && flag != "H" && flag != "T" && flag != "D" && flag != "N" && flag != "-";
      raw_ = raw_ || is_variant(flag);
    }
    return shown;
  }

  bool is_variant(std::string_view code) const {
    return code == language_ || (code.starts_with(language_) && code[language_.size()] == '-');
  }

  // The variant in "zh-hans:" or "text=>zh-hans:", and what follows comes next; empty when there
  // is none here.
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

  // A semicolon ends a rule where another or nothing follows; goes behind it.
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
  bool raw_ = false;  // the text is shown as it is
};

}  // namespace

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
