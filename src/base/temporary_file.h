// Files beside an output that exist only while a process works on it. A killed process leaves them
// behind, and the next process that writes the same output removes them.
#pragma once

#include <csignal>
#include <string>

namespace acevec {

// What asking for the lock of a file has come to.
enum class LockState {
  kTaken,        // it is ours until the descriptor is closed or the process ends, however it ends
  kHeld,         // by another descriptor, here or in another process
  kUnsupported,  // the file system has no locks
};

// Asks for the exclusive lock of an open file, without waiting.
LockState take_lock(int descriptor);

// Makes the file that becomes `target`, beside it, with its lock taken; a lock tells others that
// the process is alive. Returns the descriptor and sets `path`; −1, with errno, when it fails.
// Files that this made for `target` in processes that are gone are removed first.
int open_temporary(const std::string& target, std::string& path);

// While it lives, signals wait: a file is made and remembered without one in between.
class SignalsWait {
 public:
  SignalsWait();
  ~SignalsWait();
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;

 private:
  sigset_t before_{};
};

// Until forget_temporary(), the file is removed when the process ends (remove_temporaries_at_exit).
void remember_temporary(const std::string& path);
void forget_temporary(const std::string& path);

// Removes the files that are remembered when a signal ends the process (SIGINT, SIGTERM, SIGPIPE
// and their like) and when a library calls exit(). A file that grows beyond `ulimit -f` ends in an
// errno value of write(), EFBIG, and not in a signal. Called once, in main().
void remove_temporaries_at_exit();

}  // namespace acevec
