#include "tasks/kg/triple_reader.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/numbers.h"
#include "base/progress.h"
#include "base/same_file.h"
#include "base/utf8.h"
#include "text/case.h"

namespace acevec {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr const char* kNoIds = "is not three numbers; give the ids of head, tail and relation";

// The known titles of head, relation and tail in header lines. Letters are titles only together:
// h, r, t or s, p, o.
constexpr std::array<std::array<std::string_view, 6>, 3> kTitles{
    {{"head", "subject", "source", "from", "h", "s"},
     {"relation", "predicate", "relationship", "rel", "r", "p"},
     {"tail", "object", "target", "to", "t", "o"}}};

// 0 .. 2³¹ − 1.
std::optional<int32_t> id_number(std::string_view text) {
  const auto number = number_of<int32_t>(text);
  return number && *number >= 0 ? number : std::nullopt;
}

void check_count(const std::string& file, int64_t declared, int64_t lines) {
  if (lines == declared) return;
  throw Error(format("cannot use %s: its first line declares %s, but there are %s; is it complete?",
                     file.c_str(), counted(declared, "line").c_str(), grouped(lines).c_str()));
}

// The names of a list in the order of their ids; no names without a path. Throws Error if an id or
// a name is repeated or missing, or if their number differs from the declared one.
Names read_list(const std::optional<std::string>& path) {
  Names names;
  if (!path) return names;
  LineReader lines(*path);
  const std::optional<std::string_view> first = lines.next();
  const std::optional<int32_t> count = first ? id_number(*first) : std::nullopt;
  if (!count) lines.refuse("is not the number of names; give one");
  std::vector<std::pair<int32_t, std::string>> by_id;
  while (const std::optional<std::string_view> line = lines.next()) {
    const size_t blank = line->find_last_of(kBlanks);
    const std::optional<int32_t> id =
        blank == std::string_view::npos ? std::nullopt : id_number(line->substr(blank + 1));
    if (!id || *id >= *count) lines.refuse("is not a name, a tab and an id below the count");
    const std::string_view name = line->substr(0, blank);
    if (name.empty() || !is_utf8(name)) lines.refuse("has no name, or one that is not UTF-8");
    by_id.emplace_back(*id, name);
  }
  check_count(lines.name(), *count, std::ssize(by_id));
  std::sort(by_id.begin(), by_id.end());
  for (const auto& [id, name] : by_id) {
    const int32_t next = names.size();
    if (id != next || names.add(name) != next) {
      throw Error(format("cannot use %s: an id or a name occurs twice; number them from 0",
                         lines.name().c_str()));
    }
  }
  return names;
}

// Takes a quoted field, in which two quotes stand for one, from the front of `rest`. False if the
// quotes are not closed, or text other than blanks follows them.
bool take_quoted(std::string_view& rest, char delimiter, std::string& field) {
  for (size_t at = 1; at < rest.size(); ++at) {
    if (rest[at] != '"') {
      field += rest[at];
    } else if (at + 1 < rest.size() && rest[at + 1] == '"') {
      field += rest[at++];
    } else {
      rest.remove_prefix(at + 1);
      const size_t end = std::min(rest.find(delimiter), rest.size());
      const bool is_last = trimmed(rest.substr(0, end), kBlanks).empty();
      rest.remove_prefix(end);
      return is_last;
    }
  }
  return false;
}

// Splits a line into fields. With tabs fields are verbatim. With other delimiters they are trimmed
// of blanks, and may be quoted (RFC 4180). False if take_quoted() fails.
bool split_fields(std::string_view line, char delimiter, std::vector<std::string>& fields) {
  fields.clear();
  if (delimiter == '\t') {
    for (const std::string_view field : split(line, "\t")) fields.emplace_back(field);
    return true;
  }
  for (std::string_view rest = trimmed(line, kBlanks);;) {
    std::string& field = fields.emplace_back();
    if (rest.starts_with('"')) {
      if (!take_quoted(rest, delimiter, field)) return false;
    } else {
      const size_t end = std::min(
          delimiter == ' ' ? rest.find_first_of(kBlanks) : rest.find(delimiter), rest.size());
      field = trimmed(rest.substr(0, end), kBlanks);
      rest.remove_prefix(end);
    }
    if (rest.empty()) return true;
    rest = trimmed(rest.substr(1), kBlanks);
  }
}

// Whether a first line begins a file of N-Triples, in which comments may come first.
bool is_ntriples(std::string_view line) {
  if (line.starts_with('#')) return line.find('\t') == std::string_view::npos;
  return (line.starts_with('<') || line.starts_with("_:")) && trimmed(line, kBlanks).ends_with('.');
}

// A term of N-Triples without its brackets; empty if it is not one. Only literals contain blanks.
std::string_view without_brackets(std::string_view term) {
  if (term.starts_with('"')) return term;
  if (term.find_first_of(kBlanks) != std::string_view::npos) return {};
  if (term.starts_with("_:")) return term;
  if (!term.starts_with('<') || !term.ends_with('>')) return {};
  return term.substr(1, term.size() - 2);
}

}  // namespace

