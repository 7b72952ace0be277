// Peers that use MPI. Only this code and mpi_main.cc use MPI; they are not part of the plain
// program.
#pragma once

namespace acevec {

// MPI from beginning to end. While it lives, peers() are the processes of the job.
class MpiSession {
 public:
  // Ends the process when MPI cannot be had.
  MpiSession(int* argc, char*** argv);
  ~MpiSession();  // waits for the others
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  int rank() const;

  // Ends all processes, with that exit code.
  [[noreturn]] static void abort(int code);
};

}  // namespace acevec
