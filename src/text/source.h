// Byte input: a file, packed or not, standard input, or several of them concatenated, read once
// from start to end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace acevec {

// The format of a text's bytes.
struct TextFormat {
  enum Kind {
    kText,   // plain text
    kWiki,   // MediaWiki's XML
    kJsonl,  // one JSON object per line, one of whose members is a document
  };
  TextFormat(Kind a_kind = kText) : kind(a_kind) {}
  bool operator==(Kind other) const { return kind == other; }

  Kind kind;
  std::string field = "text";  // the name of that member
};

// A file, or a part of a file that is not packed.
struct FilePart {
  std::string path;  // "-" is standard input
  int64_t begin = 0;
  int64_t end = -1;  // −1: the file's end
};

std::vector<FilePart> whole_files(const std::vector<std::string>& paths);

// A stream of bytes. Several files are concatenated as by `cat`, but no line continues from one
// file into the next: a missing line end at the end of a file is added.
//
// gzip, bzip2, xz and zstd are detected by their first bytes, whatever the name of the file, on
// standard input too. UTF-8's byte order mark is removed, except from XML, which has its own rules.
class Source {
 public:
  // Opens `path` ("-" is standard input). Throws Error when it cannot be read or is a directory.
  explicit Source(const std::string& path, const TextFormat& contents = TextFormat::kText,
                  int threads = 1)
      : Source(std::vector{FilePart{path}}, contents, threads) {}

  // Opens all of `files`, at least one. bzip2 is unpacked by `threads` threads, other formats by
  // one.
  Source(const std::vector<FilePart>& files, const TextFormat& contents, int threads = 1);

  // Returns a source of plain text in memory, of which it keeps a copy.
  static Source of_text(std::string_view text);

  Source(Source&&) noexcept;
  Source& operator=(Source&&) noexcept;
  ~Source();

  // Fills `buffer` with up to `size` bytes, fewer only at the end. Returns their number, 0 at the
  // end. Throws Error on a read error; for a packed file that is damaged, truncated or followed by
  // bytes other than zeros; at the end of a file that was modified after it was opened; and, on the
  // first call, for another format: zip, and for plain text also UTF-16 and a wiki's XML.
  size_t read(char* buffer, size_t size);

  // Like read(), but waits only for the first bytes, or for the first line.
  size_t read_some(char* buffer, size_t size);

  // Returns whether bytes, or the end, can be read without waiting for a terminal or a pipe.
  bool ready() const;

  // The fraction of the files read so far, 0 .. 1; negative when the length is unknown (a pipe).
  double fraction() const;

  const TextFormat& contents() const { return contents_; }
  bool has_several() const { return files_.size() > 1; }

  // "standard input" or the path of the current file, for messages.
  const std::string& name() const;

  // Throws Error: the file cannot be used. `why` continues the message: "it is not XML; give a
  // dump".
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  class File;

  Source();

  TextFormat contents_;
  std::vector<std::unique_ptr<File>> files_;
  size_t at_ = 0;           // index of the current file
  bool line_open_ = false;  // its last byte so far is not a line end
};

}  // namespace acevec
