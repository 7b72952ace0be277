// Model files, in the container of base/checkpoint_file.h. The first part's name is the command
// that wrote the file, and its value the version of the parts that follow.
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

struct ModelKind {
  const char* command;  // command that writes it, "acevec kg"
  int64_t version;
};

// Writes a matrix, some rows at a time. Throws Error if a number is not finite, or beyond ±1e9.
void put_trained(const std::string& name, const Matrix& matrix, CheckpointWriter& file);

// Reads a matrix, or a list of numbers. Throws Error if its size differs, if the matrix has a
// number outside those bounds, or if the list has one that is not finite.
void get_trained(const std::string& name, Matrix& matrix, CheckpointReader& file);
void get_trained(const std::string& name, std::vector<float>& numbers, CheckpointReader& file);

// Write and read texts without line ends: words, names.
void put_lines(const std::string& name, const std::vector<std::string>& lines,
               CheckpointWriter& file);
std::vector<std::string> get_lines(const std::string& name, CheckpointReader& file);

// Called while a model is read, before memory is allocated. They throw Error if the file
// contradicts itself, or has fewer than `floats` floats.
void require_possible(bool possible);
void require_room(int64_t floats, const CheckpointReader& file);

// Calls `read` for the parts after the first. Throws Error if the file cannot be read, is not a
// model of this kind and version, or is truncated or damaged, or if `read` throws an Error.
void read_model_file(const std::string& path, const ModelKind& kind,
                     const std::function<void(CheckpointReader&)>& read);

template <class Model>
Model read_model(const std::string& path, const ModelKind& kind, Model (*read)(CheckpointReader&)) {
  std::optional<Model> model;
  read_model_file(path, kind, [&](CheckpointReader& file) { model.emplace(read(file)); });
  return std::move(*model);
}

}  // namespace acevec
