// Bytes in: a file, packed or not, or standard input, or several of them as if they were one, read
// once from front to end.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "text/file_bytes.h"

namespace acevec {

// A stream of bytes. Several files follow each other as after `cat`, but a line never goes on from
// one into the next: where a file does not end with a line end, one is put behind it.
class Source {
 public:
  // Opens `path` ("-" is standard input). Throws Error when it cannot be read or is a directory.
  explicit Source(const std::string& path, const TextFormat& contents = TextFormat::kText,
                  int threads = 1)
      : Source(std::vector{FilePart{path}}, contents, threads) {}

  // Opens all of `files`, at least one; `threads` unpack them, where they can.
  Source(const std::vector<FilePart>& files, const TextFormat& contents, int threads = 1);

  // Plain text in memory, of which it keeps a copy.
  static Source of_text(std::string_view text);

  // Fills `buffer` with up to `size` bytes; fewer only at the end. Returns their number, 0 at the
  // end. Throws Error on a read error, a packed file that is damaged, cut or followed by bytes
  // other than zeros, a file that was written to since it was opened (at its end), or (on the first
  // call) bytes that are not of the format: zip; as plain text UTF-16 and wikis'
  // XML.
  size_t read(char* buffer, size_t size);

  // The same, but it waits only for the first of the bytes, or for the first line.
  size_t read_some(char* buffer, size_t size);

  // Whether there is something to read now, be it the end: on a terminal and a pipe there may be
  // more later.
  bool ready() const { return files_[at_].ready(); }

  // Part of the files read so far, 0 .. 1; negative when the length is unknown (a pipe).
  double fraction() const;

  const TextFormat& contents() const { return contents_; }

  // "standard input" or the path of the file that is being read, for messages.
  const std::string& name() const { return files_[at_].name(); }

 private:
  Source() = default;

  TextFormat contents_;
  std::deque<FileBytes> files_;
  size_t at_ = 0;           // the file that is being read
  bool line_open_ = false;  // its bytes so far do not end with a line end
};

}  // namespace acevec
