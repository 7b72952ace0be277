#include "text/source.h"

#include <algorithm>
#include <utility>

namespace acevec {

Source::Source(const std::vector<FilePart>& files, const TextFormat& contents, int threads)
    : contents_(contents) {
  for (const FilePart& file : files) files_.emplace_back(file, contents, threads);
}

Source Source::of_text(std::string_view text) {
  Source source;
  source.files_.emplace_back(text);
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
    const size_t got = files_[at_].read_some(buffer, size);
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

double Source::fraction() const {
  int64_t used = 0;
  int64_t length = 0;
  for (const FileBytes& file : files_) {
    if (file.length() < 0) return -1;
    used += file.used();
    length += file.length();
  }
  if (length == 0) return -1;
  return std::min(1.0, static_cast<double>(used) / static_cast<double>(length));
}

}  // namespace acevec
