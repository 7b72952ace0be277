#include "base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <utility>

#include "base/error.h"
#include "base/same_file.h"

namespace acevec {
namespace {

// Endings of packed files, and the programs that write them.
constexpr std::array<std::pair<std::string_view, const char*>, 4> kPackingEndings{
    {{".gz", "gzip"}, {".bz2", "bzip2"}, {".xz", "xz"}, {".zst", "zstd"}}};

constexpr size_t kBufferBytes = 1 << 20;

mode_t default_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

// Syncs a file's new name to disk, which the file's own fsync() does not do. Returns false and sets
// errno when the disk fails. A folder that cannot be opened, or a file system that does not sync
// folders, is no failure: the file is complete all the same.
bool sync_folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const int descriptor =
      open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return true;
  const bool failed = fsync(descriptor) != 0;
  const int error_number = errno;
  close(descriptor);
  errno = error_number;
  return !failed || (error_number != EIO && error_number != ENOSPC && error_number != EDQUOT);
}

std::string first_line(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  std::getline(file, line);
  return line;
}

// Writes all of `bytes`. Returns false, with errno set, on failure.
bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

// Returns a descriptor of standard output. Throws Error if it is closed.
int open_output() {
  require_output();
  const int descriptor = dup(STDOUT_FILENO);
  if (descriptor < 0) refuse_writing("-");
  return descriptor;
}

// The advice for a write to `path` that failed with this errno value.
const char* advice_on_writing(const std::string& path, int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return "free some space or write elsewhere";
    case EFBIG:
      return "raise ulimit -f, or write to another file system";
    default:
      return path == "-" ? "check its destination" : "check the path and its permissions";
  }
}

}  // namespace

OutputFile::OutputFile(const std::string& path, bool locked) : path_(path), target_(path) {
  buffer_.reserve(kBufferBytes);
  if (path == "-") {
    descriptor_ = open_output();
    return;
  }
  struct stat status {};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (!exists && errno == ELOOP) refuse_writing(path_);
  if (exists && S_ISDIR(status.st_mode)) {
    throw Error(format("cannot write %s: it is a directory; give a file's name", path.c_str()));
  }
  if (exists && access(path.c_str(), W_OK) != 0) refuse_writing(path_);
  if (exists && !S_ISREG(status.st_mode)) {
    descriptor_ = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) refuse_writing(path_);
    return;
  }
  // A file that the shell has opened, as by >>: a new file in its place would lose what it has.
  if (const int open_file = exists ? descriptor_named(path) : -1; open_file >= 0) {
    descriptor_ = dup(open_file);
    if (descriptor_ < 0) refuse_writing(path_);
    return;
  }
  target_ = without_links(path);
  if (!locked) lock_.emplace(path);
  descriptor_ = open_temporary(target_, temporary_);
  if (descriptor_ < 0) {
    temporary_.clear();
    refuse_writing(path_);
  }
  // A file system without modes may refuse; the content matters more than its mode.
  (void)!fchmod(descriptor_, exists ? status.st_mode & 07777 : default_mode());
}

OutputFile::~OutputFile() {
  if (!temporary_.empty()) {
    unlink(temporary_.c_str());
    forget_temporary(temporary_);
  }
  if (descriptor_ >= 0) close(descriptor_);
}

void OutputFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kBufferBytes) flush();
  if (bytes.size() < kBufferBytes / 8) {
    buffer_.append(bytes);
  } else {
    flush();
    put(bytes);
  }
}

void OutputFile::rewrite_start(std::string_view bytes) {
  flush();
  if (lseek(descriptor_, 0, SEEK_SET) != 0) refuse_writing(path_);
  put(bytes);
  if (lseek(descriptor_, 0, SEEK_END) < 0) refuse_writing(path_);
}

void OutputFile::finish() {
  flush();
  if (!temporary_.empty() && fsync(descriptor_) != 0) refuse_writing(path_);
}

void OutputFile::commit() {
  finish();
  // Rename before closing: the lock keeps other processes from removing the file as stale.
  if (!temporary_.empty()) {
    if (rename(temporary_.c_str(), target_.c_str()) != 0) refuse_writing(path_, "cannot replace");
    forget_temporary(temporary_);
    temporary_.clear();
    lock_.reset();
    if (!sync_folder_of(target_)) refuse_writing(path_, "cannot sync the folder of");
  }
  if (close(std::exchange(descriptor_, -1)) != 0) refuse_writing(path_);
}

void OutputFile::flush() {
  put(buffer_);
  buffer_.clear();
}

void OutputFile::put(std::string_view bytes) {
  if (!write_all(descriptor_, bytes)) refuse_writing(path_);
}

void refuse_writing(const std::string& path, const char* what) {
  const int error_number = errno;
  throw Error(format("%s %s: %s; %s", what, path == "-" ? "standard output" : path.c_str(),
                     system_message(error_number).c_str(), advice_on_writing(path, error_number)));
}

void require_output() {
  const int flags = fcntl(STDOUT_FILENO, F_GETFL);
  if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY) return;
  errno = EBADF;
  refuse_writing("-");
}

void flush_output() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) refuse_writing("-");
}

std::string_view without_packing(std::string_view path) {
  for (const auto& [ending, program] : kPackingEndings) {
    if (path.ends_with(ending)) return path.substr(0, path.size() - ending.size());
  }
  return path;
}

void refuse_packed_output(const std::string& path) {
  for (const auto& [ending, program] : kPackingEndings) {
    if (!path.ends_with(ending)) continue;
    throw UsageError(format("cannot write %s files (%s); write to - and pipe into %s", program,
                            path.c_str(), program));
  }
}

LineFile::LineFile(const std::string& path, std::string_view going_on) : path_(path) {
  if (path == "-") {
    descriptor_ = open_output();
    return;
  }
  if (!is_special_file(path)) lock_.emplace(path);
  constexpr mode_t kMode = 0666;
  descriptor_ = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
  made_ = descriptor_ >= 0;
  if (made_) remember_temporary(path_);
  if (!made_) descriptor_ = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, kMode);
  if (descriptor_ < 0) refuse_writing(path_);
  if (!empty() && (going_on.empty() || first_line(path) != going_on)) {
    close(descriptor_);
    throw Error(format("%s already exists and would be lost; remove it or give another name",
                       path.c_str()));
  }
}

LineFile::~LineFile() {
  close(descriptor_);
  if (!made_) return;
  unlink(path_.c_str());
  forget_temporary(path_);
}

void LineFile::write(std::string_view line) {
  if (std::exchange(made_, false)) forget_temporary(path_);
  if (!write_all(descriptor_, std::string(line) + '\n')) refuse_writing(path_);
}

bool LineFile::empty() const {
  // Standard output may be a file with lines of others (>>): they must not be cut, and the lines of
  // this run need their header all the same.
  struct stat status {};
  return path_ == "-" || fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode) ||
         status.st_size == 0;
}

void LineFile::cut(const std::function<bool(std::string_view)>& keep) {
  if (empty()) return;
  std::ifstream file(path_, std::ios::binary);
  off_t kept = 0;
  for (std::string line; std::getline(file, line) && !file.eof() && keep(line);) {
    kept += static_cast<off_t>(line.size()) + 1;
  }
  if (ftruncate(descriptor_, kept) != 0) refuse_writing(path_);
}

}  // namespace acevec
