// A sentence model as one file: the container of base/checkpoint_file.h, whose checksum tells a
// damaged one, with these parts: "acevec sentence" (the version), "shape", "words", "counts",
// "centre" and the networks' matrices; and where the model has them "labels" and "classifier".
#pragma once

#include <cstdint>
#include <string>

#include "base/checkpoint_file.h"
#include "tasks/sentence/model.h"

namespace acevec {

// commit() is the caller's. Throws Error when a number is not finite, and when the file cannot be
// written.
void write_sentence_model(const SentenceModel& model, CheckpointWriter& file);

// Throws Error when the file is something else, cut short or damaged.
SentenceModel read_sentence_model(const std::string& path);

// What tells the model in a file that can be read from others: the checksum at its end.
uint64_t model_fingerprint(const std::string& path);

}  // namespace acevec
