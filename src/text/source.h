// Bytes in: a file, a gzip file or standard input, read once from front to end.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/gunzip.h"

namespace acevec {

// What the bytes of a text are.
enum class TextFormat {
  kText,  // plain text
  kWiki,  // MediaWiki's XML
};

// A stream of bytes. gzip is recognised by its first bytes, whatever the file is called and on
// standard input too; so is UTF-8's byte order mark, which is left out (not of XML, which has its
// own rules for it).
class Source {
 public:
  // Opens `path` ("-" is standard input). Throws Error when it cannot be read or is a directory.
  explicit Source(const std::string& path, TextFormat contents = TextFormat::kText);
  ~Source();
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  // Fills `buffer` with up to `size` bytes; fewer only at the end. Returns their number, 0 at the
  // end. Throws Error on a read error, a gzip stream that is damaged, cut or followed by bytes
  // other than zeros, a file that was written to since it was opened (at its end), or (on the first
  // call) bytes that are not of the format: bzip2, xz, zstd, zip; as plain text UTF-16 and wikis'
  // XML.
  size_t read(char* buffer, size_t size);

  // The same, but it waits only for the first of the bytes, or for the first line.
  size_t read_some(char* buffer, size_t size);

  // Whether there is something to read now, be it the end: on a terminal and a pipe there may be
  // more later.
  bool ready() const;

  // Part of the file read so far, 0 .. 1; negative when the length is unknown (a pipe).
  double fraction() const;

  TextFormat contents() const { return contents_; }

  // "standard input" or the path, for messages.
  const std::string& name() const { return name_; }

 private:
  void begin();
  bool refill();
  size_t read_file(char* buffer, size_t size);
  size_t unpack(char* buffer, size_t size);
  void check_unchanged() const;

  std::string name_;
  TextFormat contents_;
  int descriptor_ = -1;
  struct stat status_ {};
  int64_t length_ = -1;
  int64_t file_bytes_ = 0;  // read from the file
  bool started_ = false;
  bool ended_ = false;            // the file is read to its end
  std::vector<char> block_;       // of the file
  std::string_view packed_;       // what is still to be unpacked of it
  std::unique_ptr<Gunzip> gzip_;  // null for a file that is not packed
  std::string first_;             // unpacked already, to see what the bytes are
};

}  // namespace acevec
