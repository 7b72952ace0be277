// Files of models, in the container of base/checkpoint_file.h. The name of the first part is the
// command that wrote the file, its value the version of the parts that follow.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/checkpoint_file.h"
#include "math/matrix.h"

namespace acevec {

// The kind of a model.
struct ModelKind {
  const char* command;  // that writes it, "acevec kg"
  int64_t version;
};

// The first part.
inline void put_kind(const ModelKind& kind, CheckpointWriter& file) {
  file.put(kind.command, kind.version);
}

// Writes a matrix, a few rows at a time. Throws Error when a number in it is not finite, or beyond
// 1e9.
void put_trained(const std::string& name, const Matrix& matrix, CheckpointWriter& file);

// Reads a matrix, or a list of numbers. Throws Error when it does not fit, when a number of the
// matrix is beyond those bounds, or one of the list is not finite.
void get_trained(const std::string& name, Matrix& matrix, CheckpointReader& file);
void get_trained(const std::string& name, std::vector<float>& numbers, CheckpointReader& file);

// Texts without line ends: words, names.
void put_lines(const std::string& name, const std::vector<std::string>& lines,
               CheckpointWriter& file);
std::vector<std::string> get_lines(const std::string& name, CheckpointReader& file);

// Called while a model is read, before memory is allocated. They throw Error when the file
// contradicts itself, or has fewer than `floats` floats.
void require_possible(bool possible);
void require_room(int64_t floats, const CheckpointReader& file);

// Calls `read` for the parts after the first. Throws Error when the file cannot be read, is not a
// model of this kind and version, is cut short or damaged, or when `read` throws an Error.
void read_model_file(const std::string& path, const ModelKind& kind,
                     const std::function<void(CheckpointReader&)>& read);

template <class Model>
Model read_model(const std::string& path, const ModelKind& kind, Model (*read)(CheckpointReader&)) {
  std::optional<Model> model;
  read_model_file(path, kind, [&](CheckpointReader& file) { model.emplace(read(file)); });
  return std::move(*model);
}

}  // namespace acevec
