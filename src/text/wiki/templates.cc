#include "text/wiki/brackets.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

#include "base/numbers.h"
#include "text/case.h"

namespace acevec {
namespace {

constexpr std::string_view kWhite = " \t\n";
// Special values of `shown`, whose text depends on the arguments: see TemplateCall.
constexpr std::string_view kMeasure = "measure", kFraction = "fraction", kAsOf = "as of";

// The text that templates of these names show. Braces list arguments, of which the first with any
// text is shown: numbers, where 0 is the text after the colon of a function, or names. Each
// argument occurs only once, so that the text does not grow with each level of templates.
struct ShownTemplate {
  std::string_view names;  // in lower case, separated by bars; "lang-" matches "lang-fr" too
  std::string_view shown;
  std::string_view languages = {};  // wikis to which the row applies, separated by bars; empty: all
};

constexpr auto kShown = std::to_array<ShownTemplate>({
    // Characters.
    {"'|’", "'"},
    {"'s|’s", "'s"},
    {"'\"|' \"", "'\""},
    {"\"'|\" '", "\"'"},
    {"!", "|"},
    {"=", "="},
    {"(", "{"},
    {")", "}"},
    {"–|ndash|en dash", "–"},
    {"—|mdash|em dash|тире", "—"},
    {"snd|spnd|snds|sndash|spndash|spaced ndash|spaced en dash|dash", " – "},
    {"mdashb|spaced mdash|spaced em dash|smd", " — "},
    {"·|dot|middot|•|bull|bullet", " · "},
    {"spaces|space|nbsp|thinsp|thin space|hair space|0ws", " "},
    {"okina", "ʻ"},
    // Text in another language, script or form.
    {"lang|langue|språk|llang|langx|lang-x|rtl-lang|rtlang|script|lang2|citation étrangère",
     "{2|text|texte}"},
    {"lang-|zh|script/|unicode|polytonic|hebrew|rtl-para|langr|zitat-|korean|vi-nom",
     "{1|Text|text|texte|c|s|t|l|p|hangul}"},
    {"transl|transliteration|translit", "{3|2|text}"},
    {"wikt-lang|wt", "{3|2}"},
    {"ens|des|frs|las|grcs|rus|its|ess|pts|pls|nls|css|jas|zhs|ars|hes|trs|huns|svs", "{1|Text}",
     "de"},
    {"nihongo|nihongo2|nihongo foot|nihongo krt|japonais|japanese|ruby-ja|ruby|ルビ|読み仮名"
     "|読み仮名 ruby不使用|독음",
     "{1|2}"},
    {"nihongo3", "{3|1|2}"},
    {"nowrap|no wrap|nobr|nobreak|nwr|nowraplinks|nowrap link|lnobr|нобр|не переносить",
     "{1|text}"},
    {"small|smaller|smalldiv|big|bigger|large|larger|huge|em|strong|italic|italics title|bold"
     "|normal|sup|sub|sc|sc1|small caps|smallcaps|sc2|caps|mono|monospace|tt|kbd|samp|var|mvar|math"
     "|underline|u|overline|overbar|strikethrough|nobold|noitalic|noitalics|centre|center|abbr"
     "|abbreviation|abbrv|abbrlink|abr|abréviation|abbrev|tooltip|hover|définition|comment|dfn"
     "|term|defn|gli|vanchor|visible anchor|visanc|ancre|angbr|angle bracket|angbr ipa|grapheme"
     "|gloss|not a typo|as written|proper name|chem name|typo|interp|needs ipa|chem2|sic2"
     "|kapitälchen|versalita|maiuscoletto|petites capitales|pc|terme défini|разрядка|hochgestellt"
     "|jis2004フォント|jis90フォント|cp932フォント|補助漢字フォント|要出典範囲|僻字|ta|esd",
     "{1|text|texte|content}"},
    {"s", "{1}", "ru|uk|be"},
    {"resize|font|font color|color|colour|fontcolor|hover title|center block|rquote|цвет",
     "{2|text|1}"},
    {"sic|linktext|chem|gaps", "{1}{2}{3}{4}{5}{6}{7}{8}{9}"},
    {"lit|lit.|literally|literal translation", "lit. {1}"},
    {"circa|c.|ca.|ca", "c. {1}"},
    {"floruit|fl.", "fl. {1}"},
    {"as of|asof", kAsOf},
    {"quote|quotation|blockquote|block quote|bquote|bq|cquote|pull quote|centered pull quote"
     "|poem quote|poemquote|verse translation|quote box|quotebox|blockindent|block indent|quote2"
     "|citation bloc|guillemets|citazione|cita|citat|citaat|cytat|zitat|\"|citação|citação2|цитата"
     "|인용문",
     "{1|text|Text|quote|texte|testo|texto|tekst|treść|текст}"},
    {"citation", "{1}", "fr"},
    {"incise", "– {1} –", "fr"},
    // Numbers, units and dates.
    {"convert|cvt|convertir|converter|conversion|convertinfobox", kMeasure},
    {"formatnum:|lc:|uc:|lcfirst:|ucfirst:|#formatdate:|#dateformat:", "{0}"},
    {"formatnum|nts|number|nombre|num|число|fmtn|format price|formatprice|unité|unidad", "{1} {2}"},
    {"val", "{1} {u|ul}"},
    {"frac|fraction|sfrac", kFraction},
    {"us$|usd|usdollar|us dollar", "US${1}"},
    {"£|gbp|pound sterling", "£{1}"},
    {"€|eur|euro", "€{1}"},
    {"¥|jpy|yen|cny|rmb", "¥{1}"},
    {"₹|inr|indian rupee", "₹{1}"},
    {"a$|aud", "A${1}"},
    {"oldstyledate|old style date", "{1} {2}"},
    {"reign|r.", "r. {1}–{2}"},
    {"date|date-", "{1} {2} {3}", "fr"},
    {"heure", "{1} h {2}", "fr"},
    {"s|s-|siècle", "{1}{2} siècle", "fr"},
    {"e|ème", "e", "fr"},
    {"er", "er", "fr"},
    {"re", "re", "fr"},
    {"ier", "Ier", "fr"},
    {"1er", "1er", "fr"},
    {"exp", "{1}", "fr"},
    {"siglo", "siglo {1}", "es"},
    {"bd", "{1}{2}－{3}{4}", "zh"},
    {"§", "§ {1} {2}"},
    // Names, and links to articles that other wikis have.
    {"ill|illm|interlanguage link|interlanguage link multi|仮リンク|link-interwiki|red link",
     "{lt|label|display|tekst|1}"},
    {"lien", "{texte|fr|1|trad}", "fr"},
    {"link-|le|internal link helper/", "{d|3|1}", "zh|wuu|gan"},
    {"tsl|translink|illm", "{4|3|2}", "zh"},
    {"нп|нп1|нп2|нп3|нп4|нп5|не переведено|не переведено 2|не переведено 3|не переведено 5"
     "|не перекладено",
     "{2|1}"},
    {"sortname", "{1} {2}"},
    {"flag|flagcountry|flagu|flagcountry2|флагификация", "{name|1}"},
    {"uss", "USS {1}"},
    {"hms", "HMS {1}"},
    {"ss", "SS {1}"},
    {"rms", "RMS {1}"},
    {"sms", "SMS {1}"},
    {"hmas", "HMAS {1}"},
    {"hmcs", "HMCS {1}"},
    {"ship", "{1} {2}"},
    {"sclass|sclass-|sclass2|sclass2-", "{1}-class {2}"},
});

using NamedTemplates = std::unordered_multimap<std::string_view, const ShownTemplate*>;

NamedTemplates by_name() {
  NamedTemplates templates;
  for (const ShownTemplate& row : kShown) {
    for (const std::string_view name : split(row.names, "|")) templates.emplace(name, &row);
  }
  return templates;
}

// Returns the text that templates of exactly this name show in a wiki of `language`, preferring a
// row of that language; empty when the name is unknown.
std::string_view shown_by_name(std::string_view name, std::string_view language) {
  static const NamedTemplates templates = by_name();
  std::string_view shown;
  for (auto [at, end] = templates.equal_range(name); at != end; ++at) {
    const ShownTemplate& row = *at->second;
    if (row.languages.empty()) shown = row.shown;
    const auto languages = split(row.languages, "|");
    if (std::ranges::find(languages, language) != languages.end()) return row.shown;
  }
  return shown;
}

// The same, but "lang-fr" is also found as "lang-".
std::string_view shown_by(std::string_view name, std::string_view language) {
  const std::string_view shown = shown_by_name(name, language);
  const size_t part = name.find_first_of("-/");
  if (!shown.empty() || part == std::string_view::npos) return shown;
  return shown_by_name(name.substr(0, part + 1), language);
}

// Returns `name` in the form of kShown.
std::string normal(std::string_view name) {
  std::string lower;
  bool ascii = true;
  for (const char c : trimmed(name, " _\t\n")) {
    ascii = ascii && static_cast<unsigned char>(c) < 0x80;
    lower += c == '_' ? ' ' : c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  }
  return ascii ? lower : fold_case(lower);
}

bool is_empty(std::string_view text) {
  return text.find_first_not_of(kWhite) == std::string_view::npos;
}

// A template's name and arguments.
class TemplateCall {
 public:
  TemplateCall(std::string_view text, const std::vector<WikiBracket>& brackets, size_t number,
               const WikiNames& names)
      : text_(text), content_(text, brackets, number), names_(names) {}

