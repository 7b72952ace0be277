// Bytes in: a file, packed or not, or standard input, or several of them as if they were one, read
// once from front to end.
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

std::vector<FilePart> whole_files(const std::vector<std::string>& paths);

// A stream of bytes. Several files follow each other as after `cat`, but a line never goes on from
// one into the next: where a file does not end with a line end, one is put behind it.
//
// gzip, bzip2, xz and zstd are recognised by their first bytes, whatever the name of the file, on
// standard input too. So is UTF-8's byte order mark, which is left out (but not of XML, which has
// its own rules for it).
class Source {
 public:
  // Opens `path` ("-" is standard input). Throws Error when it cannot be read or is a directory.
  explicit Source(const std::string& path, const TextFormat& contents = TextFormat::kText,
                  int threads = 1)
      : Source(std::vector{FilePart{path}}, contents, threads) {}

  // Opens all of `files`, at least one. `threads` threads unpack bzip2, one the other packings.
  Source(const std::vector<FilePart>& files, const TextFormat& contents, int threads = 1);

  // Plain text in memory, of which the source keeps a copy.
  static Source of_text(std::string_view text);

  Source(Source&&) noexcept;
  Source& operator=(Source&&) noexcept;
  ~Source();

  // Fills `buffer` with up to `size` bytes; fewer only at the end. Returns their number, 0 at the
  // end. Throws Error on a read error, a packed file that is damaged, cut or followed by bytes
  // other than zeros, a file that was written to since it was opened (at its end), or (on the first
  // call) bytes of another format: zip; as plain text also UTF-16 and wikis' XML.
  size_t read(char* buffer, size_t size);

  // The same, but waits only for the first of the bytes, or for the first line.
  size_t read_some(char* buffer, size_t size);

  // Whether bytes, or the end, can be read now without waiting for a terminal or a pipe.
  bool ready() const;

  // Part of the files read so far, 0 .. 1; negative when the length is unknown (a pipe).
  double fraction() const;

  const TextFormat& contents() const { return contents_; }
  bool has_several() const { return files_.size() > 1; }

  // "standard input" or the path of the file that is being read, for messages.
  const std::string& name() const;

  // Throws Error: the file cannot be used. `why` goes on: "it is not XML; give a dump".
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  class File;

  Source();

  TextFormat contents_;
  std::vector<std::unique_ptr<File>> files_;
  size_t at_ = 0;           // the file that is being read
  bool line_open_ = false;  // its bytes so far do not end with a line end
};

}  // namespace acevec
