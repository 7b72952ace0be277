// An encoder as one file: the container of base/checkpoint_file.h, whose checksum tells a damaged
// one, with these parts: "acevec metric" (the version), "shape", "hidden", "mean", "scale" and the
// layers' matrices.
#pragma once

#include <string>

#include "base/checkpoint_file.h"
#include "tasks/metric/encoder.h"

namespace acevec {

// commit() is the caller's. Throws Error when a number is not finite, and when the file cannot be
// written.
void write_encoder(const Encoder& encoder, CheckpointWriter& file);

// Throws Error when the file is something else, cut short or damaged.
Encoder read_encoder(const std::string& path);

}  // namespace acevec
