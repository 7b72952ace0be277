// Peers that use MPI. Only this code and mpi_main.cc use MPI; they are not part of the plain
// program.
#pragma once

#include <memory>

#include "cluster/peers.h"

namespace acevec {

// The processes of the job. MPI must have begun, for threads that take turns.
std::unique_ptr<Peers> mpi_peers();

// Ends all processes, with that exit code. From any thread.
[[noreturn]] void abort_job(int code);

}  // namespace acevec
