// The bytes of one file, a gzip file or standard input, read once from front to end.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/unpacker.h"

namespace acevec {

// What the bytes of a text are.
struct TextFormat {
  enum Kind {
    kText,   // plain text
    kWiki,   // MediaWiki's XML
    kJsonl,  // a JSON object on each line, one of whose members is a document
  };
  TextFormat(Kind a_kind = kText) : kind(a_kind) {}
  bool operator==(Kind other) const { return kind == other; }

  Kind kind;
  std::string field = "text";  // the name of that member
};

// A file, or a part of a plain one.
struct FilePart {
  std::string path;  // "-" is standard input
  int64_t begin = 0;
  int64_t end = -1;  // −1: the file's end
};

inline std::vector<FilePart> whole_files(const std::vector<std::string>& paths) {
  std::vector<FilePart> files;
  files.reserve(paths.size());
  for (const std::string& path : paths) files.push_back({path});
  return files;
}

// gzip, bzip2, xz and zstd are recognised by their first bytes, whatever the file is called and on
// standard input too; so is UTF-8's byte order mark, which is left out (not of XML, which has its
// own rules for it).
class FileBytes {
 public:
  // Opens the file; `threads` unpack it, where they can. Throws Error when it cannot be read or is
  // a directory.
  FileBytes(const FilePart& part, const TextFormat& contents, int threads);

  // Plain text in memory, of which it keeps a copy.
  explicit FileBytes(std::string_view text);
  ~FileBytes();
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  // Fills `buffer` with up to `size` bytes, waiting only for the first of them. Returns their
  // number, 0 at the end. Throws Error as Source::read does.
  size_t read_some(char* buffer, size_t size);

  // Whether there is something to read now, or the end.
  bool ready() const;

  // Bytes of the part, before unpacking: all (negative when unknown, as of a pipe), and those used.
  int64_t length() const { return length_; }
  int64_t used() const { return file_bytes_ - static_cast<int64_t>(packed_.size()); }

  const std::string& name() const { return name_; }

 private:
  void begin();
  bool refill();
  size_t read_file(char* buffer, size_t size);
  size_t unpack(char* buffer, size_t size);
  void check_end();

  std::string name_;
  TextFormat contents_;
  int descriptor_ = -1;
  struct stat status_ {};
  FilePart part_;
  int threads_ = 1;
  int64_t length_ = -1;
  int64_t file_bytes_ = 0;  // read from the file
  bool started_ = false;
  bool ended_ = false;                  // the file is read to its end
  bool whole_ = false;                  // and that was its end indeed
  std::vector<char> block_;             // of the file
  std::string_view packed_;             // what is still to be unpacked of it
  std::unique_ptr<Unpacker> unpacker_;  // null for a file that is not packed
  std::string first_;                   // unpacked already, to see what the bytes are
};

}  // namespace acevec
