// acevec-mpi: acevec in several processes that mpirun or srun has started.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "cluster/mpi_peers.h"
#include "program.h"

namespace {

// An error in all processes is reported by the first one: when it ends the job, the others are
// still waiting. One that failed only because another did leaves it to that one.
void complain_in_turn(int rank, const std::string& message) {
  constexpr std::chrono::milliseconds kTurn(3000), kLast(10000);
  acevec::MpiSession::fail();
  const bool last = acevec::MpiSession::failed_after_another();
  if (rank == 0 && !last) return acevec::print_error(message);
  std::this_thread::sleep_for((last ? kLast : kTurn) +
                              std::chrono::milliseconds(20 * std::min(rank, 100)));
  acevec::print_error("process " + std::to_string(rank) + ": " + message);
}

// Standard output is the first process's.
void give_up_output() {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
}

}  // namespace

int main(int argc, char** argv) {
  acevec::MpiSession session(&argc, &argv);
  const int rank = session.rank();
  if (rank > 0) give_up_output();
  const int code =
      acevec::run_program(std::vector<std::string>(argv + 1, argv + argc),
                          [&](const std::string& message) { complain_in_turn(rank, message); });
  if (code != 0) session.abort(code);
  return code;
}
