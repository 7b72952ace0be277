// JSON documents: run records and option tables for programs. Only json.cc includes the library's
// headers, which take seconds to compile.
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

// An object whose members keep their insertion order. A place is a JSON pointer to a value:
// "/test/knn", or "/choices/0" in a list.
class Json {
 public:
  using Value = std::variant<std::nullptr_t, bool, int64_t, double, std::string>;
  using Members = std::initializer_list<std::pair<std::string_view, Value>>;

  Json();
  Json(Json&& other) noexcept;
  Json& operator=(Json&& other) noexcept;
  ~Json();

  // Reads an object from a file; returns an empty one if the file cannot be read or holds no
  // object.
  static Json read(const std::string& path);

  // Sets the value at a place and creates missing objects and lists around it. Lists must be filled
  // in order, from 0. Numbers that are not finite become null, and invalid UTF-8 becomes U+FFFD.
  void put(const std::string& place, Value value);
  // Sets several members of the object at `place`.
  void put(const std::string& place, Members members);
  void put_empty_list(const std::string& place);

  // The text or number at a place; nothing if there is none or it has another type.
  std::optional<std::string> text_at(const std::string& place) const;
  std::optional<double> number_at(const std::string& place) const;

  // Formats one value per line, with `indent` blanks per level.
  std::string text(int indent) const;

 private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

// Returns `text` as a quoted JSON string; invalid UTF-8 becomes U+FFFD.
std::string json_string(std::string_view text);

// Returns the string member `name` of the object `json`, in UTF-8. Throws Error when `json` is not
// an object or has no such string; the message has no subject: "is not JSON at byte 3".
std::string json_member(std::string_view json, std::string_view name);

}  // namespace acevec
