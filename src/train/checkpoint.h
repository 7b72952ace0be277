// The parts of a checkpoint that identify its run: the command line, and the data that was read.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/checkpoint_file.h"
#include "cli/options.h"

namespace acevec {

// The options of `command` that were given, as a command line would have them: "-name=value".
std::vector<std::string> given_arguments(const Command& command, const Options& options);

// The first part of a file: the name of the command, and the arguments of its run as a command line
// has them, "-name=value".
void save_arguments(std::string_view command, const std::vector<std::string>& arguments,
                    CheckpointWriter& file);

// Reads them. Throws Error when another command has written the file.
std::vector<std::string> load_arguments(std::string_view command, CheckpointReader& file);

// A run to begin or, with a checkpoint, to resume.
struct Start {
  Options options;
  std::optional<CheckpointReader> checkpoint;

  std::string resumed() const { return checkpoint ? checkpoint->path() : ""; }
};

// With -resume the options are those that the checkpoint holds, with those of `typed` in their
// place, which beside -resume may only be such as leave the run's numbers as they are: those every
// run has (run_options.h) and `may_change`. What was saved once is saved to the same file again,
// unless `typed` has another. Throws UsageError, and Error when the file cannot be resumed.
// `part`: this process's file of the checkpoint, where several processes have one each.
Start start_of(const Command& command, const Options& typed,
               std::span<const std::string_view> may_change, const std::string& part = "");

// Something that must be the same when a run is resumed.
struct Identity {
  std::string change;  // the message if it is not: "the text has changed"
  std::string detail;  // "140,000 tokens in 20,000 lines"; may be empty
  uint64_t hash;
};

// The second part. check_identities() throws Error when one is another.
void save_identities(const std::vector<Identity>& identities, CheckpointWriter& file);
void check_identities(const std::vector<Identity>& now, CheckpointReader& file);

}  // namespace acevec
