#include "base/file_lock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.h"
#include "base/output_file.h"
#include "base/same_file.h"
#include "base/temporary_file.h"

namespace acevec {
namespace {

// False when the one that had the lock before has removed the file: others would lock a new one.
bool is_still_there(int descriptor, const std::string& path) {
  struct stat locked {};
  struct stat there {};
  return fstat(descriptor, &locked) == 0 && stat(path.c_str(), &there) == 0 &&
         locked.st_dev == there.st_dev && locked.st_ino == there.st_ino;
}

// False when there is something in it: what is no lock must not be removed.
bool is_empty(int descriptor) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0;
}

[[noreturn]] void refuse(int descriptor, const std::string& why) {
  close(descriptor);
  throw Error(why);
}

}  // namespace

FileLock::FileLock(const std::string& path) : lock_path_(without_links(path) + ".acevec-lock") {
  const SignalsWait wait;
  for (;;) {
    descriptor_ =
        open(lock_path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (descriptor_ < 0) {
      const int error_number = errno;
      throw Error(format("cannot write %s: %s; %s", path.c_str(),
                         system_message(error_number).c_str(), advice_on_writing(error_number)));
    }
    const LockState state = take_lock(descriptor_);
    if (state == LockState::kHeld) {
      refuse(descriptor_,
             format("another run is writing %s; wait until it ends, or give another name",
                    path.c_str()));
    }
    if (!is_empty(descriptor_)) {
      refuse(descriptor_, format("cannot lock %s: %s is a file of its own; move it away",
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

}  // namespace acevec
