// acevec-mpi: acevec in several processes that mpirun or srun has started.

#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include "cluster/peers.h"
#include "program.h"

namespace {

// From then on peers() are the processes of the job. Threads take turns: the one that exchanges,
// and between exchanges the one that calls.
void begin_mpi(int* argc, char*** argv) {
  int provided = 0;
  MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &provided);
  if (provided < MPI_THREAD_SERIALIZED) {
    std::fputs("acevec: this MPI has no support for threads; use Open MPI\n", stderr);
    acevec::abort_job(1);
  }
  acevec::join_peers(acevec::mpi_peers());
}

// An error in all processes is reported by the first one: when it ends the job, the others are
// still waiting.
void complain_in_turn(int rank, const std::string& message) {
  if (rank > 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(3000 + 20 * std::min(rank, 100)));
  }
  acevec::print_error(rank > 0 ? "process " + std::to_string(rank) + ": " + message : message);
}

// Standard output is the first process's.
void give_up_output() {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
}

}  // namespace

int main(int argc, char** argv) {
  begin_mpi(&argc, &argv);
  const int rank = acevec::peers().rank();
  if (rank > 0) give_up_output();
  const int code =
      acevec::run_program(std::vector<std::string>(argv + 1, argv + argc),
                          [&](const std::string& message) { complain_in_turn(rank, message); });
  if (code != 0) acevec::abort_job(code);
  MPI_Finalize();  // waits for the others
  return code;
}
