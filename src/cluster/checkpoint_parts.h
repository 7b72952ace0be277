// Checkpoints of several processes: a file for each, run.ck.0, run.ck.1 and so on, and its
// predecessor, run.ck.0.previous. The files get their names when all processes have written theirs.
// So whenever a process is killed, there is a complete set of files of the same moment.
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
  int64_t count = 1;   // of processes
  int64_t number = 0;  // of the run's checkpoint, from 1
};

// The suffix of this process's file behind the name of a checkpoint; empty when it is alone.
std::string part_suffix(const Peers& peers);

// Writes this process's file of the run's checkpoint `number` at `path`; `save` puts all parts but
// the first there. Returns when all processes have done so; until all files are on the disk, those
// that were there before keep their names. Throws Error in all processes, with the same message,
// when one of them cannot write.
void write_part(const std::string& path, int64_t number,
                const std::function<void(CheckpointWriter&)>& save, Peers& peers);

// This process's file of the last whole set of checkpoint `path`; `path` itself when it is alone.
// Throws Error in all processes when there is none, or it is of another number of processes.
std::string part_to_resume(const std::string& path, Peers& peers);

}  // namespace acevec
