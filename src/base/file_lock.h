// A file that only one process may work on.
#pragma once

#include <string>

namespace acevec {

// Keeps other processes, and other objects of this one, from taking the same file. The lock is that
// of an empty file FILE.acevec-lock, which the destructor removes; where a process was killed it
// stays, but the lock ends with the process. On a file system without locks nothing is kept from
// anybody.
class FileLock {
 public:
  // `path` need not exist. Throws Error when another has it, and when the lock cannot be made.
  explicit FileLock(const std::string& path);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  std::string lock_path_;
  int descriptor_ = -1;
};

}  // namespace acevec
