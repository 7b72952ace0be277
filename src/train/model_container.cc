#include "train/model_container.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <numeric>
#include <sstream>

#include "base/error.h"
#include "base/same_file.h"
#include "kernels/hogwild.h"

namespace acevec {
namespace {

// The largest number in a model: training never exceeds it; sums of products of three are finite.
constexpr float kLargest = 1e9F;

bool all_usual(const float* numbers, int64_t count) {
  return std::all_of(numbers, numbers + count, [](float x) { return std::abs(x) <= kLargest; });
}

}  // namespace

void put_trained(const std::string& name, const Matrix& matrix, CheckpointWriter& file) {
  constexpr int64_t kRows = 256;  // rows copied at a time
  Matrix copy(0, matrix.columns());
  std::vector<int32_t> ids(kRows);
  file.begin_part(name, static_cast<uint64_t>(matrix.bytes()));
  for (int64_t first = 0; first < matrix.rows(); first += kRows) {
    const int64_t count = std::min(kRows, matrix.rows() - first);
    copy.resize(count);
    std::iota(ids.begin(), ids.end(), static_cast<int32_t>(first));
    gather_rows(matrix, ids.data(), count, copy.row(0));
    if (!all_usual(copy.row(0), copy.rows() * copy.stride()))
      throw Error("the model is not finite; train with a smaller -rate");
    file.add(copy.row(0), static_cast<size_t>(copy.bytes()));
  }
}

void get_trained(const std::string& name, Matrix& matrix, CheckpointReader& file) {
  matrix.load(name, file);
  require_possible(all_usual(matrix.row(0), matrix.rows() * matrix.stride()));
}

void get_trained(const std::string& name, std::vector<float>& numbers, CheckpointReader& file) {
  file.get(name, numbers);
  require_possible(all_finite(numbers.data(), std::ssize(numbers)));
}

void put_lines(const std::string& name, const std::vector<std::string>& lines,
               CheckpointWriter& file) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  file.put(name, text);
}

std::vector<std::string> get_lines(const std::string& name, CheckpointReader& file) {
  std::string text;
  file.get(name, text);
  require_possible(text.empty() || text.back() == '\n');
  std::vector<std::string> lines;
  std::istringstream stream(std::move(text));
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

void require_possible(bool possible) {
  if (!possible) throw Error("what it says of itself is not possible");  // see read_model_file()
}

void require_room(int64_t floats, const CheckpointReader& file) {
  require_possible(floats <= file.bytes() / kFloatSize);
}

void read_model_file(const std::string& path, const ModelKind& kind,
                     const std::function<void(CheckpointReader&)>& read) {
  if (!is_special_file(path) && !std::ifstream(path)) {
    throw Error(format("cannot read %s: %s; check the path and its permissions", path.c_str(),
                       system_message(errno).c_str()));
  }
  int64_t version = kind.version;
  std::string found = kind.command;
  try {
    CheckpointReader file(path);
    found = file.next_name();
    version = file.get<int64_t>(kind.command);
    if (version == kind.version) return read(file);
  } catch (const Error&) {
    if (found != kind.command && found.starts_with("acevec ")) {
      throw Error(
          format("%s is a model of %s; give one of %s", path.c_str(), found.c_str(), kind.command));
    }
    throw Error(format("%s is not a model of %s, or is damaged; give a file that it wrote",
                       path.c_str(), kind.command));
  }
  throw Error(format("%s is a model of another version of %s; train it again, or use that version",
                     path.c_str(), kind.command));
}

}  // namespace acevec
