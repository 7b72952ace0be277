#include "base/scratch_file.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/error.h"
#include "base/output_file.h"

namespace acevec {

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
