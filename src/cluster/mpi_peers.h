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

  // Tells the others that this process has failed. Where they wait for it they then throw Error, so
  // that they remove their temporary files before abort() ends them.
  static void fail();

  // Whether this process failed only because another one told that.
  static bool failed_after_another();

  // Ends all processes, with that exit code, once all have failed or a few seconds have passed.
  [[noreturn]] static void abort(int code);
};

}  // namespace acevec