std::array<std::optional<std::string>, 2> name_lists(const std::string& train) {
  const auto beside = [&](const char* name) -> std::optional<std::string> {
    const std::filesystem::path path = std::filesystem::path(train).replace_filename(name);
    return exists(path.string()) ? std::optional(path.string()) : std::nullopt;
  };
  return {beside("entity2id.txt"), beside("relation2id.txt")};
}

TripleReader::TripleReader(const std::string& path, const TripleFormat& format,
                           const std::string& train)
    : lines_(path), format_(format), delimiter_(format.delimiter.value_or('\t')) {
  const std::optional<std::string_view> first = lines_.next();
  if (!first) return;
  line_ = *first;
  if (!format.is_given() && id_number(line_)) {
    begin_ids(train);
    return;
  }
  pending_ = true;
  if (!format.is_given() && is_ntriples(line_)) {
    layout_ = Layout::kNTriples;
    return;
  }
  if (format.columns && !format.columns->by_title()) {
    places_ = format.columns->places;
    fewest_ = std::ranges::max(places_) + 1;
    most_ = std::numeric_limits<size_t>::max();
  }
  if (!split_fields(line_, delimiter_, fields_) || !find_titles()) return;  // next() reports it
  fewest_ = most_ = fields_.size();
  titles_ = line_;
  pending_ = false;
}

void TripleReader::begin_ids(const std::string& train) {
  layout_ = Layout::kIds;
  declared_ = *id_number(line_);
  delimiter_ = ' ';
  places_ = {0, 2, 1};
  const auto [entities, relations] = name_lists(train);
  entities_ = read_list(entities);
  relations_ = read_list(relations);
}

// Sets the columns from the format and the first line's titles. False if it has none.
bool TripleReader::find_titles() {
  const bool by_title = format_.columns && format_.columns->by_title();
  const bool by_number = format_.columns && !by_title;
  std::array<size_t, 3> found{};
  std::string letters;  // the titles of one letter
  for (size_t i = 0; i < 3; ++i) {
    const auto is_title = [&](size_t place) {
      if (by_title) return fields_[place] == format_.columns->titles[i];
      return std::ranges::count(kTitles[i], lower_case(fields_[place])) > 0 &&
             (!by_number || std::ranges::count(places_, place) > 0);
    };
    size_t place = 0;
    while (place < fields_.size() && !is_title(place)) ++place;
    if (place == fields_.size() && by_title) {
      lines_.refuse(
          format("has no column \"%s\"; give -columns titles of its first line, or numbers from 1",
                 excerpt(format_.columns->titles[i]).c_str()));
    }
    if (place == fields_.size()) return false;
    found[i] = place;
    if (!by_title && fields_[place].size() == 1) letters += lower_case(fields_[place]);
  }
  if (!letters.empty() && letters != "hrt" && letters != "spo") return false;
  if (!by_number) places_ = found;
  return true;
}

