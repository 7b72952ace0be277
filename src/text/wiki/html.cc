#include "text/wiki/markup.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>

#include "base/error.h"
#include "base/numbers.h"
#include "base/utf8.h"
#include "text/wiki/brackets.h"

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

// Returns whether `text` begins with exactly the letters of `name`, in either case.
bool begins_with_name(std::string_view text, std::string_view name) {
  if (text.size() <= name.size()) return false;
  const char after = text[name.size()];
  return std::equal(name.begin(), name.end(), text.begin(), equal_letters) &&
         (after == '>' || after == '/' || after == ' ' || after == '\t' || after == '\n');
}

// Returns the position at or after `at` where "</name" begins, or npos.
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
    if (end == std::string_view::npos) {  // hides everything after it, as in MediaWiki
      at_ = text_.size();
      return true;
    }
    at_ = end + kEnd.size();
    // A comment on lines of its own leaves no empty line, which would split a paragraph.
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

  // Apostrophes before and after an element are not one run: an invisible entity separates them.
  void part_quotes() {
    if (out_.ends_with('\'') && text_.substr(at_).starts_with('\'')) out_ += "&shy;";
  }

  std::string_view text_;
  size_t at_ = 0;
  std::string out_;
  // No closing tag of this name is left; searching again would take quadratic time.
  std::array<bool, kHidden.size()> unclosed_{};
};

// The names of HTML's entities, each before its code point.
constexpr std::string_view kEntities =
    "AElig 198 Aacute 193 Acirc 194 Agrave 192 Alpha 913 Aring 197 Atilde 195 Auml 196 Beta 914 "
    "Ccedil 199 Chi 935 Dagger 8225 Delta 916 ETH 208 Eacute 201 Ecirc 202 Egrave 200 Epsilon 917 "
    "Eta 919 Euml 203 Gamma 915 Iacute 205 Icirc 206 Igrave 204 Iota 921 Iuml 207 Kappa 922 "
    "Lambda 923 Mu 924 Ntilde 209 Nu 925 OElig 338 Oacute 211 Ocirc 212 Ograve 210 Omega 937 "
    "Omicron 927 Oslash 216 Otilde 213 Ouml 214 Phi 934 Pi 928 Prime 8243 Psi 936 Rho 929 "
    "Scaron 352 Sigma 931 THORN 222 Tau 932 Theta 920 Uacute 218 Ucirc 219 Ugrave 217 Upsilon 933 "
    "Uuml 220 Xi 926 Yacute 221 Yuml 376 Zeta 918 aacute 225 acirc 226 acute 180 aelig 230 "
    "agrave 224 alefsym 8501 alpha 945 amp 38 and 8743 ang 8736 apos 39 aring 229 asymp 8776 "
    "atilde 227 auml 228 bdquo 8222 beta 946 brvbar 166 bull 8226 cap 8745 ccedil 231 cedil 184 "
    "cent 162 chi 967 circ 710 clubs 9827 cong 8773 copy 169 crarr 8629 cup 8746 curren 164 "
    "dArr 8659 dagger 8224 darr 8595 deg 176 delta 948 diams 9830 divide 247 eacute 233 ecirc 234 "
    "egrave 232 empty 8709 emsp 8195 ensp 8194 epsilon 949 equiv 8801 eta 951 eth 240 euml 235 "
    "euro 8364 exist 8707 fnof 402 forall 8704 frac12 189 frac14 188 frac34 190 frasl 8260 "
    "gamma 947 ge 8805 gt 62 hArr 8660 harr 8596 hearts 9829 hellip 8230 iacute 237 icirc 238 "
    "iexcl 161 igrave 236 image 8465 infin 8734 int 8747 iota 953 iquest 191 isin 8712 iuml 239 "
    "kappa 954 lArr 8656 lambda 955 lang 9001 laquo 171 larr 8592 lceil 8968 ldquo 8220 le 8804 "
    "lfloor 8970 lowast 8727 loz 9674 lrm 8206 lsaquo 8249 lsquo 8216 lt 60 macr 175 mdash 8212 "
    "micro 181 middot 183 minus 8722 mu 956 nabla 8711 nbsp 160 ndash 8211 ne 8800 ni 8715 not 172 "
    "notin 8713 nsub 8836 ntilde 241 nu 957 oacute 243 ocirc 244 oelig 339 ograve 242 oline 8254 "
    "omega 969 omicron 959 oplus 8853 or 8744 ordf 170 ordm 186 oslash 248 otilde 245 otimes 8855 "
    "ouml 246 para 182 part 8706 permil 8240 perp 8869 phi 966 pi 960 piv 982 plusmn 177 pound 163 "
    "prime 8242 prod 8719 prop 8733 psi 968 quot 34 rArr 8658 radic 8730 rang 9002 raquo 187 "
    "rarr 8594 rceil 8969 rdquo 8221 real 8476 reg 174 rfloor 8971 rho 961 rlm 8207 rsaquo 8250 "
    "rsquo 8217 sbquo 8218 scaron 353 sdot 8901 sect 167 shy 173 sigma 963 sigmaf 962 sim 8764 "
    "spades 9824 sub 8834 sube 8838 sum 8721 sup 8835 sup1 185 sup2 178 sup3 179 supe 8839 "
    "szlig 223 tau 964 there4 8756 theta 952 thetasym 977 thinsp 8201 thorn 254 tilde 732 "
    "times 215 trade 8482 uArr 8657 uacute 250 uarr 8593 ucirc 251 ugrave 249 uml 168 upsih 978 "
    "upsilon 965 uuml 252 weierp 8472 xi 958 yacute 253 yen 165 yuml 255 zeta 950 zwj 8205 "
    "zwnj 8204";

