// A JSON document: the record of a run, the option tables for programs. Only json.cc includes the
// library's headers, which take a compiler seconds.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace acevec {

// An object, whose members keep the order in which they were put. A place is the path of names to a
// value, "/test/knn"; in lists the number is the name: "/choices/0".
class Json {
 public:
  using Value = std::variant<std::nullptr_t, bool, int64_t, double, std::string>;
  using Members = std::initializer_list<std::pair<std::string_view, Value>>;

  Json();
  Json(Json&& other) noexcept;
  Json& operator=(Json&& other) noexcept;
  ~Json();

  // The file's object; an empty one if it cannot be read or has none.
  static Json read(const std::string& path);

  // Puts a value at a place, and the objects and lists around it if there are none. Lists are
  // filled from 0 on. Numbers that are not finite become null, bytes that are no UTF-8 U+FFFD.
  void put(const std::string& place, Value value);
  // Puts several values at `place`, by their names.
  void put(const std::string& place, Members members);
  void put_empty_list(const std::string& place);

  // The text or number at a place; none if the place is empty or has another type.
  std::optional<std::string> text_at(const std::string& place) const;
  std::optional<double> number_at(const std::string& place) const;

  // Formats a line for each value, with `indent` blanks for each level.
  std::string text(int indent) const;

 private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

// `text` as JSON, in quotes; bytes that are no UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

// Returns the text of the member `name` of the object `json`, in UTF-8. Throws Error, which says
// only what is wrong: it is no object, has no such member, or the member is no text.
std::string json_member(std::string_view json, std::string_view name);

}  // namespace acevec