  std::vector<WikiPiece> pieces() {
    const std::string_view shown = read_name();
    if (shown.empty()) return {};
    read_arguments();
    if (shown == kMeasure) {
      append_measure();
    } else if (shown == kFraction) {
      append(!is_empty(numbered_[3])   ? " {1} {2}/{3}"
             : !is_empty(numbered_[2]) ? " {1}/{2}"
                                       : " 1/{1}");
    } else if (shown == kAsOf) {
      append(!is_empty(argument("alt"))  ? "{alt}"
             : !is_empty(argument("lc")) ? "as of {1}"
                                         : "As of {1}");
    } else {
      append(shown);
    }
    return std::move(pieces_);
  }

 private:
  // Reads the name; returns the template's `shown` and sets zeroth_.
  std::string_view read_name() {
    constexpr ByteSet kNameEnds("|:{[<");
    constexpr size_t kLongestTemplate = 80;
    size_t begin = content_.at();
    for (;;) {
      const std::string_view head =
          text_.substr(0, std::min(content_.end(), begin + kLongestTemplate));
      const size_t end = kNameEnds.find(head, begin);
      const bool function = end < head.size() && text_[end] == ':';
      if (function && names_.is_template(text_.substr(begin, end + 1 - begin))) {
        begin = end + 1;
        continue;
      }
      const bool whole = end == content_.end() || (end < head.size() && text_[end] == '|');
      if (!function && !whole) return {};
      zeroth_ = function ? end + 1 : begin;
      const size_t name_end = function ? end + 1 : end;
      return shown_by(normal(text_.substr(begin, name_end - begin)), names_.language());
    }
  }