constexpr int32_t kNone = -1;

std::unordered_map<std::string_view, int32_t> codes_by_name() {
  std::unordered_map<std::string_view, int32_t> codes;
  std::string_view rest = kEntities;
  for (std::string_view name; !(name = take_field(rest)).empty();) {
    codes[name] = *number_of<int32_t>(take_field(rest));
  }
  return codes;
}

int32_t named(std::string_view name) {
  static const auto codes = codes_by_name();
  const auto found = codes.find(name);
  return found == codes.end() ? kNone : found->second;
}

// Decodes "#233" or "#xe9".
int32_t numbered(std::string_view number) {
  number.remove_prefix(1);
  const bool hexadecimal = number.starts_with('x') || number.starts_with('X');
  const auto code =
      hexadecimal ? number_of<int32_t>(number.substr(1), 16) : number_of<int32_t>(number);
  return code && utf8proc_codepoint_valid(*code) != 0 ? *code : kNone;
}

void append_visible(int32_t code, std::string& decoded) {
  const utf8proc_category_t category = utf8proc_category(code);
  if (category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_CC) {
    decoded += ' ';
    return;
  }
  const bool joiner = code == 0x200c || code == 0x200d;  // needed between letters of some scripts
  if (category == UTF8PROC_CATEGORY_CF && !joiner) return;
  append_code_point(decoded, static_cast<char32_t>(code));
}

}  // namespace

std::string without_hidden_elements(std::string_view wikitext) {
  return ElementRemover(wikitext).remove();
}

size_t decode_entity(std::string_view text, std::string& decoded) {
  constexpr std::string_view kEscape = "amp;";
  constexpr size_t kLongest = 10;  // "&thetasym;", "&#x10ffff;"
  size_t start = 1;
  while (text.substr(start).starts_with(kEscape)) start += kEscape.size();
  const size_t end = text.substr(0, start + kLongest).find(';', start);
  if (end != std::string_view::npos && end > start) {
    const std::string_view name = text.substr(start, end - start);
    const int32_t code = name.starts_with('#') ? numbered(name) : named(name);
    if (code != kNone) {
      append_visible(code, decoded);
      return end + 1;
    }
  }
  if (start == 1) return 0;
  decoded += '&';
  return start;
}

}  // namespace acevec
