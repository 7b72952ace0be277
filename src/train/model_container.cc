#include "train/model_container.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <numeric>

#include "base/error.h"
#include "base/same_file.h"
#include "kernels/hogwild.h"

namespace acevec {
namespace {

[[noreturn]] void refuse_infinite(const CheckpointReader& file) {
  throw Error(file.path() + " holds a number that is not finite");
}

}  // namespace

void put_trained(const std::string& name, const Matrix& matrix, CheckpointWriter& file) {
  constexpr int64_t kRows = 256;  // that are copied at a time
  Matrix copy(0, matrix.columns());
  std::vector<int32_t> ids(kRows);
  file.begin_part(name, static_cast<uint64_t>(matrix.bytes()));
  for (int64_t first = 0; first < matrix.rows(); first += kRows) {
    const int64_t count = std::min(kRows, matrix.rows() - first);
    copy.resize(count);
    std::iota(ids.begin(), ids.end(), static_cast<int32_t>(first));
    gather_rows(matrix, ids.data(), count, copy.row(0));
    if (!copy.finite()) throw Error("the model is not finite; train with a smaller -rate");
    file.add(copy.row(0), static_cast<size_t>(copy.bytes()));
  }
}

void get_trained(const std::string& name, Matrix& matrix, CheckpointReader& file) {
  matrix.load(name, file);
  if (!matrix.finite()) refuse_infinite(file);
}

void get_trained(const std::string& name, std::vector<float>& numbers, CheckpointReader& file) {
  file.get(name, numbers);
  if (!std::all_of(numbers.begin(), numbers.end(), [](float x) { return std::isfinite(x); })) {
    refuse_infinite(file);
  }
}

void read_model_file(const std::string& path, const std::function<void(CheckpointReader&)>& read,
                     void (*refuse)(const std::string& path)) {
  if (!is_special_file(path) && !std::ifstream(path)) {
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
