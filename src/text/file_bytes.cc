#include "text/file_bytes.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/numbers.h"
#include "base/parallel.h"

namespace acevec {
namespace {

using namespace std::string_view_literals;

constexpr size_t kFileBlock = 1 << 17;
constexpr size_t kTelling = 10;  // first bytes that tell what a file is
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// First bytes that show the input is no text, and what to do about it.
struct Foreign {
  size_t offset;
  std::string_view magic;
  const char* what;
  const char* advice;
  bool is_wiki = false;  // fine as a wiki's XML
};
constexpr std::array<Foreign, 4> kForeign{{
    {0, "\xff\xfe"sv, "UTF-16 text", "convert it: iconv -f UTF-16 -t UTF-8", true},
    {0, "\xfe\xff"sv, "UTF-16 text", "convert it: iconv -f UTF-16 -t UTF-8", true},
    {0, "<mediawiki"sv, "a MediaWiki dump", "give -format wiki to read its articles", true},
    {0, "PK\x03\x04"sv, "a zip archive",
     "unpack it: unzip -p FILE; of numpy's .npz, save one array as .npy"},
}};

void refuse_foreign(std::string_view first, const std::string& name, const TextFormat& contents) {
  for (const Foreign& foreign : kForeign) {
    if (foreign.is_wiki && contents == TextFormat::kWiki) continue;
    if (first.substr(std::min(foreign.offset, first.size())).starts_with(foreign.magic)) {
      throw Error(format("%s is %s; %s", name.c_str(), foreign.what, foreign.advice));
    }
  }
}

// Of standard input that ends because its writer was killed, nothing tells. Who sets this variable,
// the number of a pipe, writes a byte there when all is written.
void require_whole_input() {
  const char* const pipe = std::getenv("ACEVEC_INPUT_END");
  if (pipe == nullptr) return;
  char byte = 0;
  if (::read(number_of<int>(pipe).value_or(-1), &byte, 1) == 1) return;
  throw Error("standard input ended before its time; look at the program that writes it");
}

}  // namespace

FileBytes::FileBytes(const FilePart& part, const TextFormat& contents, int threads)
    : name_(part.path == "-" ? "standard input" : part.path),
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

FileBytes::FileBytes(std::string_view text)
    : name_("the text"),
      contents_(TextFormat::kText),
      length_(std::ssize(text)),
      file_bytes_(length_),
      started_(true),
      ended_(true),
      block_(text.begin(), text.end()),
      packed_(block_.data(), block_.size()) {}

FileBytes::~FileBytes() {
  close(descriptor_);
}

size_t FileBytes::read_some(char* buffer, size_t size) {
  if (!std::exchange(started_, true)) begin();
  size_t got = first_.copy(buffer, size);
  first_.erase(0, got);
  if (got == 0) got = unpack(buffer, size);
  if (got == 0) check_end();
  return got;
}

bool FileBytes::ready() const {
  pollfd input{descriptor_, POLLIN, 0};
  return !first_.empty() || !packed_.empty() || ended_ || poll(&input, 1, 0) != 0;
}

// Looks whether the file is packed, and at its first bytes: as many as tell what it is, but no more
// than the first line, for which who types wants an answer.
void FileBytes::begin() {
  block_.resize(kFileBlock);
  if (part_.begin > 0) return;  // the first bytes have been looked at where the file begins
  while (may_be_packed(packed_) && refill()) {
  }
  unpacker_ = make_unpacker(packed_, threads_);
  while (first_.size() < kTelling && first_.find('\n') == std::string::npos) {
    char some[kTelling];
    const size_t got = unpack(some, kTelling - first_.size());
    if (got == 0) break;
    first_.append(some, got);
  }
  refuse_foreign(first_, name_, contents_);
  if (contents_ != TextFormat::kWiki && first_.starts_with(kByteOrderMark)) {
    first_.erase(0, kByteOrderMark.size());
  }
}

// Puts more of the file behind what there is to unpack. False at its end.
bool FileBytes::refill() {
  std::copy(packed_.begin(), packed_.end(), block_.begin());
  const size_t got = read_file(block_.data() + packed_.size(), block_.size() - packed_.size());
  packed_ = {block_.data(), packed_.size() + got};
  return got > 0;
}

// The file's next bytes as they are, none at its end.
size_t FileBytes::read_file(char* buffer, size_t size) {
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

// The next bytes, unpacked; none at the end.
size_t FileBytes::unpack(char* buffer, size_t size) {
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

// What was read is one text only if it is all of it, and nobody wrote to it meanwhile.
void FileBytes::check_end() {
  if (part_.path == "-" && !std::exchange(whole_, true)) require_whole_input();
  struct stat now {};
  if (length_ < 0 || fstat(descriptor_, &now) != 0) return;
  if (now.st_size == status_.st_size && now.st_mtim.tv_sec == status_.st_mtim.tv_sec &&
      now.st_mtim.tv_nsec == status_.st_mtim.tv_nsec) {
    return;
  }
  throw Error(
      format("%s was changed while it was read; let the other program finish, or read a "
             "copy",
             name_.c_str()));
}

}  // namespace acevec
