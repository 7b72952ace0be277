#include "base/json.h"

#include <fstream>
#include <nlohmann/json.hpp>

namespace acevec {

struct Json::Tree {
  nlohmann::ordered_json root = nlohmann::ordered_json::object();

  nlohmann::ordered_json& at(const std::string& place) {
    return root[nlohmann::ordered_json::json_pointer(place)];
  }
  // Null where there is nothing.
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

}  // namespace acevec
