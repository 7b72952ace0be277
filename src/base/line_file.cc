#include "base/line_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <utility>

#include "base/error.h"
#include "base/output_file.h"
#include "base/same_file.h"
#include "base/temporary_file.h"

namespace acevec {
namespace {

std::string first_line(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  std::getline(file, line);
  return line;
}

}  // namespace

LineFile::LineFile(const std::string& path, std::string_view going_on) : path_(path) {
  if (path == "-") {
    descriptor_ = dup(STDOUT_FILENO);
    if (descriptor_ < 0) fail();
    return;
  }
  if (!is_special_file(path)) lock_.emplace(path);
  constexpr mode_t kMode = 0666;
  descriptor_ = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
  made_ = descriptor_ >= 0;
  if (made_) remember_temporary(path_);
  if (!made_) descriptor_ = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, kMode);
  if (descriptor_ < 0) fail();
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
  if (!write_all(descriptor_, std::string(line) + '\n')) fail();
}

bool LineFile::empty() const {
  // A file that standard output goes to may hold what others wrote (>>): that is not to be cut, and
  // what this run writes needs its header all the same.
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
  if (ftruncate(descriptor_, kept) != 0) fail();
}

void LineFile::fail() const {
  const int error_number = errno;
  throw Error(format("cannot write %s: %s; %s", path_ == "-" ? "standard output" : path_.c_str(),
                     system_message(error_number).c_str(), advice_on_writing(error_number)));
}

}  // namespace acevec
