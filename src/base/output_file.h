// Output files: replaced atomically, or growing line by line.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/temporary_file.h"

namespace acevec {

// A file to be written. Opening it proves that it can be written, so open it before long work.
// The bytes go to a temporary file beside the target, which takes the target's place in
// commit(); until then, and for ever if commit() is never reached, the target stays as it was.
// "-" is standard output; pipes and devices are written as the bytes come.
//
// Until the file takes its place no other run can write the same: of two runs with one output that
// has several files, each would leave some.
class OutputFile {
 public:
  // Throws Error when the path cannot be written, and when another run is writing it. `locked`: the
  // caller has its FileLock.
  explicit OutputFile(const std::string& path, bool locked = false);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Throws Error, for example when the disk is full.
  void write(std::string_view bytes);

  // Whether rewrite_start() is possible: not on standard output, pipes and devices.
  bool can_rewrite() const { return !temporary_.empty(); }

  // Replaces the first bytes of what was written, at least as many. Throws Error.
  void rewrite_start(std::string_view bytes);

  // Brings all that was written to the disk, after which commit() has only the name to write: of
  // several files that belong together, finish() all before the first commit(). Throws Error.
  void finish();

  // Finishes, renames, and brings the new name to the disk. Throws Error; the target is then
  // untouched, or, when its folder cannot be synced, what was written.
  void commit();

 private:
  void flush();
  void put(std::string_view bytes);

  std::string path_;       // as the user wrote it, for messages
  std::string target_;     // after following symbolic links
  std::string temporary_;  // empty when bytes go straight to the target
  std::optional<FileLock> lock_;
  int descriptor_ = -1;
  std::string buffer_;
};

// Opens a file where there is a path.
template <class File, class... More>
void open_if(std::optional<File>& file, const std::string& path, const More&... more) {
  if (!path.empty()) file.emplace(path, more...);
}

// Commits files that belong together: all are finished before the first takes its place.
template <class... Files>
void commit_together(std::optional<Files>&... files) {
  ((files ? files->finish() : void()), ...);
  ((files ? files->commit() : void()), ...);
}

// Throws Error for errno: "cannot write out.bin: No space left on device; free some space ...".
[[noreturn]] void refuse_writing(const std::string& path, const char* what = "cannot write");

// `path` without the ending of a packed file: .gz, .bz2, .xz or .zst.
std::string_view without_packing(std::string_view path);

// Throws UsageError when `path` has such an ending: output is never packed, and it would lie.
void refuse_packed_output(const std::string& path);

// A file that grows line by line and can be read while it grows, as a log is with `tail -f`. It is
// written in place, each line at once, so every line stays however the run ends. A file that has
// content is refused, so that a slip destroys nothing.
class LineFile {
 public:
  // "-" is standard output; pipes and devices are written to. Throws Error when the path cannot be
  // written, another run is writing it, or it is a file that is not empty, unless its first line is
  // `going_on`: then new lines are appended.
  explicit LineFile(const std::string& path, std::string_view going_on = {});
  ~LineFile();  // removes a file that it made and wrote no line to
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  // Writes `line` and a line end. Throws Error, for example when the disk is full.
  void write(std::string_view line);

  // Cuts the file at the first line for which `keep` is false, or at an unfinished line. Leaves
  // standard output as it is. Throws Error.
  void cut(const std::function<bool(std::string_view line)>& keep);

  // No line is in the file, as far as can be known. Earlier content of standard output does not
  // count.
  bool empty() const;

 private:
  std::string path_;
  std::optional<FileLock> lock_;
  bool made_ = false;  // by this object, and still empty
  int descriptor_ = -1;
};

}  // namespace acevec
