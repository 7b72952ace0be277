#include "base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace acevec {
namespace {

constexpr size_t kBufferBytes = 1 << 20;

// Temporary files to remove when a signal ends the process. A handler may only touch lock-free
// atomics and call unlink(), so the paths stand in fixed slots.
struct PendingFile {
  std::atomic<bool> used{false};
  std::array<char, PATH_MAX> path{};
};
std::array<PendingFile, 16> pending_files;

void remember(const std::string& path) {
  for (PendingFile& file : pending_files) {
    if (file.used || path.size() >= file.path.size()) continue;
    std::memcpy(file.path.data(), path.c_str(), path.size() + 1);
    file.used = true;
    return;
  }
}

void forget(const std::string& path) {
  for (PendingFile& file : pending_files) {
    if (file.used && path == file.path.data()) file.used = false;
  }
}

extern "C" void remove_pending_files() {
  for (PendingFile& file : pending_files) {
    if (file.used) unlink(file.path.data());
  }
}

extern "C" void end_by_signal(int signal_number) {
  remove_pending_files();
  raise(signal_number);  // SA_RESETHAND: now with the default action
}

// Makes a temporary file and remembers it, without a signal in between; `path` ends in XXXXXX,
// which becomes its name. Returns the descriptor, -1 when it fails.
int open_temporary(std::string& path) {
  sigset_t all{};
  sigset_t before{};
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int descriptor = mkostemp(path.data(), O_CLOEXEC);
  const int error_number = errno;
  if (descriptor >= 0) remember(path);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error_number;
  return descriptor;
}

mode_t default_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

// The file that `path` stands for once symbolic links are followed, so that a rename replaces (or
// makes) what a link points to and not the link.
std::string follow_links(const std::string& path) {
  constexpr int kMaxLinks = 40;  // as many as the system follows; links may form a ring
  std::filesystem::path target = path;
  std::error_code ignored;
  for (int i = 0; i < kMaxLinks && std::filesystem::is_symlink(target, ignored); ++i) {
    target = target.parent_path() / std::filesystem::read_symlink(target, ignored);
  }
  return target.string();
}

}  // namespace

OutputFile::OutputFile(const std::string& path)
    : name_(path == "-" ? "standard output" : path), target_(path) {
  buffer_.reserve(kBufferBytes);
  if (path == "-") {
    descriptor_ = dup(STDOUT_FILENO);
    if (descriptor_ < 0) fail("cannot write");
    return;
  }
  struct stat status {};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    throw Error(format("cannot write %s: it is a directory; give a file's name", path.c_str()));
  }
  if (exists && access(path.c_str(), W_OK) != 0) fail("cannot write");
  if (exists && !S_ISREG(status.st_mode)) {
    descriptor_ = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail("cannot write");
    return;
  }
  target_ = follow_links(path);
  temporary_ = target_ + ".acevec-XXXXXX";
  descriptor_ = open_temporary(temporary_);
  if (descriptor_ < 0) {
    temporary_.clear();
    fail("cannot write");
  }
  // A file system without modes may refuse; the vectors matter more than their mode.
  (void)!fchmod(descriptor_, exists ? status.st_mode & 07777 : default_mode());
}

OutputFile::~OutputFile() {
  discard();
}

void OutputFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kBufferBytes) flush();
  buffer_.append(bytes);
}

void OutputFile::finish() {
  flush();
  if (!temporary_.empty() && fsync(descriptor_) != 0) fail("cannot write");
}

void OutputFile::commit() {
  finish();
  const int descriptor = std::exchange(descriptor_, -1);
  if (close(descriptor) != 0) fail("cannot write");
  if (temporary_.empty()) return;
  if (rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot replace");
  forget(temporary_);
  temporary_.clear();
}

void OutputFile::flush() {
  size_t done = 0;
  while (done < buffer_.size()) {
    const ssize_t written = ::write(descriptor_, buffer_.data() + done, buffer_.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot write");
    done += static_cast<size_t>(written);
  }
  buffer_.clear();
}

void OutputFile::discard() {
  if (descriptor_ >= 0) close(descriptor_);
  if (temporary_.empty()) return;
  unlink(temporary_.c_str());
  forget(temporary_);
}

void OutputFile::fail(const char* what) const {
  const int error_number = errno;
  const char* advice = error_number == ENOSPC || error_number == EDQUOT
                           ? "free some space or write elsewhere"
                           : "check the path and its permissions";
  throw Error(
      format("%s %s: %s; %s", what, name_.c_str(), system_message(error_number).c_str(), advice));
}

void commit_together(std::initializer_list<OutputFile*> files) {
  for (OutputFile* file : files) {
    if (file != nullptr) file->finish();
  }
  for (OutputFile* file : files) {
    if (file != nullptr) file->commit();
  }
}

void remove_temporaries_at_exit() {
  std::atexit(remove_pending_files);
  struct sigaction action {};
  action.sa_handler = end_by_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (int signal_number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT, SIGXCPU, SIGXFSZ}) {
    struct sigaction before {};
    sigaction(signal_number, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal_number, &action, nullptr);
  }
}

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
    if (folder == chosen) break;  // the user's word: no silent second choice
  }
  throw Error(
      format("cannot make a temporary file for %s in %s: %s; set TMPDIR to a folder with "
             "room",
             purpose.c_str(), tried.c_str(), system_message(errno).c_str()));
}

void refuse_gzip_output(const std::string& path) {
  if (!path.ends_with(".gz")) return;
  throw UsageError(
      format("acevec writes no gzip files (%s); write to - and pipe into gzip", path.c_str()));
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code failed;
  if (std::filesystem::equivalent(a, b, failed)) return true;
  const auto place = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(follow_links(path)), failed);
  };
  const auto place_a = place(a);
  if (failed) return false;  // it cannot be opened either, and that will be said
  return place_a == place(b) && !failed;
}

}  // namespace acevec
