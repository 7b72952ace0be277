#include "text/source.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "base/error.h"
#include "base/numbers.h"
#include "base/parallel.h"
#include "base/same_file.h"
#include "text/unpacker.h"

namespace acevec {
namespace {

constexpr size_t kFileBlock = 1 << 17;
constexpr size_t kFormatBytes = 10;  // first bytes, from which the format is detected
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

constexpr char kFromUtf16[] =
    "unpack and convert it: iconv -f UTF-16 -t UTF-8; -format wiki reads a dump as it is";

// First bytes of files that are not text, and advice on them.
struct Foreign {
  std::string_view magic;
  const char* what;
  const char* advice;
  bool is_wiki = false;  // accepted as a wiki's XML
};
constexpr Foreign kForeign[] = {
    {"\xff\xfe", "UTF-16 text", kFromUtf16, true},
    {"\xfe\xff", "UTF-16 text", kFromUtf16, true},
    {"<mediawiki", "a MediaWiki dump", "give -format wiki to read its articles", true},
    {"PK\x03\x04", "a zip archive",
     "unpack it: unzip -p FILE; for numpy's .npz, save one array as .npy"},
};

void refuse_foreign(std::string_view first, const std::string& name, const TextFormat& contents) {
  for (const Foreign& foreign : kForeign) {
    if (foreign.is_wiki && contents == TextFormat::kWiki) continue;
    if (first.starts_with(foreign.magic)) {
      throw Error(format("%s is %s; %s", name.c_str(), foreign.what, foreign.advice));
    }
  }
}

// Returns the pipe or socket of a caller that feeds standard input.
std::optional<int> callers_pipe() {
  const char* const pipe = std::getenv("ACEVEC_INPUT_END");
  if (pipe == nullptr) return std::nullopt;
  return number_of<int>(pipe).value_or(-1);
}

// Tells whoever is at the terminal to type. Tells a caller with a socket to start: it need not
// produce input that is never read.
void ask_for_input() {
  if (isatty(STDIN_FILENO) == 1) print_message("Type the input, line by line; Ctrl-D ends it.");
  if (const auto socket = callers_pipe()) ::send(*socket, "", 1, MSG_NOSIGNAL);
}

// Standard input looks complete even if its writer was killed. A caller can set ACEVEC_INPUT_END to
// the number of a pipe, to which it writes a byte after the last byte of the input.
void require_whole_input() {
  char byte = 0;
  const auto pipe = callers_pipe();
  if (!pipe || ::read(*pipe, &byte, 1) == 1) return;
  throw Error("standard input ended early; check the program that writes it");
}

}  // namespace

// The bytes of one file, or of standard input.
class Source::File {
 public:
  File(const FilePart& part, const TextFormat& contents, int threads)
      : name_(input_name(part.path)),
        contents_(contents),
        part_(part),
        threads_(std::min(threads, machine_threads())) {
    const std::string& path = part.path;
    const int descriptor =
        path == "-" ? dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
      const int failure = errno;
      throw Error(format("cannot read %s: %s; %s", name_.c_str(), system_message(failure).c_str(),
                         failure == EMFILE ? "raise the limit with ulimit -n"
                                           : "check the path and its permissions"));
    }
    fstat(descriptor, &status_);
    if (S_ISDIR(status_.st_mode)) {
      close(descriptor);
      throw Error(format("cannot read %s: it is a directory; give a file, or - for standard input",
                         name_.c_str()));
    }
    if (part.end >= 0) {
      length_ = part.end - part.begin;
    } else if (S_ISREG(status_.st_mode)) {
      length_ = status_.st_size - part.begin;
    }
    if (part.begin > 0) lseek(descriptor, part.begin, SEEK_SET);
    descriptor_ = descriptor;
  }

  explicit File(std::string_view text)
      : name_("the text"),
        length_(std::ssize(text)),
        file_bytes_(length_),
        started_(true),
        ended_(true),
        block_(text.begin(), text.end()),
        packed_(block_.data(), block_.size()) {}

  ~File() { close(descriptor_); }

  size_t read_some(char* buffer, size_t size) {
    if (!std::exchange(started_, true)) begin();
    size_t got = first_.copy(buffer, size);
    first_.erase(0, got);
    if (got == 0) got = unpack(buffer, size);
    if (got == 0) check_end();
    return got;
  }

  bool ready() const {
    pollfd input{descriptor_, POLLIN, 0};
    return !first_.empty() || !packed_.empty() || ended_ || poll(&input, 1, 0) != 0;
  }

  // The packed bytes of the part: all (negative when unknown, as for a pipe), and those consumed.
  int64_t length() const { return length_; }
  int64_t used() const { return file_bytes_ - static_cast<int64_t>(packed_.size()); }

  const std::string& name() const { return name_; }

 private:
  // Detects the packing, and checks the first unpacked bytes: no more than the first line, since a
  // user who types lines expects an answer to the first.
  void begin() {
    block_.resize(kFileBlock);
    if (part_.path == "-") ask_for_input();
    if (part_.begin > 0) return;  // the process that reads the file's start checks it
    while (may_be_packed(packed_) && refill()) {
    }
    unpacker_ = make_unpacker(packed_, threads_);
    while (first_.size() < kFormatBytes && first_.find('\n') == std::string::npos) {
      char some[kFormatBytes];
      const size_t got = unpack(some, kFormatBytes - first_.size());
      if (got == 0) break;
      first_.append(some, got);
    }
    refuse_foreign(first_, name_, contents_);
    if (contents_ != TextFormat::kWiki && first_.starts_with(kByteOrderMark)) {
      first_.erase(0, kByteOrderMark.size());
    }
  }