  void read_arguments() {
    constexpr ByteSet kArgumentMarks("|=");
    constexpr size_t kNoPlace = static_cast<size_t>(-1);
    size_t begin = zeroth_, equals = kNoPlace;
    for (size_t number = 0;;) {
      const size_t at = content_.find(kArgumentMarks);
      const bool last = at == content_.end();
      if (!last && text_[at] == '=') {
        equals = std::min(equals, at);
      } else {
        if (equals == kNoPlace || number == 0) {
          if (number < numbered_.size()) numbered_[number] = text_.substr(begin, at - begin);
          ++number;
        } else {
          add_named(trimmed(text_.substr(begin, equals - begin), kWhite),
                    trimmed(text_.substr(equals + 1, at - equals - 1), kWhite));
        }
        begin = at + 1;
        equals = kNoPlace;
      }
      if (last) return;
      content_.pass();
    }
  }

  void add_named(std::string_view name, std::string_view value) {
    const auto number = number_of<size_t>(name);
    if (number && *number < numbered_.size()) {
      numbered_[*number] = value;
    } else {
      named_.emplace_back(name, value);
    }
  }

  // Returns the text of the argument of this name; empty when there is none.
  std::string_view argument(std::string_view name) const {
    if (const auto number = number_of<size_t>(name)) return numbered_[*number];
    // The last argument of a name counts.
    const auto found = std::ranges::find(named_.rbegin(), named_.rend(), name, &Named::first);
    return found == named_.rend() ? std::string_view() : found->second;
  }