bool TripleReader::next() {
  do {
    if (!std::exchange(pending_, false)) {
      const std::optional<std::string_view> line = lines_.next();
      if (!line) {
        if (layout_ == Layout::kIds) check_count(lines_.name(), declared_, read_);
        return false;
      }
      line_ = *line;
    }
  } while (layout_ == Layout::kNTriples && line_.starts_with('#'));
  ++read_;
  fault_ = layout_ == Layout::kNTriples ? read_ntriple() : read_columns();
  if (fault_.empty() && layout_ == Layout::kIds) fault_ = name_ids();
  for (const std::string& name : names_) {
    if (!fault_.empty()) break;
    if (name.empty()) fault_ = "has an empty name; give head, relation and tail";
    if (name.find('\t') != std::string::npos)
      fault_ = "has a tab in a name; replace it with a space";
    if (!is_utf8(name)) fault_ = "is not UTF-8; convert the file";
  }
  return true;
}

// Fills names_, or returns the fault.
std::string TripleReader::read_columns() {
  if (!split_fields(line_, delimiter_, fields_)) {
    return "has a quote that does not end, or text after one; double a quote inside quotes";
  }
  if (fields_.size() < fewest_ || fields_.size() > most_) return wrong_columns();
  for (size_t i = 0; i < 3; ++i) names_[i] = std::move(fields_[places_[i]]);
  return "";
}

std::string TripleReader::wrong_columns() const {
  if (layout_ == Layout::kIds) return kNoIds;
  const std::string has = "has " + counted(std::ssize(fields_), "column") + "; ";
  if (!titles_.empty()) return has + format("the titles are %zu", fewest_);
  for (const auto& [delimiter, name] : {std::pair(',', "comma"), {';', "';'"}, {' ', "space"}}) {
    const bool separates =
        !format_.delimiter && fields_.size() == 1 && std::ranges::count(line_, delimiter) >= 2;
    if (separates) return format("has no tabs; try -delimiter %s", name);
  }
  if (format_.columns) return has + format("give at least %zu", fewest_);
  if (format_.delimiter) return has + "give head, relation and tail, or -columns";
  return has + "give head, relation and tail with tabs between them, or -delimiter or -columns";
}

// Replaces the ids in names_ by their names, or returns the fault.
std::string TripleReader::name_ids() {
  for (size_t i = 0; i < 3; ++i) {
    const std::optional<int32_t> id = id_number(names_[i]);
    if (!id) return kNoIds;
    const Names& list = i == 1 ? relations_ : entities_;
    if (list.size() > 0 && *id >= list.size()) {
      return format(
          "has id %d, but the highest id with a name is %d; name all ids in entity2id.txt and "
          "relation2id.txt",
          *id, list.size() - 1);
    }
    names_[i] = list.size() > 0 ? list.name(*id) : std::to_string(*id);
  }
  return "";
}

// Fills names_, or returns the fault.
std::string TripleReader::read_ntriple() {
  std::string_view rest = trimmed(line_, kBlanks);
  const bool ends = rest.ends_with('.');
  if (ends) rest = trimmed(rest.substr(0, rest.size() - 1), kBlanks);
  for (size_t i = 0; i < 3; ++i) {
    const size_t end = i < 2 ? std::min(rest.find_first_of(kBlanks), rest.size()) : rest.size();
    names_[i] = without_brackets(rest.substr(0, end));
    if (!ends || names_[i].empty()) {
      return "is not <head> <relation> <tail> . of N-Triples; correct or remove it";
    }
    rest = trimmed(rest.substr(end), kBlanks);
  }
  return "";
}

}  // namespace acevec
