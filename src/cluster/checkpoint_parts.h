// Checkpoints of several processes: run.ck.0, run.ck.1 and so on, a file for each, and of each the
// one before it, run.ck.0.previous. All processes write their files, and when all have, the files
// get their names. So whenever a process is killed, of all processes either the last file or the
// one before it are of the same moment.
#pragma once

#include <cstdint>
#include <string>

#include "base/checkpoint_file.h"
#include "cluster/peers.h"

namespace acevec {

// What the first part of such a file tells.
struct CheckpointPart {
  int64_t rank = 0;
  int64_t count = 1;  // of processes
  int64_t round = 0;  // exchanges so far
};

void put_part(CheckpointWriter& file, const CheckpointPart& part);

// What is behind the name of a checkpoint in the name of this process's file; nothing when it is
// alone.
std::string part_suffix(const Peers& peers);

// Gives the file at `path`, if there is one, the name of the one before it.
void keep_previous(const std::string& path);

// This process's file of the last whole set of checkpoint `path`; `path` itself when it is alone.
// Throws Error in all processes when there is none, or it is of another number of processes.
std::string part_to_resume(const std::string& path, Peers& peers);

}  // namespace acevec