  // Reads more packed bytes of the file. Returns false at its end.
  bool refill() {
    std::copy(packed_.begin(), packed_.end(), block_.begin());
    const size_t got = read_file(block_.data() + packed_.size(), block_.size() - packed_.size());
    packed_ = {block_.data(), packed_.size() + got};
    return got > 0;
  }

  // Reads the file's next bytes, still packed; none at its end.
  size_t read_file(char* buffer, size_t size) {
    if (part_.end >= 0) {
      size = std::min(size, static_cast<size_t>(part_.end - part_.begin - file_bytes_));
      ended_ = ended_ || size == 0;
    }
    if (ended_) return 0;
    ssize_t got = 0;
    do got = ::read(descriptor_, buffer, size);
    while (got < 0 && errno == EINTR);
    if (got < 0) {
      throw Error(format("cannot read %s: %s; check the file and the disk", name_.c_str(),
                         system_message(errno).c_str()));
    }
    ended_ = got == 0;
    file_bytes_ += got;
    return static_cast<size_t>(got);
  }

  // Returns the next bytes, unpacked; none at the end.
  size_t unpack(char* buffer, size_t size) {
    if (!unpacker_) {
      const size_t got = packed_.copy(buffer, size);
      packed_.remove_prefix(got);
      return got > 0 ? got : read_file(buffer, size);
    }
    try {
      for (;;) {
        const size_t got = unpacker_->unpack(packed_, ended_, buffer, size);
        if (got > 0 || ended_) return got;
        refill();
      }
    } catch (const Error& error) {
      throw Error(format("cannot read %s: %s; the file is damaged or truncated", name_.c_str(),
                         error.what()));
    }
  }

  // Throws Error unless all of the bytes came, and the file was not modified meanwhile.
  void check_end() {
    if (part_.path == "-" && !std::exchange(whole_, true)) require_whole_input();
    struct stat now {};
    if (length_ < 0 || fstat(descriptor_, &now) != 0) return;
    if (now.st_size == status_.st_size && now.st_mtim.tv_sec == status_.st_mtim.tv_sec &&
        now.st_mtim.tv_nsec == status_.st_mtim.tv_nsec) {
      return;
    }
    throw Error(
        format("%s was changed while it was read; let the other program finish, or read a copy",
               name_.c_str()));
  }

  std::string name_;
  TextFormat contents_;
  int descriptor_ = -1;
  struct stat status_ {};
  FilePart part_;
  int threads_ = 1;
  int64_t length_ = -1;
  int64_t file_bytes_ = 0;  // bytes read from the file
  bool started_ = false;
  bool ended_ = false;                  // the end of the file was reached
  bool whole_ = false;                  // standard input was complete
  std::vector<char> block_;             // bytes of the file
  std::string_view packed_;             // the part of block_ still to be unpacked
  std::unique_ptr<Unpacker> unpacker_;  // null for a file that is not packed
  std::string first_;                   // first unpacked bytes, read to detect the format
};

std::vector<FilePart> whole_files(const std::vector<std::string>& paths) {
  std::vector<FilePart> files;
  files.reserve(paths.size());
  for (const std::string& path : paths) files.push_back({path});
  return files;
}

Source::Source() = default;
Source::Source(Source&&) noexcept = default;
Source& Source::operator=(Source&&) noexcept = default;
Source::~Source() = default;

Source::Source(const std::vector<FilePart>& files, const TextFormat& contents, int threads)
    : contents_(contents) {
  for (const FilePart& file : files) {
    files_.push_back(std::make_unique<File>(file, contents, threads));
  }
}

Source Source::of_text(std::string_view text) {
  Source source;
  source.files_.push_back(std::make_unique<File>(text));
  return source;
}

size_t Source::read(char* buffer, size_t size) {
  size_t filled = 0;
  while (filled < size) {
    const size_t got = read_some(buffer + filled, size - filled);
    if (got == 0) break;
    filled += got;
  }
  return filled;
}

size_t Source::read_some(char* buffer, size_t size) {
  if (size == 0) return 0;
  for (;;) {
    const size_t got = files_[at_]->read_some(buffer, size);
    if (got > 0) {
      line_open_ = buffer[got - 1] != '\n';
      return got;
    }
    if (at_ + 1 == files_.size()) return 0;
    ++at_;
    if (std::exchange(line_open_, false)) {
      buffer[0] = '\n';
      return 1;
    }
  }
}

bool Source::ready() const {
  return files_[at_]->ready();
}

const std::string& Source::name() const {
  return files_[at_]->name();
}

void Source::refuse(const std::string& why) const {
  throw Error("cannot use " + name() + ": " + why);
}

double Source::fraction() const {
  int64_t used = 0;
  int64_t length = 0;
  for (const std::unique_ptr<File>& file : files_) {
    if (file->length() < 0) return -1;
    used += file->used();
    length += file->length();
  }
  if (length == 0) return -1;
  return std::min(1.0, static_cast<double>(used) / static_cast<double>(length));
}

}  // namespace acevec
