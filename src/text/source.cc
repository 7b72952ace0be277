#include "text/source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace acevec {
namespace {

using namespace std::string_view_literals;

// First bytes that show the input is no text, and what to do about it.
struct Foreign {
  size_t offset;
  std::string_view magic;
  const char* what;
  const char* advice;
  bool is_wiki = false;  // fine as a wiki's XML
};
constexpr std::array<Foreign, 7> kForeign{{
    {0, "\xff\xfe"sv, "UTF-16 text", "convert it: iconv -f UTF-16 -t UTF-8", true},
    {0, "\xfe\xff"sv, "UTF-16 text", "convert it: iconv -f UTF-16 -t UTF-8", true},
    {0, "<mediawiki"sv, "a MediaWiki dump", "give -format wiki to read its articles", true},
    {4, "1AY&SY"sv, "bzip2 data", "unpack it: bzcat FILE | acevec -train - ..."},
    {0, "\xfd\x37zXZ\0"sv, "xz data", "unpack it: xzcat FILE | acevec -train - ..."},
    {0, "\x28\xb5\x2f\xfd"sv, "zstd data", "unpack it: zstdcat FILE | acevec -train - ..."},
    {0, "PK\x03\x04"sv, "a zip archive", "unpack it: unzip -p FILE | acevec -train - ..."},
}};

void refuse_foreign(std::string_view first, const std::string& name, TextFormat contents) {
  for (const Foreign& foreign : kForeign) {
    if (foreign.is_wiki && contents == TextFormat::kWiki) continue;
    if (first.substr(std::min(foreign.offset, first.size())).starts_with(foreign.magic)) {
      throw Error(format("%s is %s; %s", name.c_str(), foreign.what, foreign.advice));
    }
  }
}

}  // namespace

Source::Source(const std::string& path, TextFormat contents)
    : name_(path == "-" ? "standard input" : path), contents_(contents) {
  const int descriptor = path == "-" ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    throw Error(format("cannot read %s: %s; check the path and its permissions", name_.c_str(),
                       system_message(errno).c_str()));
  }
  descriptor_ = descriptor;
  fstat(descriptor, &status_);
  if (S_ISDIR(status_.st_mode)) {
    close(descriptor);
    throw Error(format("cannot read %s: it is a directory; give a file, or - for standard input",
                       name_.c_str()));
  }
  if (S_ISREG(status_.st_mode)) length_ = status_.st_size;
  file_.reset(gzdopen(descriptor, "rb"));
  if (!file_) {
    close(descriptor);
    throw std::bad_alloc();
  }
  gzbuffer(file_.get(), 1 << 17);
}

size_t Source::read(char* buffer, size_t size) {
  size_t filled = 0;
  while (filled < size) {
    const auto wanted = static_cast<unsigned>(std::min(size - filled, size_t{1} << 30));
    const int got = gzread(file_.get(), buffer + filled, wanted);
    int status = Z_OK;
    const std::string_view reason = gzerror(file_.get(), &status);
    if (status == Z_ERRNO) {
      throw Error(format("cannot read %s: %s; check the file and the disk", name_.c_str(),
                         system_message(errno).c_str()));
    }
    if (got < 0 || status == Z_BUF_ERROR) {  // Z_BUF_ERROR: the gzip stream ends too early
      const size_t after_name = reason.find(": ") + 2;  // "<fd:3>: unexpected end of file"
      throw Error(format("cannot read %s: %s; the file is damaged or cut short", name_.c_str(),
                         std::string(reason.substr(after_name)).c_str()));
    }
    if (got == 0) break;
    filled += static_cast<size_t>(got);
  }
  if (!std::exchange(started_, true)) refuse_foreign({buffer, filled}, name_, contents_);
  if (filled < size) check_unchanged();
  return filled;
}

// What was read is one text only if nobody wrote to it meanwhile.
void Source::check_unchanged() const {
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

std::string Source::read_all() {
  std::string text;
  for (size_t step = 1 << 16;; step *= 2) {
    const size_t had = text.size();
    text.resize(had + step);
    text.resize(had + read(text.data() + had, step));
    if (text.size() < had + step) return text;
  }
}

double Source::fraction() const {
  if (length_ <= 0) return -1;
  return std::min(1.0, static_cast<double>(gzoffset(file_.get())) / static_cast<double>(length_));
}

}  // namespace acevec
