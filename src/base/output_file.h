// Output files that are replaced atomically.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/file_lock.h"

namespace acevec {

// A file to be written. Opening it proves that it can be written, so open it before long work.
// What is written goes to a temporary file beside the target and takes the target's place in
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
  [[noreturn]] void fail(const char* what) const;

  std::string name_;       // "standard output" or the path as the user wrote it, for messages
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

// Writes all of `bytes`. False, with errno, when that fails.
bool write_all(int descriptor, std::string_view bytes);

// What to do when writing fails with this errno value.
const char* advice_on_writing(int error_number);

// An unnamed file in $TMPDIR (or /var/tmp, or /tmp) that vanishes when the process ends.
// Returns its descriptor; throws Error. `purpose` names it in messages.
int open_scratch_file(const std::string& purpose);

// `path` without the ending of a packed file: .gz, .bz2, .xz or .zst.
std::string_view without_packing(std::string_view path);

// Throws UsageError when `path` has such an ending: output is never packed, and it would lie.
void refuse_packed_output(const std::string& path);

}  // namespace acevec
