// Models that are one file in the container of base/checkpoint_file.h.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/checkpoint_file.h"
#include "math/matrix.h"

namespace acevec {

// Writes a matrix that other threads may be training, a few rows at a time. Throws Error when a
// number in it is not finite.
void put_trained(const std::string& name, const Matrix& matrix, CheckpointWriter& file);

// Reads what was learned. Throws Error when it does not fit, or a number in it is not finite.
void get_trained(const std::string& name, Matrix& matrix, CheckpointReader& file);
void get_trained(const std::string& name, std::vector<float>& numbers, CheckpointReader& file);

// Has `read` read a model. Throws Error when the file cannot be read. When it is something else,
// cut short or damaged, by its container or because `read` threw an Error, calls `refuse`, which
// throws.
void read_model_file(const std::string& path, const std::function<void(CheckpointReader&)>& read,
                     void (*refuse)(const std::string& path));

}  // namespace acevec
