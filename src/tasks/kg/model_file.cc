#include "tasks/kg/model_file.h"

#include <array>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/same_file.h"
#include "train/model_container.h"

namespace acevec {
namespace {

constexpr ModelKind kKind{"acevec kg", 2};
constexpr int64_t kLargestSize = 100000;

// As numbers of the file: scores in the order of their enum; 0, the norm, which is L1.
struct ShapeNumbers {
  int64_t score, norm, size, reciprocal;
};

// Version 1 was no container.
void refuse_version_1(const std::string& path) {
  constexpr std::string_view kStart = "acevec-kg 1 ";
  std::array<char, kStart.size()> start{};
  if (is_special_file(path)) return;
  std::ifstream(path, std::ios::binary).read(start.data(), start.size());
  if (std::string_view(start.data(), start.size()) != kStart) return;
  throw Error(
      format("%s was written by acevec 0.2.0; train it again, or use that version", path.c_str()));
}

KgShape read_shape(CheckpointReader& file) {
  const auto numbers = file.get<ShapeNumbers>("shape");
  require_possible(numbers.score >= 0 && numbers.score < std::ssize(kScoreKinds));
  require_possible(numbers.norm == 0);
  require_possible(numbers.reciprocal == 0 || numbers.reciprocal == 1);
  require_possible(numbers.size > 0 && numbers.size <= kLargestSize);
  const ScoreKind score = kScoreKinds[numbers.score];
  require_possible(!is_complex(score) || numbers.size % 2 == 0);
  return {score, numbers.size, numbers.reciprocal == 1};
}

Names read_names(const std::string& part, CheckpointReader& file) {
  Names names;
  for (const std::string& name : get_lines(part, file)) {
    const int32_t next = names.size();
    require_possible(names.add(name) == next);  // none twice
  }
  require_possible(names.size() > 0);
  return names;
}

KgFile read(CheckpointReader& file) {
  const KgShape shape = read_shape(file);
  Names entities = read_names("entities", file);
  Names relations = read_names("relations", file);
  require_room(shape.floats(entities.size(), relations.size()), file);
  KgModel model(shape, entities.size(), relations.size());
  get_trained("entity vectors", model.entities, file);
  get_trained("relation vectors", model.relations, file);
  std::vector<Triple> known;
  file.get("triples", known);
  const auto is_one = [](int32_t id, const Names& names) { return id >= 0 && id < names.size(); };
  for (const Triple& triple : known) {
    require_possible(is_one(triple.head, entities) && is_one(triple.tail, entities) &&
                     is_one(triple.relation, relations));
  }
  return {std::move(entities), std::move(relations), std::move(model), std::move(known)};
}

}  // namespace

void write_kg(const Graph& graph, const KgModel& model, CheckpointWriter& file) {
  const KgShape& shape = model.shape;
  put_kind(kKind, file);
  file.put("shape", ShapeNumbers{static_cast<int64_t>(shape.score), 0, shape.size,
                                 shape.reciprocal ? 1 : 0});
  put_lines("entities", graph.entities.all(), file);
  put_lines("relations", graph.relations.all(), file);
  put_trained("entity vectors", model.entities, file);
  put_trained("relation vectors", model.relations, file);
  file.put("triples", graph.train.triples);
}

KgFile read_kg(const std::string& path) {
  refuse_version_1(path);
  return read_model(path, kKind, read);
}

}  // namespace acevec
