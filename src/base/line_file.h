// A file that grows line by line and can be read while it grows, as a log is with `tail -f`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/file_lock.h"

namespace acevec {

// Unlike OutputFile it is written in place, each line at once: what a run has told is there,
// however the run ends. So that nothing is lost by a slip, a file that holds something is refused.
class LineFile {
 public:
  // "-" is standard output; pipes and devices are written to. Throws Error when the path cannot be
  // written, another run is writing it, or it is a file that is not empty, unless its first line is
  // `going_on`: then new lines come behind those that are there.
  explicit LineFile(const std::string& path, std::string_view going_on = {});
  ~LineFile();  // takes the file away again when no line was written and it was not there before
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  // Writes `line` and a line end. Throws Error, for example when the disk is full.
  void write(std::string_view line);

  // Takes away what stands in the file from the first line on for which `keep` is false, and an
  // unfinished line at its end. Standard output is left as it is. Throws Error.
  void cut(const std::function<bool(std::string_view line)>& keep);

  // No line is in the file, as far as can be known; what standard output held before does not
  // count.
  bool empty() const;

 private:
  [[noreturn]] void fail() const;

  std::string path_;
  std::optional<FileLock> lock_;
  bool made_ = false;  // by this object, and still empty
  int descriptor_ = -1;
};

}  // namespace acevec
