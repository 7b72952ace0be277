#include "cli/option_table.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "base/same_file.h"

namespace acevec {
namespace {

// The value of a field, if it has one.
template <class Value>
std::optional<Value> held(const Value& field) {
  return field;
}
template <class Value>
std::optional<Value> held(const std::optional<Value>& field) {
  return field;
}

// Formats a number as people type it: 0.025, 1e-4.
template <class Number>
std::string typed_number(Number number) {
  std::string text = shortest(number);
  const size_t exponent = text.find('e');
  if (exponent == std::string::npos) return text;
  const size_t sign = exponent + 1;  // there always is one
  const size_t first = std::min(text.find_first_not_of('0', sign + 1), text.size() - 1);
  return text.substr(0, sign) + (text[sign] == '-' ? "-" : "") + text.substr(first);
}

// Returns whether the row has a value, and for a number one other than 0.
bool is_set(const OptionRow& row) {
  const std::string value = row.value();
  const bool is_number =
      row.kind == Kind::kFlag || row.kind == Kind::kInteger || row.kind == Kind::kReal;
  return !value.empty() && !(is_number && number_of<double>(value) == 0.0);
}

// Appends `path`, or for a folder the files in it sorted by name, without hidden ones.
void append_files(const std::string& path, std::vector<std::string>& paths) {
  std::error_code no_folder, unknown;
  std::vector<std::string> inside;
  for (const auto& entry : std::filesystem::directory_iterator(path, no_folder)) {
    const bool hidden = entry.path().filename().string().starts_with('.');
    if (!hidden && entry.is_regular_file(unknown)) inside.push_back(entry.path().string());
  }
  if (no_folder) inside.push_back(path);  // it is a file, or opening it reports the error
  if (inside.empty()) throw Error("give a folder that has files, not " + path);
  std::ranges::sort(inside);
  paths.insert(paths.end(), inside.begin(), inside.end());
}

}  // namespace

std::vector<std::string> split_paths(const std::string& typed) {
  std::vector<std::string> paths;
  if (exists(typed)) {
    append_files(typed, paths);
    return paths;
  }
  for (const std::string_view path : split(typed, ",")) {
    if (path.empty()) throw Error("give FILE,FILE without an empty name");
    append_files(std::string(path), paths);
  }
  return paths;
}

bool names_file(Kind kind) {
  return kind == Kind::kInputFile || kind == Kind::kInputFiles || kind == Kind::kOutputFile;
}

bool OptionRow::has_effect() const {
  return std::ranges::all_of(needs, [&](const Condition& need) { return table->holds(need); });
}

std::string OptionRow::short_value() const {
  std::string exact = value();
  if (kind != Kind::kReal || exact.empty()) return exact;
  const auto number = number_of<double>(exact);
  const auto rounded = number_of<double>(format("%.6g", *number));
  return number == rounded ? exact : typed_number(*rounded);
}

std::string OptionRow::default_text() const {
  std::string text = fallback + late_default, conditions, last;
  for (const ConditionalDefault& one : defaults) {
    if (one.when.what.empty()) {
      text = one.shown;
    } else {
      conditions += (one.shown == last ? ", or" : "; " + one.shown) + " with " + one.when.what;
      last = one.shown;
    }
  }
  return text.empty() && !conditions.empty() ? conditions.substr(2) : text + conditions;
}

std::string OptionRow::full_help() const {
  const std::string known = default_text();
  return known.empty() ? help : help + " (default: " + known + ")";
}

const PresetWord* OptionRow::chosen_preset() const {
  const auto chosen = std::ranges::find(presets, value(), &PresetWord::word);
  return chosen == presets.end() ? nullptr : &*chosen;
}

OptionRow& OptionRow::default_when(std::string when, std::function<bool()> holds,
                                   std::string typed_value) {
  return add_default({{std::move(when), std::move(holds)},
                      typed_value,
                      [value = std::move(typed_value)] { return value; }});
}

OptionRow& OptionRow::default_when(std::string when, std::function<bool()> holds,
                                   std::string formula, std::function<double()> number) {
  return add_default({{std::move(when), std::move(holds)},
                      std::move(formula),
                      [number = std::move(number)] { return typed_number(number()); }});
}

// A default without a condition stays the last.
OptionRow& OptionRow::add_default(ConditionalDefault one) {
  const bool has_last = !defaults.empty() && defaults.back().when.what.empty();
  defaults.insert(defaults.end() - (has_last ? 1 : 0), std::move(one));
  return *this;
}

OptionRow& OptionRow::preset(std::string word, std::string flags, std::string more) {
  more = flags + more;
  help += "; " + word + ": " + more;
  presets.push_back({std::move(word), std::move(flags), std::move(more)});
  return *this;
}

OptionTable::SharedNeed OptionTable::all_need(std::string what, std::function<bool()> holds) {
  shared_needs_.push_back({std::move(what), std::move(holds)});
  return SharedNeed(*this);
}

OptionRow& OptionTable::add(std::string_view name, Kind kind, std::string_view argument,
                            const void* field, std::string_view help) {
  OptionRow& row = rows_.emplace_back();
  row.name = name;
  row.kind = kind;
  row.argument = argument;
  row.group = group_;
  row.help = help;
  row.needs = shared_needs_;
  row.field = field;
  row.table = this;
  return row;
}

template <class Field>
OptionRow& OptionTable::flag(std::string_view name, Field& field, std::string_view help) {
  OptionRow& row = integer(name, field, {0, 1}, help);
  row.kind = Kind::kFlag;
  row.argument = "0|1";
  return row;
}

template <class Field>
OptionRow& OptionTable::integer(std::string_view name, Field& field, Range range,
                                std::string_view help) {
  using Number = typename decltype(held(field))::value_type;
  OptionRow& row = add(name, Kind::kInteger, "N", &field, help);
  row.low = range.low;
  row.high = range.high;
  row.value = [&field] {
    const auto now = held(field);
    return now ? std::to_string(*now) : std::string();
  };
  row.set = [&field, range](const std::string& typed) {
    const auto number = number_of<int64_t>(typed);
    if (!number || static_cast<double>(*number) < range.low ||
        static_cast<double>(*number) > range.high) {
      throw Error(
          format(range.high == 1 ? "give %.0f or %.0f" : "give a whole number from %.0f to %.0f",
                 range.low, range.high));
    }
    field = static_cast<Number>(*number);
  };
  row.fallback = row.value();
  return row;
}

template <class Field>
OptionRow& OptionTable::real(std::string_view name, Field& field, Range range,
                             std::string_view help) {
  using Number = typename decltype(held(field))::value_type;
  OptionRow& row = add(name, Kind::kReal, "X", &field, help);
  row.low = range.low;
  row.high = range.high;
  // Shows the typed text, not another spelling of the same number.
  row.value = [&field, typed = &row.typed] {
    const auto now = held(field);
    if (!now) return std::string();
    return number_of<Number>(*typed) == now ? *typed : typed_number(*now);
  };
  row.set = [&field, range, kept = &row.typed](const std::string& typed) {
    const auto number = number_of<double>(typed);
    if (!number || !(*number >= range.low && *number <= range.high)) {
      throw Error(format("give a number from %g to %g", range.low, range.high));
    }
    field = static_cast<Number>(*number);
    *kept = typed;
  };
  row.fallback = row.value();
  return row;
}

size_t place_of(const std::string& typed, const std::vector<std::string>& words) {
  const auto lower = [](unsigned char c) { return std::tolower(c); };
  const auto found = std::ranges::find_if(words, [&](const std::string& word) {
    return std::ranges::equal(word, typed, {}, lower, lower);
  });
  if (found == words.end()) throw Error("give one of " + joined(words, "|"));
  return static_cast<size_t>(found - words.begin());
}

OptionRow& OptionTable::text(std::string_view name, std::string_view argument, std::string& field,
                             std::string_view help) {
  OptionRow& row = add(name, Kind::kText, argument, &field, help);
  row.value = [&field] { return field; };
  row.set = [&field](const std::string& typed) {
    if (typed.empty()) throw Error("give a value");
    field = typed;
  };
  row.fallback = field;
  return row;
}

OptionRow& OptionTable::input_file(std::string_view name, std::string& field,
                                   std::string_view help) {
  OptionRow& row = text(name, "FILE", field, help);
  row.kind = Kind::kInputFile;
  return row.changeable();  // resuming compares the content of files
}

OptionRow& OptionTable::output_file(std::string_view name, std::string& field,
                                    std::string_view help) {
  OptionRow& row = text(name, "FILE", field, help);
  row.kind = Kind::kOutputFile;
  return row.changeable();
}

OptionRow& OptionTable::input_files(std::string_view name, std::vector<std::string>& field,
                                    std::string_view help) {
  OptionRow& row = add(name, Kind::kInputFiles, "FILE,...", &field, help);
  row.value = [&field] { return joined(field, ","); };
  row.set = [&field](const std::string& typed) {
    if (typed.empty()) throw Error("give a value");
    field = split_paths(typed);
  };
  return row.changeable();
}

OptionRow* OptionTable::find(std::string_view name) {
  const auto row = std::ranges::find(rows_, name, &OptionRow::name);
  return row == rows_.end() ? nullptr : &*row;
}

const OptionRow* OptionTable::find(std::string_view name) const {
  return const_cast<OptionTable*>(this)->find(name);  // finding changes nothing
}

OptionRow& OptionTable::row_of(const void* field) {
  return *std::ranges::find(rows_, field, &OptionRow::field);
}

bool OptionTable::holds(const Condition& condition) const {
  if (condition.holds) return condition.holds();
  const OptionRow* row = nullptr;
  bool alone = false;  // no value of the row has been named yet
  for (const std::string_view word : split(condition.what, " ,")) {
    if (word.empty() || word == "or" || (row != nullptr && word == row->argument)) continue;
    if (word.starts_with('-')) {
      if (alone && is_set(*row)) return true;
      row = find(word.substr(1));
      alone = true;
    } else {
      if (row->value() == word) return true;
      alone = false;
    }
  }
  return alone && is_set(*row);
}

// Returns the default from a preset, or else from the row's own conditions; nothing without either.
std::optional<std::string> OptionTable::conditional_default(const OptionRow& row) const {
  for (const OptionRow& chosen : rows_) {
    const PresetWord* const preset = chosen.chosen_preset();
    if (preset == nullptr) continue;
    const std::vector<std::string_view> words = split(preset->flags, " ");
    for (size_t i = 0; i + 1 < words.size(); ++i) {
      if (words[i] == "-" + row.name) return std::string(words[i + 1]);
    }
  }
  if (row.defaults.empty()) return std::nullopt;
  for (const ConditionalDefault& one : row.defaults) {
    if (holds(one.when)) return one.value();
  }
  return row.fallback;
}

void OptionTable::fill_defaults() {
  bool changed = true;
  for (size_t turn = 0; changed && turn <= rows_.size(); ++turn) {
    changed = false;
    for (OptionRow& row : rows_) {
      if (row.given) continue;
      const std::optional<std::string> value = conditional_default(row);
      if (!value || value->empty() || *value == row.value()) continue;
      row.set(*value);
      changed = true;
    }
  }
}

void OptionTable::refuse_idle() const {
  for (const OptionRow& row : rows_) {
    if (!row.given) continue;
    for (const Condition& need : row.needs) {
      if (holds(need)) continue;
      throw UsageError(format("-%s has no effect without %s; add that or leave it out",
                              row.name.c_str(), need.what.c_str()));
    }
  }
}

template OptionRow& OptionTable::flag(std::string_view, bool&, std::string_view);
template OptionRow& OptionTable::flag(std::string_view, std::optional<bool>&, std::string_view);
template OptionRow& OptionTable::integer(std::string_view, int&, Range, std::string_view);
template OptionRow& OptionTable::integer(std::string_view, int64_t&, Range, std::string_view);
template OptionRow& OptionTable::integer(std::string_view, uint64_t&, Range, std::string_view);
template OptionRow& OptionTable::integer(std::string_view, std::optional<int>&, Range,
                                         std::string_view);
template OptionRow& OptionTable::integer(std::string_view, std::optional<int64_t>&, Range,
                                         std::string_view);
template OptionRow& OptionTable::real(std::string_view, float&, Range, std::string_view);
template OptionRow& OptionTable::real(std::string_view, double&, Range, std::string_view);
template OptionRow& OptionTable::real(std::string_view, std::optional<float>&, Range,
                                      std::string_view);
template OptionRow& OptionTable::real(std::string_view, std::optional<double>&, Range,
                                      std::string_view);

}  // namespace acevec
