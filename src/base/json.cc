#include "base/json.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace acevec {

struct Json::Tree {
  nlohmann::ordered_json root = nlohmann::ordered_json::object();

  nlohmann::ordered_json& at(const std::string& place) {
    return root[nlohmann::ordered_json::json_pointer(place)];
  }
  // Returns null if nothing is there.
  const nlohmann::ordered_json* find(const std::string& place) const {
    const nlohmann::ordered_json::json_pointer pointer(place);
    return root.contains(pointer) ? &root.at(pointer) : nullptr;
  }
};

Json::Json() : tree_(std::make_unique<Tree>()) {}
Json::Json(Json&& other) noexcept = default;
Json& Json::operator=(Json&& other) noexcept = default;
Json::~Json() = default;

Json Json::read(const std::string& path) {
  Json result;
  std::ifstream file(path);
  auto root = nlohmann::ordered_json::parse(file, nullptr, false);
  if (root.is_object()) result.tree_->root = std::move(root);
  return result;
}

void Json::put(const std::string& place, Value value) {
  nlohmann::ordered_json& to = tree_->at(place);
  std::visit([&to](auto& one) { to = std::move(one); }, value);
}

void Json::put(const std::string& place, Members members) {
  for (const auto& [name, value] : members) put(place + "/" + std::string(name), value);
}

void Json::put_empty_list(const std::string& place) {
  tree_->at(place) = nlohmann::ordered_json::array();
}

std::optional<std::string> Json::text_at(const std::string& place) const {
  const nlohmann::ordered_json* const value = tree_->find(place);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return value->get<std::string>();
}

std::optional<double> Json::number_at(const std::string& place) const {
  const nlohmann::ordered_json* const value = tree_->find(place);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  return value->get<double>();
}

std::string Json::text(int indent) const {
  return tree_->root.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

namespace {

// Takes one member of an object from parser events, without building a tree.
struct MemberReader : nlohmann::json_sax<nlohmann::json> {
  explicit MemberReader(std::string_view a_name) : name(a_name) {}

  bool null() override { return other(); }
  bool boolean(bool /*value*/) override { return other(); }
  bool number_integer(int64_t /*value*/) override { return other(); }
  bool number_unsigned(uint64_t /*value*/) override { return other(); }
  bool number_float(double /*value*/, const std::string& /*text*/) override { return other(); }
  bool binary(nlohmann::json::binary_t& /*value*/) override { return other(); }
  bool string(std::string& value) override {
    if (wanted && depth == 1) text = std::move(value);
    return depth > 0;
  }
  bool key(std::string& value) override {
    if (depth == 1) wanted = value == name;
    return true;
  }
  bool start_object(size_t /*members*/) override { return go(1); }
  bool end_object() override { return go(-1); }
  bool start_array(size_t /*values*/) override { return depth > 0 && go(1); }
  bool end_array() override { return go(-1); }
  bool parse_error(size_t byte, const std::string& /*last*/,
                   const nlohmann::detail::exception& /*error*/) override {
    error = byte;
    return false;
  }

  bool other() const { return depth > 0; }
  bool go(int levels) {
    depth += levels;
    return true;
  }

  std::string_view name;
  std::optional<std::string> text;
  size_t error = 0;  // 1-based position of the invalid byte; 0 without an error
  int64_t depth = 0;
  bool wanted = false;  // the next value belongs to the wanted member
};

}  // namespace

std::string json_string(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string json_member(std::string_view json, std::string_view name) {
  MemberReader reader(name);
  const bool is_object = nlohmann::json::sax_parse(json, &reader);
  if (reader.error > 0) throw Error(format("is not JSON at byte %zu", reader.error));
  if (!is_object) throw Error("is not a JSON object");
  if (!reader.text) throw Error(format("has no string \"%s\"", std::string(name).c_str()));
  return std::move(*reader.text);
}

}  // namespace acevec
