// The parts of a checkpoint that identify its run: the command line, and the data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/checkpoint_file.h"

namespace acevec {

// Writes a file's first part: the command's name, and the run's arguments as "-name=value".
void save_arguments(std::string_view command, const std::vector<std::string>& arguments,
                    CheckpointWriter& file);

// Reads the first part. Throws Error if another command has written the file.
std::vector<std::string> load_arguments(std::string_view command, CheckpointReader& file);

// Data that must be the same when a run is resumed.
struct Identity {
  std::string change;  // the message if it differs: "the text has changed"
  std::string detail;  // "140,000 tokens in 20,000 lines"; may be empty
  uint64_t hash;
};

// The hash of these bytes, continued from `hash` of the preceding ones.
uint64_t hash_of_bytes(const void* data, size_t bytes, uint64_t hash = 0);

// Write and check a file's second part. check_identities() throws Error if an identity differs.
void save_identities(const std::vector<Identity>& identities, CheckpointWriter& file);
void check_identities(const std::vector<Identity>& now, CheckpointReader& file);

}  // namespace acevec
