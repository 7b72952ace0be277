// The options of a command, each bound to a field of its arguments. Parser, help, manual,
// completion, checks, report and record all use these rows, so they cannot disagree.
#pragma once

#include <deque>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/numbers.h"

namespace acevec {

enum class Kind {
  kFlag,        // 0 or 1; the name alone means 1
  kInteger,     // integer in low .. high
  kReal,        // number in low .. high
  kText,        // anything that the row accepts
  kChoice,      // one of the words in `argument`
  kInputFile,   // a file to read; - is standard input
  kInputFiles,  // one or more input files, separated by commas
  kOutputFile,  // a file to write; - is standard output
};

// Returns whether values of this kind name files.
bool names_file(Kind kind);

// Splits a comma-separated list of paths; a folder stands for the files in it, sorted by name. A
// text that is itself the name of a file is one path, even with commas. Throws Error when a path is
// empty.
std::vector<std::string> split_paths(const std::string& typed);

// The largest count or seed; integers up to here are exact in a double.
inline constexpr double kMaxCount = 9e15;

// A condition on other options: its description, and a function that tests it. Without a function
// the description is evaluated: "-output" is given or not 0, "-score transe or rotate", "-pairs or
// -labels", "-heldout X".
struct Condition {
  std::string what;
  std::function<bool()> holds;
};

// A default that depends on other options.
struct ConditionalDefault {
  Condition when;     // its text is empty if it applies when no other holds
  std::string shown;  // in the help: the value as typed, or a formula
  std::function<std::string()> value;
};

// A word that sets the defaults of several options.
struct PresetWord {
  std::string word;
  std::string flags;    // "-iter 2 -size 50": their defaults while the row has this word
  std::string meaning;  // for the help
};

class OptionTable;

// One option.
struct OptionRow {
  std::string name;  // without dashes
  Kind kind = Kind::kText;
  std::string argument;  // the value's name in the help; for choices and flags all values: "a|b|c"
  double low = 0;        // smallest allowed number
  double high = 0;       // largest allowed number
  std::string group;     // heading in the help text
  std::string help;
  std::string fallback;  // the default as typed: the field's value at declaration
  std::vector<ConditionalDefault> defaults;  // the first that holds overrides `fallback`
  std::string late_default;  // for the help: a default that code sets once the data are known
  std::vector<PresetWord> presets;
  std::vector<Condition> needs;  // the option does nothing unless all of them hold
  bool recorded = true;          // shown in the report, and part of the command that repeats a run
  bool may_change = false;       // may differ when a run resumes
  bool of_vectors = false;       // its file has vectors, possibly with a file of words
  std::string brief;             // text for the short help; empty: not shown there
  bool given = false;  // set by the user, or fixed by code; checkpoints then record the value
  std::string typed;   // the last typed text, where several texts mean the same value
  const void* field = nullptr;

  // The field's value as typed; empty for none.
  std::function<std::string()> value;
  // Sets the field. Throws Error with the advice: "give 0 or 1".
  std::function<void(const std::string& typed)> set;
  const OptionTable* table = nullptr;  // the table of this row

  bool has_effect() const;

  // value(), with at most 6 digits for a real number.
  std::string short_value() const;

  // "1; 0 with -loss margin or ns"; empty where there is no default.
  std::string default_text() const;

  // The help and, in parentheses, the default.
  std::string full_help() const;

  // The preset that the row's value names; null if none.
  const PresetWord* chosen_preset() const;

  // For declarations. The default is `value` while the condition holds; the first condition that
  // holds applies. The help puts `when` after "with".
  OptionRow& default_when(std::string when, std::function<bool()> holds, std::string value);
  OptionRow& default_when(std::string when, std::string typed_value) {
    return default_when(std::move(when), nullptr, std::move(typed_value));
  }

  // The same with a value computed from other options, by the formula that the help shows.
  OptionRow& default_when(std::string when, std::function<bool()> holds, std::string formula,
                          std::function<double()> value);

  // The default of an optional field while no condition holds and the row has an effect.
  OptionRow& otherwise(std::string typed_value) {
    return default_when(
        "", [this] { return has_effect(); }, std::move(typed_value));
  }

  // Describes a default that code sets later.
  OptionRow& default_later(std::string description) {
    late_default = std::move(description);
    return *this;
  }

  // While the row's value is `word`, the options in `flags` have these defaults. The help lists
  // them, and `more`, the word's other effects.
  OptionRow& preset(std::string word, std::string flags, std::string more = "");

  OptionRow& need(std::string what, std::function<bool()> holds = nullptr) {
    needs.push_back({std::move(what), std::move(holds)});
    return *this;
  }
  OptionRow& unrecorded() {
    recorded = false;
    return *this;
  }
  OptionRow& changeable(bool may = true) {
    may_change = may;
    return *this;
  }
  OptionRow& vectors() {
    of_vectors = true;
    return *this;
  }
  OptionRow& common(std::string_view in_brief) {
    brief = in_brief;
    return *this;
  }

