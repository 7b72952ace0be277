#include "train/model_container.h"

#include <cerrno>
#include <fstream>

#include "base/error.h"
#include "math/hogwild.h"

namespace acevec {

void put_trained(const std::string& name, const Matrix& matrix, CheckpointWriter& file) {
  Matrix copy(matrix.rows(), matrix.columns());
  copy_rows(matrix, copy);
  if (!copy.finite()) throw Error("the model is not finite; train with a smaller -rate");
  copy.save(name, file);
}

void read_model_file(const std::string& path, const std::function<void(CheckpointReader&)>& read,
                     void (*refuse)(const std::string& path)) {
  if (!std::ifstream(path)) {
    throw Error(format("cannot read %s: %s; check the path and its permissions", path.c_str(),
                       system_message(errno).c_str()));
  }
  try {
    CheckpointReader file(path);
    read(file);
  } catch (const Error&) {
    refuse(path);
  }
}

}  // namespace acevec
