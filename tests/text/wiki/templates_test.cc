// Templates that show text, by their names and arguments.

#include "text/wiki/brackets.h"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

namespace acevec {
namespace {

using TemplateCases = std::vector<std::pair<std::string, std::string>>;

// What the first template of `text` shows, as it stands there.
std::string shown_of(const std::string& text, const WikiNames& names) {
  std::string all;
  for (const WikiPiece& piece : template_pieces(text, wiki_brackets(text), 0, names)) {
    all.append(piece.before).append(text, piece.begin, piece.end - piece.begin);
  }
  return all;
}

void check_templates(const TemplateCases& cases, std::string_view language = "en") {
  WikiNames names;
  names.set_language(language);
  names.add(10, "Шаблон");
  for (const auto& row : cases) {
    CAPTURE(row.first);
    CHECK(shown_of(row.first, names) == row.second);
  }
}

}  // namespace

TEST_CASE("templates are known by their names in any spelling") {
  check_templates({{"{{lang|fr|a}}", "a"},
                   {"{{Lang|fr|a}}", "a"},
                   {"{{ lang\n|fr|a}}", "a"},
                   {"{{Template:lang|fr|a}}", "a"},
                   {"{{шаблон: lang|fr|a}}", "a"},
                   {"{{visible_anchor|a}}", "a"},
                   {"{{lang-grc-gre|a}}", "a"},
                   {"{{Нп5|а|б}}", "б"},
                   {"{{langs|fr|a}}", ""},
                   {"{{:lang|fr|a}}", ""},
                   {"{{}}", ""},
                   {"{{IPAc-en|a}}", ""},
                   {"{{birth date|1900|1|1}}", ""},
                   {"{{cite book|title=a}}", ""}});
}

TEST_CASE("arguments have numbers or names, and may hold brackets") {
  check_templates({{"{{lang|fr|a [[b|c=d]] {{e|f}}}}", "a [[b|c=d]] {{e|f}}"},
                   {"{{lang|fr|2= a=b }}", "a=b"},
                   {"{{lang|fr|text=a}}", "a"},
                   {"{{lang|fr| a |x=y}}", " a "},
                   {"{{quote|source=x|text=a}}", "a"},
                   {"{{quote|a|1=b}}", "b"},
                   {"{{quote|text=a|text=b}}", "b"},
                   {"{{quote|x=a}}", ""},
                   {"{{lang|fr| \n}}", ""},
                   {"{{lang|fr|[[a|b}}", "[[a"},
                   {"{{lang|fr}}", ""}});
}

TEST_CASE("templates show text, measures, numbers and signs") {
  check_templates({{"{{convert|1300|mi|km}}", "1300 mi"},
                   {"{{cvt|5|to|10|km|mi|0}}", "5 to 10 km"},
                   {"{{convert|5|-|10|km}}", "5–10 km"},
                   {"{{convert|60|and(-)|80|kg}}", "60 and 80 kg"},
                   {"{{convert|1|x|2|x|3|m}}", "1 × 2 × 3 m"},
                   {"{{convert|6|ft|2|in|m}}", "6 ft 2 in"},
                   {"{{convert|3|km|0}}", "3 km"},
                   {"{{convert|22|e6acre}}", "22 million acre"},
                   {"{{convert}}", ""},
                   {"{{formatnum:12345}}", "12345"},
                   {"{{formatnum:1=2|R}}", "1=2"},
                   {"{{frac|1|2}}{{x}}", " 1/2"},
                   {"{{frac|3|1|2}}", " 3 1/2"},
                   {"{{val|5|u=km}}", "5 km"},
                   {"{{nihongo|'''Garden'''|庭|Niwa}}", "'''Garden'''"},
                   {"{{nihongo3|a|漢|b}}", "b"},
                   {"{{transl|ru|ISO|a}}", "a"},
                   {"{{nowrap|5 May}}", "5 May"},
                   {"{{abbr|WHO|World Health Organization}}", "WHO"},
                   {"{{sortname|A|B}}", "A B"},
                   {"{{ill|A|de|B|lt=a}}", "a"},
                   {"{{circa|1500}}", "c. 1500"},
                   {"{{c.}}", "c."},
                   {"{{as of|2010}}", "As of 2010"},
                   {"{{as of|2010|5|lc=y}}", "as of 2010"},
                   {"{{as of|2010|alt=In 2010}}", "In 2010"},
                   {"{{sic|te|xt}}", "text"},
                   {"{{snd}}", " – "},
                   {"{{!}}", "|"},
                   {"{{(}}", "{"},
                   {"{{'s}}", "'s"}});
}

TEST_CASE("templates of a language are known in its wikis") {
  check_templates(
      {{"{{s|XIX|e}}", "XIXe siècle"}, {"{{unité|5|km}}", "5 km"}, {"{{citation|a}}", "a"}}, "fr");
  check_templates({{"{{s|a}}", "a"}}, "ru");
  check_templates({{"{{Zitat|Text=a}}", "a"}, {"{{enS|a}}", "a"}}, "de");
  check_templates({{"{{仮リンク|甲|en|A}}", "甲"}}, "ja");
  check_templates(
      {{"{{link-en|甲|A|乙}}", "乙"}, {"{{bd|1955年|2月|2011年|10月}}", "1955年2月－2011年10月"}},
      "zh");
  check_templates({{"{{s|a}}", ""}, {"{{citation|a}}", ""}, {"{{link-en|a}}", ""}});
}

}  // namespace acevec
