#include "base/temporary_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/output_file.h"
#include "base/same_file.h"

namespace acevec {
namespace {

// A temporary's name is the target's name, kMark, and random letters or digits for kChance.
constexpr std::string_view kMark = ".acevec-tmp-";
constexpr std::string_view kChance = "XXXXXX";

// A handler may only use lock-free atomics and call unlink(), so the paths are in fixed slots.
struct PendingFile {
  std::atomic<bool> used{false};
  std::array<char, PATH_MAX> path{};
};
std::array<PendingFile, 64> pending_files;
std::atomic<bool> has_terminal{false};                   // standard error is a terminal
std::array<char, PATH_MAX + 100> advice_after_signal{};  // never written again once it is there
std::atomic<bool> has_advice{false};

extern "C" void remove_pending_files() {
  for (PendingFile& file : pending_files) {
    if (file.used) unlink(file.path.data());
  }
}

extern "C" void end_by_signal(int signal_number) {
  const bool asked = signal_number == SIGINT || signal_number == SIGTERM;
  if (asked && std::ranges::any_of(pending_files,
                                   [](const PendingFile& file) { return file.used.load(); })) {
    for (const std::string_view said :
         {has_terminal ? "\n" : "",  // ends the progress line
          signal_number == SIGINT ? "acevec: stopped by SIGINT; unfinished outputs were discarded"
                                  : "acevec: stopped by SIGTERM; unfinished outputs were discarded",
          has_advice ? static_cast<const char*>(advice_after_signal.data()) : "", "\n"}) {
      (void)!write(STDERR_FILENO, said.data(), said.size());
    }
  }
  remove_pending_files();
  raise(signal_number);  // SA_RESETHAND: now with the default action
}

bool is_temporary_of(std::string_view name, std::string_view target) {
  if (name.size() != target.size() + kMark.size() + kChance.size()) return false;
  return name.starts_with(target) && name.substr(target.size()).starts_with(kMark);
}

// Removes the file unless a process holds its lock, or the file system has no locks.
void remove_if_stale(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return;
  if (take_lock(descriptor) == LockState::kTaken) unlink(path.c_str());
  close(descriptor);
}

void remove_stale_temporaries(const std::filesystem::path& target) {
  const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
  const std::string name = target.filename().string();
  std::error_code failed;
  std::filesystem::directory_iterator entry(folder, failed);
  for (; !failed && entry != std::filesystem::directory_iterator(); entry.increment(failed)) {
    const std::filesystem::path& path = entry->path();
    if (is_temporary_of(path.filename().string(), name)) remove_if_stale(path.string());
  }
}

// Blocks signals while it lives, so that none arrives between creating and remembering a file.
class SignalsWait {
 public:
  SignalsWait() {
    sigset_t all{};
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsWait() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }  // keeps errno
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;

