// Files that exist only while a process runs: temporary files and locks beside an output, and
// unnamed files. A killed process leaves those beside an output behind, and the next process that
// writes the same output removes them.
#pragma once

#include <cstdint>
#include <string>

namespace acevec {

// The result of take_lock().
enum class LockState {
  kTaken,        // until the descriptor is closed or the process ends, however it ends
  kHeld,         // by another descriptor, in this or another process
  kUnsupported,  // the file system has no locks
};

// Tries to take the exclusive lock of an open file, without waiting.
LockState take_lock(int descriptor);

// Creates the file that will replace `target`, beside it, and takes its lock, which tells other
// processes that this one is alive. Returns the descriptor and sets `path`; returns −1 and sets
// errno on failure. First removes the temporaries of `target` that dead processes left.
int open_temporary(const std::string& target, std::string& path);

// Until forget_temporary(), the file is removed when the process ends (remove_temporaries_at_exit).
void remember_temporary(const std::string& path);
void forget_temporary(const std::string& path);

// Installs handlers that remove the remembered files when a signal ends the process (SIGINT,
// SIGTERM, SIGPIPE and the like) and when a library calls exit(). Makes a write() beyond `ulimit
// -f` fail with EFBIG instead of raising a signal. Called once, in main().
void remove_temporaries_at_exit();

// Sets what the message of these handlers says after SIGINT or SIGTERM beyond what was discarded:
// "; resume with acevec -resume run.ck". Only the first call counts; too long a text is not said.
void set_advice_after_signal(const std::string& advice);

// Excludes other processes, and other objects of this one, from the same file. It locks an empty
// file FILE.acevec-lock, which the destructor removes. A killed process leaves the file, but its
// lock ends with the process. A file system without locks gives no protection.
class FileLock {
 public:
  // `path` need not exist. Throws Error when another object holds the lock, and when the lock file
  // cannot be created.
  explicit FileLock(const std::string& path);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  std::string lock_path_;
  int descriptor_ = -1;
};

// An unnamed file in $TMPDIR (or /var/tmp, or /tmp) for data that does not fit into memory. It is
// deleted with the object, and when the process ends. It is read with pread and not mapped: mapped
// pages would count as the process's memory. write() and read() are safe from several threads.
class ScratchFile {
 public:
  // `contents` and `room` describe the contents and the size in messages. Throws Error when no file
  // can be created.
  ScratchFile(std::string contents, std::string room);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  // Throws Error, for example when the disk is full.
  void write(const void* data, int64_t bytes, int64_t offset);

  // Throws Error when `bytes` bytes cannot be read at `offset`.
  void read(void* data, int64_t bytes, int64_t offset) const;

 private:
  std::string contents_;
  std::string room_;
  int descriptor_;
};

}  // namespace acevec
