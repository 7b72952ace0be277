// Files that exist only while a process works: temporary files and locks beside an output, and
// unnamed files. A killed process leaves those beside an output behind, and the next process that
// writes the same output removes them.
#pragma once

#include <cstdint>
#include <string>

namespace acevec {

// The result of asking for a file's lock.
enum class LockState {
  kTaken,        // ours until the descriptor is closed or the process ends, however it ends
  kHeld,         // by another descriptor, here or in another process
  kUnsupported,  // the file system has no locks
};

// Asks for the exclusive lock of an open file, without waiting.
LockState take_lock(int descriptor);

// Makes the file that becomes `target`, beside it, with its lock taken; a lock tells others that
// the process is alive. Returns the descriptor and sets `path`; −1, with errno, when it fails.
// Files that this made for `target` in processes that are gone are removed first.
int open_temporary(const std::string& target, std::string& path);

// Until forget_temporary(), the file is removed when the process ends (remove_temporaries_at_exit).
void remember_temporary(const std::string& path);
void forget_temporary(const std::string& path);

// Removes the files that are remembered when a signal ends the process (SIGINT, SIGTERM, SIGPIPE
// and their like) and when a library calls exit(). A file that grows beyond `ulimit -f` ends in an
// errno value of write(), EFBIG, and not in a signal. Called once, in main().
void remove_temporaries_at_exit();

// Keeps other processes, and other objects of this one, from taking the same file. The lock is that
// of an empty file FILE.acevec-lock, which the destructor removes. A killed process leaves the
// file, but its lock ends with the process. A file system without locks gives no protection.
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

// An unnamed file in $TMPDIR (or /var/tmp, or /tmp) for data that does not fit into memory. It
// vanishes with the object, and when the process ends. It is read with pread and not mapped: mapped
// pages would count as the process's memory. write() and read() are safe from several threads.
class ScratchFile {
 public:
  // `contents` says what is in it and `room` how much it takes, for messages. Throws Error when no
  // file can be made.
  ScratchFile(std::string contents, std::string room);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  // Throws Error, for example when the disk is full.
  void write(const void* data, int64_t bytes, int64_t offset);

  // Throws Error when so many bytes cannot be read there.
  void read(void* data, int64_t bytes, int64_t offset) const;

 private:
  std::string contents_;
  std::string room_;
  int descriptor_;
};

}  // namespace acevec
