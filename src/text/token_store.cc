#include "text/token_store.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/error.h"
#include "base/output_file.h"

namespace acevec {
namespace {

// Units of 16 bits. 0 is a line end; an id i is i + 1, in one unit below 2¹⁵, else in two, the
// first with its top bit set.
constexpr uint32_t kOneUnit = 0x8000;

std::vector<uint16_t> encode(const std::vector<int32_t>& tokens) {
  std::vector<uint16_t> units;
  units.reserve(tokens.size() + tokens.size() / 4);
  for (const int32_t token : tokens) {
    const auto code = static_cast<uint32_t>(token + 1);
    if (code >= kOneUnit) units.push_back(static_cast<uint16_t>(kOneUnit | (code >> 16)));
    units.push_back(static_cast<uint16_t>(code));
  }
  return units;
}

void decode(const std::vector<uint16_t>& units, std::vector<int32_t>& tokens) {
  tokens.clear();
  tokens.reserve(units.size());
  for (size_t i = 0; i < units.size(); ++i) {
    uint32_t code = units[i];
    if (code >= kOneUnit) code = (code - kOneUnit) << 16 | units[++i];
    tokens.push_back(static_cast<int32_t>(code) - 1);
  }
}

}  // namespace

TokenStore::TokenStore(int64_t begin)
    : descriptor_(open_scratch_file("the text's ids")), begin_(begin), bytes_(begin) {}

TokenStore::~TokenStore() {
  if (descriptor_ >= 0) close(descriptor_);
}

TokenStore::TokenStore(TokenStore&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      begin_(other.begin_),
      bytes_(other.bytes_),
      chunks_(std::move(other.chunks_)) {}

void TokenStore::write(int64_t index, int owner, const std::vector<int32_t>& tokens) {
  const std::vector<uint16_t> units = encode(tokens);
  const auto bytes = static_cast<int64_t>(units.size() * sizeof(uint16_t));
  int64_t offset = 0;
  {
    const std::lock_guard lock(mutex_);
    offset = bytes_;
    bytes_ += bytes;
    if (index >= chunks()) chunks_.resize(static_cast<size_t>(index) + 1);
    chunks_[static_cast<size_t>(index)] = {offset, bytes, owner};
  }
  const char* data = reinterpret_cast<const char*>(units.data());
  for (int64_t done = 0; done < bytes;) {
    const ssize_t written =
        pwrite(descriptor_, data + done, static_cast<size_t>(bytes - done), offset + done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      throw Error(
          format("cannot write the temporary file for the text's ids: %s; set TMPDIR to a "
                 "folder with room (about half the size of the text)",
                 system_message(errno).c_str()));
    }
    done += written;
  }
}

int TokenStore::read(int64_t index, std::vector<int32_t>& tokens) const {
  const Chunk& chunk = chunks_[static_cast<size_t>(index)];
  std::vector<uint16_t> units(static_cast<size_t>(chunk.bytes) / sizeof(uint16_t));
  char* data = reinterpret_cast<char*>(units.data());
  for (int64_t done = 0; done < chunk.bytes;) {
    const ssize_t got = pread(descriptor_, data + done, static_cast<size_t>(chunk.bytes - done),
                              chunk.offset + done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      throw Error(
          format("cannot read the temporary file with the text's ids back: %s; check the "
                 "disk, or set TMPDIR",
                 got == 0 ? "it is cut short" : system_message(errno).c_str()));
    }
    done += got;
  }
  decode(units, tokens);
  return chunk.owner;
}

}  // namespace acevec