 private:
  OptionRow& add_default(ConditionalDefault one);
};

// The place of the word `typed` in `words`, in any case. Throws Error: "give one of a|b".
size_t place_of(const std::string& typed, const std::vector<std::string>& words);

// A word of a choice and its value.
template <class Value>
using Named = std::pair<const char*, Value>;

struct Range {
  double low, high;
};

class OptionTable {
 public:
  OptionTable() = default;
  OptionTable(const OptionTable&) = delete;  // rows are bound to fields, which are not copied
  OptionTable& operator=(const OptionTable&) = delete;

  // Sets the heading of the rows declared next.
  void group(std::string_view heading) { group_ = heading; }

  // Rows declared during the lifetime of the result have this need too.
  class SharedNeed {
   public:
    explicit SharedNeed(OptionTable& table) : table_(table) {}
    ~SharedNeed() { table_.shared_needs_.pop_back(); }
    SharedNeed(const SharedNeed&) = delete;
    SharedNeed& operator=(const SharedNeed&) = delete;

   private:
    OptionTable& table_;
  };
  [[nodiscard]] SharedNeed all_need(std::string what, std::function<bool()> holds = nullptr);

  // Each of these declares a row bound to `field`, which must outlive the table. A field without a
  // value has no default, unless default_when() or otherwise() gives one.
  // Fields: bool or std::optional of it;
  template <class Field>
  OptionRow& flag(std::string_view name, Field& field, std::string_view help);
  // int, int64_t, uint64_t, or std::optional of int64_t;
  template <class Field>
  OptionRow& integer(std::string_view name, Field& field, Range range, std::string_view help);
  // float, double, or std::optional of them;
  template <class Field>
  OptionRow& real(std::string_view name, Field& field, Range range, std::string_view help);
  // an enumeration, bool, ..., or std::optional of it.
  template <class Value, class Field>
  OptionRow& choice(std::string_view name, Field& field, std::initializer_list<Named<Value>> words,
                    std::string_view help);
  OptionRow& text(std::string_view name, std::string_view argument, std::string& field,
                  std::string_view help);
  OptionRow& input_file(std::string_view name, std::string& field, std::string_view help);
  OptionRow& input_files(std::string_view name, std::vector<std::string>& field,
                         std::string_view help);
  OptionRow& output_file(std::string_view name, std::string& field, std::string_view help);

  // A text that parse() turns into a value, such as an interval. parse() throws Error for an
  // invalid text: "give a number". `fallback`, if any, is parsed at once. Only set() may change the
  // field.
  template <class Field, class Value>
  OptionRow& parsed(std::string_view name, std::string_view argument, const std::string& fallback,
                    Field& field, Value (*parse)(const std::string& typed), std::string_view help) {
    OptionRow& row = add(name, Kind::kText, argument, &field, help);
    row.typed = row.fallback = fallback;
    if (!fallback.empty()) field = parse(fallback);
    row.value = [kept = &row.typed] { return *kept; };
    row.set = [&field, parse, kept = &row.typed](const std::string& typed) {
      field = parse(typed);
      *kept = typed;
    };
    return row;
  }

  std::deque<OptionRow>& rows() { return rows_; }
  const std::deque<OptionRow>& rows() const { return rows_; }
  OptionRow* find(std::string_view name);
  const OptionRow* find(std::string_view name) const;

  // The row bound to `field`; there must be one.
  OptionRow& row_of(const void* field);
  bool given(const void* field) { return row_of(field).given; }

  bool holds(const Condition& condition) const;

  // Sets every row that was not given to its default by presets and conditions. A default may
  // depend on other rows, without cycles.
  void fill_defaults();

  // Throws UsageError when a given option has no effect with the others.
  void refuse_idle() const;

 private:
  OptionRow& add(std::string_view name, Kind kind, std::string_view argument, const void* field,
                 std::string_view help);
  std::optional<std::string> conditional_default(const OptionRow& row) const;

  std::deque<OptionRow> rows_;
  std::string group_;
  std::vector<Condition> shared_needs_;
};

template <class Value, class Field>
OptionRow& OptionTable::choice(std::string_view name, Field& field,
                               std::initializer_list<Named<Value>> words, std::string_view help) {
  std::vector<std::string> names;
  std::vector<Value> values;
  for (const auto& [word, value] : words) {
    names.emplace_back(word);
    values.push_back(value);
  }
  OptionRow& row = add(name, Kind::kChoice, joined(names, "|"), &field, help);
  row.value = [&field, names, values] {
    for (size_t i = 0; i < values.size(); ++i) {
      if (field == values[i]) return names[i];
    }
    return std::string();
  };
  row.set = [&field, names, values](const std::string& typed) {
    field = values[place_of(typed, names)];
  };
  row.fallback = row.value();
  return row;
}

}  // namespace acevec
