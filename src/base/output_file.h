// Output files: replaced atomically, or growing line by line.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/temporary_file.h"

namespace acevec {

// An output file. Opening it checks that it can be written, so open it before long work. The bytes
// go to a temporary file beside the target, which replaces the target in commit(); without
// commit(), the target stays unchanged. "-" is standard output; pipes and devices are written
// directly.
//
// Until commit(), no other run can write the same file: of two runs that write the same set of
// files, each would leave some.
class OutputFile {
 public:
  // Throws Error when the path cannot be written, and when another run is writing it. `locked`: the
  // caller holds the path's FileLock.
  explicit OutputFile(const std::string& path, bool locked = false);
  ~OutputFile();

  // Throws Error, for example when the disk is full.
  void write(std::string_view bytes);

  // Returns whether rewrite_start() is possible: not on standard output, pipes and devices.
  bool can_rewrite() const { return !temporary_.empty(); }

  // Overwrites the start of the file; at least bytes.size() bytes must have been written. Throws
  // Error.
  void rewrite_start(std::string_view bytes);

  // Syncs all written bytes to disk, so that commit() only has to rename. For files that belong
  // together, call finish() on all before the first commit(). Throws Error.
  void finish();

  // Calls finish(), renames, and syncs the new name to disk. Throws Error; the target is then
  // untouched, or, when only its folder cannot be synced, has the new content.
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

// Opens `file` unless `path` is empty.
template <class File, class... More>
void open_if(std::optional<File>& file, const std::string& path, const More&... more) {
  if (!path.empty()) file.emplace(path, more...);
}

// Commits files that belong together: all are finished before the first is committed.
template <class... Files>
void commit_together(std::optional<Files>&... files) {
  ((files ? files->finish() : void()), ...);
  ((files ? files->commit() : void()), ...);
}

// Throws Error for errno: "cannot write out.bin: No space left on device; free some space ...".
[[noreturn]] void refuse_writing(const std::string& path, const char* what = "cannot write");

// Throws Error if standard output is closed.
void require_output();

// Writes what was printed so far to standard output. Throws Error if that, or an earlier write to
// it, fails: call it before anything else sets errno.
void flush_output();

// `path` without the ending of a packed file: .gz, .bz2, .xz or .zst.
std::string_view without_packing(std::string_view path);

// Throws UsageError when `path` has such an ending, because output is never packed.
void refuse_packed_output(const std::string& path);

// A file that grows line by line and can be followed with `tail -f`. Each line is written in place
// at once, so no line is lost however the run ends. A file that has content is refused, so that a
// mistake destroys nothing.
class LineFile {
 public:
  // "-" is standard output; pipes and devices are accepted. Throws Error when the path cannot be
  // written, when another run is writing it, or when the file is not empty; but if its first line
  // is `going_on`, new lines are appended.
  explicit LineFile(const std::string& path, std::string_view going_on = {});
  ~LineFile();  // removes the file if this object created it and wrote no line

  // Writes `line` and a line end. Throws Error, for example when the disk is full.
  void write(std::string_view line);

  // Truncates the file at the first line for which `keep` is false, or at an unfinished line.
  // Leaves standard output alone. Throws Error.
  void cut(const std::function<bool(std::string_view line)>& keep);

  // Returns whether the file is not known to have content; always true for standard output, whose
  // earlier content does not count.
  bool empty() const;

 private:
  std::string path_;
  std::optional<FileLock> lock_;
  bool made_ = false;  // created by this object, and still empty
  int descriptor_ = -1;
};

}  // namespace acevec
