#include "tasks/metric/model_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/error.h"
#include "train/model_container.h"

namespace acevec {
namespace {

constexpr int64_t kVersion = 1;
constexpr int64_t kWidest = 1 << 20;  // units of a layer
constexpr size_t kMostHidden = 64;    // layers

// In models of 0.2.0 the last two could be 0.
struct Shape {
  int64_t inputs, size;
  int64_t rectified = 1, unit = 1;
};

std::string name_of_layer(size_t i) {
  return "layer " + std::to_string(i);
}

[[noreturn]] void refuse(const std::string& path) {
  throw Error(format("%s is not a model of acevec metric, or is damaged; give a file that it wrote",
                     path.c_str()));
}

bool is_width(int64_t units) {
  return units >= 1 && units <= kWidest;
}

Encoder read(CheckpointReader& file) {
  if (file.get<int64_t>("acevec metric") != kVersion) refuse(file.path());
  const auto shape = file.get<Shape>("shape");
  EncoderShape wanted{shape.inputs, {}, shape.size};
  file.get("hidden", wanted.hidden);
  const bool possible = is_width(shape.inputs) && is_width(shape.size) && shape.rectified == 1 &&
                        shape.unit == 1 && wanted.hidden.size() <= kMostHidden &&
                        std::all_of(wanted.hidden.begin(), wanted.hidden.end(), is_width);
  // Before memory is asked for: what is written has no padding.
  if (!possible) refuse(file.path());
  int64_t numbers = shape.inputs;
  const std::vector<int64_t> widths = wanted.layers();
  for (size_t i = 0; i + 1 < widths.size(); ++i) numbers += (widths[i] + 1) * widths[i + 1];
  const auto bytes = static_cast<int64_t>(std::filesystem::file_size(file.path()));
  if (numbers > bytes / static_cast<int64_t>(sizeof(float))) refuse(file.path());
  Encoder encoder(wanted);
  get_trained("mean", encoder.mean, file);
  file.get("scale", encoder.scale);
  if (std::ssize(encoder.mean) != shape.inputs || !std::isfinite(encoder.scale)) {
    refuse(file.path());
  }
  for (size_t i = 0; i < encoder.layers.size(); ++i) {
    get_trained(name_of_layer(i), encoder.layers[i], file);
  }
  return encoder;
}

}  // namespace

void write_encoder(const Encoder& encoder, CheckpointWriter& file) {
  const EncoderShape& shape = encoder.shape;
  file.put("acevec metric", kVersion);
  file.put("shape", Shape{shape.inputs, shape.size});
  file.put("hidden", shape.hidden);
  file.put("mean", encoder.mean);
  file.put("scale", encoder.scale);
  for (size_t i = 0; i < encoder.layers.size(); ++i) {
    put_trained(name_of_layer(i), encoder.layers[i], file);
  }
}

Encoder read_encoder(const std::string& path) {
  std::optional<Encoder> encoder;
  read_model_file(
      path, [&](CheckpointReader& file) { encoder.emplace(read(file)); }, refuse);
  return std::move(*encoder);
}

}  // namespace acevec
