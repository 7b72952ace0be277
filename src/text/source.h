// Bytes in: a file, a gzip file or standard input, read once from front to end.
#pragma once

#include <sys/stat.h>
#include <zlib.h>

#include <cstdint>
#include <memory>
#include <string>

namespace acevec {

// What the bytes of a text are.
enum class TextFormat {
  kText,  // plain text
  kWiki,  // MediaWiki's XML
};

// A stream of bytes. gzip is recognised by its first bytes, whatever the file is called and on
// standard input too.
class Source {
 public:
  // Opens `path` ("-" is standard input). Throws Error when it cannot be read or is a directory.
  explicit Source(const std::string& path, TextFormat contents = TextFormat::kText);

  // Fills `buffer` with up to `size` bytes; fewer only at the end. Returns their number, 0 at the
  // end. Throws Error on a read error, a damaged or cut gzip stream, a file that was written
  // to since it was opened (at its end), or (on the first call) bytes that are not of the format:
  // bzip2, xz, zstd, zip; as plain text UTF-16 and wikis' XML.
  size_t read(char* buffer, size_t size);

  // All that is left.
  std::string read_all();

  // Part of the file read so far, 0 .. 1; negative when the length is unknown (a pipe).
  double fraction() const;

  TextFormat contents() const { return contents_; }

  // "standard input" or the path, for messages.
  const std::string& name() const { return name_; }

 private:
  struct Close {
    void operator()(gzFile file) const { gzclose(file); }
  };

  void check_unchanged() const;

  std::string name_;
  TextFormat contents_;
  int descriptor_ = -1;  // file_'s
  struct stat status_ {};
  std::unique_ptr<gzFile_s, Close> file_;
  int64_t length_ = -1;
  bool started_ = false;
};

}  // namespace acevec
