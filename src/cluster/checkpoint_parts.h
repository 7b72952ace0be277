// Checkpoints of several processes: a file for each, run.ck.0, run.ck.1 and so on, and its
// predecessor, run.ck.0.previous. Files are renamed only after all processes have written theirs,
// so whenever a process is killed, there is a complete set of files of one moment.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/checkpoint_file.h"
#include "cluster/peers.h"

namespace acevec {

// The first part of such a file.
struct CheckpointPart {
  int64_t rank = 0;
  int64_t count = 1;   // number of processes
  int64_t number = 0;  // number of the run's checkpoint, from 1
};

// The suffix that this process appends to the name of a checkpoint; empty if it is alone.
std::string part_suffix(const Peers& peers);

// Writes this process's file of the run's checkpoint `number` at `path`; `save` writes all parts
// but the first. Returns when all processes have done so; until all files are on disk, the previous
// ones keep their names. Throws Error in all processes, with the same message, if one of them
// cannot write.
void write_part(const std::string& path, int64_t number,
                const std::function<void(CheckpointWriter&)>& save, Peers& peers);

// This process's file of the last complete set of checkpoint `path`; `path` itself if it is alone.
// Throws Error in all processes if there is none, or it is for another number of processes.
std::string part_to_resume(const std::string& path, Peers& peers);

}  // namespace acevec
