#include "tasks/metric/model_file.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "train/model_container.h"

namespace acevec {
namespace {

constexpr ModelKind kKind{"acevec metric", 1};
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

bool is_width(int64_t units) {
  return units >= 1 && units <= kWidest;
}

Encoder read(CheckpointReader& file) {
  const auto shape = file.get<Shape>("shape");
  EncoderShape wanted{shape.inputs, {}, shape.size};
  file.get("hidden", wanted.hidden);
  require_possible(is_width(shape.inputs) && is_width(shape.size));
  require_possible(shape.rectified == 1 && shape.unit == 1);
  require_possible(wanted.hidden.size() <= kMostHidden &&
                   std::all_of(wanted.hidden.begin(), wanted.hidden.end(), is_width));
  int64_t numbers = shape.inputs;  // what is written has more, the padding
  const std::vector<int64_t> widths = wanted.layers();
  for (size_t i = 0; i + 1 < widths.size(); ++i) numbers += (widths[i] + 1) * widths[i + 1];
  require_room(numbers, file);
  Encoder encoder(wanted);
  get_trained("mean", encoder.mean, file);
  file.get("scale", encoder.scale);
  require_possible(std::ssize(encoder.mean) == shape.inputs && std::isfinite(encoder.scale));
  for (size_t i = 0; i < encoder.layers.size(); ++i) {
    get_trained(name_of_layer(i), encoder.layers[i], file);
  }
  return encoder;
}

}  // namespace

void write_encoder(const Encoder& encoder, CheckpointWriter& file) {
  const EncoderShape& shape = encoder.shape;
  put_kind(kKind, file);
  file.put("shape", Shape{shape.inputs, shape.size});
  file.put("hidden", shape.hidden);
  file.put("mean", encoder.mean);
  file.put("scale", encoder.scale);
  for (size_t i = 0; i < encoder.layers.size(); ++i) {
    put_trained(name_of_layer(i), encoder.layers[i], file);
  }
}

Encoder read_encoder(const std::string& path) {
  return read_model(path, kKind, read);
}

}  // namespace acevec