  // Appends fixed text and an argument, without the space between them when the argument is empty.
  void append(std::string_view before, std::string_view argument) {
    WikiPiece piece{0, 0, before};
    if (is_empty(argument)) {
      if (before.ends_with(' ')) piece.before.remove_suffix(1);
    } else {
      piece.begin = static_cast<size_t>(argument.data() - text_.data());
      piece.end = piece.begin + argument.size();
    }
    if (piece.end > 0 || !piece.before.empty()) pieces_.push_back(piece);
  }

  // Appends the pieces of a `shown` text.
  void append(std::string_view shown) {
    for (;;) {
      const size_t open = shown.find('{');
      const size_t close = shown.find('}', std::min(open, shown.size()));
      if (close == std::string_view::npos) break;
      std::string_view found;
      for (const std::string_view name : split(shown.substr(open + 1, close - open - 1), "|")) {
        if (is_empty(found)) found = argument(name);
      }
      append(shown.substr(0, open), found);
      shown.remove_prefix(close + 1);
    }
    if (!shown.empty()) pieces_.push_back({0, 0, shown});
  }

  // Appends "5 to 10 km" for {{convert|5|to|10|km|mi}}, "6 ft 2 in" for {{convert|6|ft|2|in|m}}.
  void append_measure() {
    using Row = std::pair<std::string_view, std::string_view>;
    constexpr Row kRanges[] = {{"-", "–"},     {"–", "–"},     {"to", " to "}, {"and", " and "},
                               {"or", " or "}, {"by", " by "}, {"x", " × "},   {"*", " × "},
                               {"×", " × "},   {"xx", " × "},  {"±", " ± "},   {"+/-", " ± "},
                               {"+", " + "},   {",", ", "}};
    constexpr Row kPowers[] = {
        {"e3", " thousand "}, {"e6", " million "}, {"e9", " billion "}, {"e12", " trillion "}};
    size_t at = 1;
    append({}, numbered_[at++]);
    for (; at + 2 < numbered_.size(); at += 2) {
      std::string_view word = trimmed(numbered_[at], kWhite);
      word = word.substr(0, word.find('('));  // "to(-)" concerns the converted number
      const auto range = std::ranges::find(kRanges, word, &Row::first);
      if (range == std::end(kRanges)) break;
      append(range->second, numbered_[at + 1]);
    }
    std::string_view unit = numbered_[at];
    const auto power =
        std::ranges::find_if(kPowers, [&](const Row& row) { return unit.starts_with(row.first); });
    const bool large = power != std::end(kPowers);
    if (large) unit.remove_prefix(power->first.size());
    append(large ? power->second : " ", unit);
    const auto is_number = [](std::string_view text) {
      return !is_empty(text) && text.find_first_not_of("0123456789./+ ") == std::string_view::npos;
    };
    for (++at; at + 1 < numbered_.size() && is_number(numbered_[at]); at += 2) {
      if (is_empty(numbered_[at + 1])) break;
      append(" ", numbered_[at]);
      append(" ", numbered_[at + 1]);
    }
  }

  using Named = std::pair<std::string_view, std::string_view>;

  std::string_view text_;
  BracketContent content_;
  const WikiNames& names_;
  size_t zeroth_ = 0;  // where argument 0 begins
  std::array<std::string_view, 10> numbered_{};
  std::vector<Named> named_;
  std::vector<WikiPiece> pieces_;
};

}  // namespace

std::vector<WikiPiece> template_pieces(std::string_view text,
                                       const std::vector<WikiBracket>& brackets, size_t number,
                                       const WikiNames& names) {
  return TemplateCall(text, brackets, number, names).pieces();
}

}  // namespace acevec