 private:
  sigset_t before_{};
};

// Creates a file and remembers it.
int open_remembered(std::string& path) {
  const SignalsWait wait;
  const int descriptor = mkostemp(path.data(), O_CLOEXEC);
  if (descriptor >= 0) remember_temporary(path);
  return descriptor;
}

// Returns false when another process removed the new file as stale before its lock was taken.
bool take_new_file(int descriptor) {
  struct stat status {};
  return take_lock(descriptor) != LockState::kHeld && fstat(descriptor, &status) == 0 &&
         status.st_nlink > 0;
}

// Returns false when the previous lock holder removed the file: others would lock a new one.
bool is_still_there(int descriptor, const std::string& path) {
  struct stat locked {};
  struct stat there {};
  return fstat(descriptor, &locked) == 0 && stat(path.c_str(), &there) == 0 &&
         locked.st_dev == there.st_dev && locked.st_ino == there.st_ino;
}

// Returns false when the file has content: a file that is not a lock must not be removed.
bool is_empty(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0;
}

[[noreturn]] void refuse(int descriptor, const std::string& why) {
  close(descriptor);
  throw Error(why);
}

// Returns the descriptor. Throws Error. `purpose` names the file in messages.
int open_scratch_file(const std::string& purpose) {
  const char* chosen = getenv("TMPDIR");
  std::string tried;
  for (const char* folder : {chosen, "/var/tmp", "/tmp"}) {
    if (folder == nullptr || *folder == '\0') continue;
    std::string path = std::string(folder) + "/acevec-XXXXXX";
    const int descriptor = mkostemp(path.data(), O_CLOEXEC);
    if (descriptor >= 0) {
      unlink(path.c_str());
      return descriptor;
    }
    tried += (tried.empty() ? "" : ", ") + std::string(folder);
    if (folder == chosen) break;  // the user chose it: no silent fallback
  }
  throw Error(
      format("cannot make a temporary file for %s in %s: %s; set TMPDIR to a folder with "
             "free space",
             purpose.c_str(), tried.c_str(), system_message(errno).c_str()));
}

}  // namespace

LockState take_lock(int descriptor) {
  while (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    return errno == EWOULDBLOCK ? LockState::kHeld : LockState::kUnsupported;
  }
  return LockState::kTaken;
}

int open_temporary(const std::string& target, std::string& path) {
  remove_stale_temporaries(target);
  for (;;) {
    path = target + std::string(kMark) + std::string(kChance);
    const int descriptor = open_remembered(path);
    if (descriptor < 0 || take_new_file(descriptor)) return descriptor;
    unlink(path.c_str());
    forget_temporary(path);
    close(descriptor);
  }
}

void remember_temporary(const std::string& path) {
  for (PendingFile& file : pending_files) {
    if (file.used || path.size() >= file.path.size()) continue;
    std::memcpy(file.path.data(), path.c_str(), path.size() + 1);
    file.used = true;
    return;
  }
}

void forget_temporary(const std::string& path) {
  for (PendingFile& file : pending_files) {
    if (file.used && path == file.path.data()) file.used = false;
  }
}

void set_advice_after_signal(const std::string& advice) {
  if (has_advice || advice.size() >= advice_after_signal.size()) return;
  std::memcpy(advice_after_signal.data(), advice.c_str(), advice.size() + 1);
  has_advice = true;
}

void remove_temporaries_at_exit() {
  std::atexit(remove_pending_files);
  has_terminal = isatty(STDERR_FILENO) != 0;
  struct sigaction action {};
  action.sa_handler = end_by_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (int signal_number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGXCPU}) {
    struct sigaction before {};
    sigaction(signal_number, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal_number, &action, nullptr);
  }
  std::signal(SIGXFSZ, SIG_IGN);
}

FileLock::FileLock(const std::string& path) : lock_path_(without_links(path) + ".acevec-lock") {
  const SignalsWait wait;
  for (;;) {
    descriptor_ =
        open(lock_path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (descriptor_ < 0) refuse_writing(path);
    const LockState state = take_lock(descriptor_);
    if (state == LockState::kHeld) {
      refuse(descriptor_,
             format("another run is writing %s; wait until it ends, or give another name",
                    path.c_str()));
    }
    if (!is_empty(descriptor_)) {
      refuse(descriptor_, format("cannot lock %s: %s is not a lock file; move it away",
                                 path.c_str(), lock_path_.c_str()));
    }
    if (state == LockState::kUnsupported || is_still_there(descriptor_, lock_path_)) break;
    close(descriptor_);
  }
  remember_temporary(lock_path_);
}

FileLock::~FileLock() {
  unlink(lock_path_.c_str());
  forget_temporary(lock_path_);
  close(descriptor_);
}

ScratchFile::ScratchFile(std::string contents, std::string room)
    : contents_(std::move(contents)),
      room_(std::move(room)),
      descriptor_(open_scratch_file(contents_)) {}

ScratchFile::~ScratchFile() {
  close(descriptor_);
}

void ScratchFile::write(const void* data, int64_t bytes, int64_t offset) {
  for (int64_t done = 0; done < bytes;) {
    const ssize_t written = pwrite(descriptor_, static_cast<const char*>(data) + done,
                                   static_cast<size_t>(bytes - done), offset + done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      throw Error(format(
          "cannot write the temporary file for %s: %s; set TMPDIR to a folder with free space (%s)",
          contents_.c_str(), system_message(errno).c_str(), room_.c_str()));
    }
    done += written;
  }
}

void ScratchFile::read(void* data, int64_t bytes, int64_t offset) const {
  for (int64_t done = 0; done < bytes;) {
    const ssize_t got = pread(descriptor_, static_cast<char*>(data) + done,
                              static_cast<size_t>(bytes - done), offset + done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      throw Error(
          format("cannot read the temporary file with %s back: %s; check the disk, or set TMPDIR",
                 contents_.c_str(), got == 0 ? "it is truncated" : system_message(errno).c_str()));
    }
    done += got;
  }
}

}  // namespace acevec
