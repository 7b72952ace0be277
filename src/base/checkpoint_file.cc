#include "base/checkpoint_file.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <filesystem>

#include "base/error.h"
#include "base/same_file.h"

namespace acevec {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they are");

constexpr std::string_view kMagic =
    "\x89"
    "acevec\n\x04\x03\x02\x01";
constexpr uint32_t kVersion = 3;
constexpr size_t kHeadBytes = 16;
constexpr std::string_view kChecksum = "checksum";
constexpr size_t kStep = 1 << 20;  // bytes per read or write

// The header of a part: its name and length.
std::string part_head(std::string_view name, uint64_t bytes) {
  std::string head(1, static_cast<char>(name.size()));
  head += name;
  head.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
  return head;
}

}  // namespace

std::optional<std::string> first_part(std::string_view bytes) {
  if (!bytes.starts_with(kMagic)) return std::nullopt;
  if (bytes.size() <= kHeadBytes) return "";
  return std::string(bytes.substr(kHeadBytes + 1, static_cast<unsigned char>(bytes[kHeadBytes])));
}

std::unique_ptr<FileLock> claim_checkpoint(const std::string& name, const std::string& suffix,
                                           const std::string& resumed) {
  const std::string path = name + suffix;
  if (is_special_file(path)) {  // one process's part, such as RUN.0
    throw Error(format("a checkpoint needs a file, and %s is not one; move it away", path.c_str()));
  }
  auto lock = std::make_unique<FileLock>(path);
  const OutputFile can_be_written(path, true);
  if (exists(path) && (resumed.empty() || !same_file(path, resumed))) {
    throw Error(
        format("%s already exists; resume it with -resume %s, remove it, or give -checkpoint "
               "another name",
               path.c_str(), name.c_str()));
  }
  return lock;
}

struct CheckpointWriter::Digest {
  XXH3_state_t state;
};

CheckpointWriter::CheckpointWriter(const std::string& path, bool locked)
    : file_(path, locked), digest_(std::make_unique<Digest>()) {
  XXH3_64bits_reset(&digest_->state);
  add(kMagic.data(), kMagic.size());
  add(&kVersion, sizeof kVersion);
}

CheckpointWriter::~CheckpointWriter() = default;

void CheckpointWriter::add(const void* data, size_t bytes) {
  const char* const begin = static_cast<const char*>(data);
  for (size_t done = 0; done < bytes; done += kStep) {
    const size_t some = std::min(kStep, bytes - done);
    XXH3_64bits_update(&digest_->state, begin + done, some);
    file_.write({begin + done, some});
  }
}

void CheckpointWriter::begin_part(std::string_view name, uint64_t bytes) {
  const std::string head = part_head(name, bytes);
  add(head.data(), head.size());
}

void CheckpointWriter::put_bytes(std::string_view name, const void* data, size_t bytes) {
  begin_part(name, bytes);
  add(data, bytes);
}

void CheckpointWriter::finish() {
  if (finished_) return;
  put<uint64_t>(kChecksum, XXH3_64bits_digest(&digest_->state));
  file_.finish();
  finished_ = true;
}

void CheckpointWriter::commit() {
  finish();
  file_.commit();
}

CheckpointReader::CheckpointReader(const std::string& path) : path_(path) {
  if (is_special_file(path)) {
    throw Error(
        format("cannot read %s: it is not a file; give one that -checkpoint wrote", path.c_str()));
  }
  file_.open(path, std::ios::binary);
  if (!file_) {
    throw Error(format("cannot read %s: %s; check the path and its permissions", path.c_str(),
                       system_message(errno).c_str()));
  }
  length_ = std::filesystem::file_size(path);
  check_head();
  check_parts();
  file_.seekg(kHeadBytes);
}

void CheckpointReader::check_head() {
  char magic[kMagic.size()] = {};
  uint32_t version = 0;
  const uint64_t compared = std::min<uint64_t>(length_, sizeof magic);
  read(magic, compared);
  if (length_ == 0 || kMagic.substr(0, compared) != std::string_view(magic, compared)) {
    throw Error(
        format("%s is not a checkpoint; give a file that -checkpoint wrote", path_.c_str()));
  }
  if (length_ < kHeadBytes) refuse_damaged("truncated");
  read(&version, sizeof version);
  if (version != kVersion) {
    throw Error(
        format("%s is a checkpoint of format %u, and this acevec reads format %u; use the acevec "
               "that wrote it",
               path_.c_str(), version, kVersion));
  }
}

// Verifies every length and the checksum.
void CheckpointReader::check_parts() {
  XXH3_state_t digest;
  XXH3_64bits_reset(&digest);
  file_.seekg(0);
  std::vector<char> bytes(kStep);
  const auto take = [&](uint64_t count) {
    for (uint64_t some; count > 0; count -= some) {
      some = std::min<uint64_t>(count, kStep);
      read(bytes.data(), some);
      XXH3_64bits_update(&digest, bytes.data(), some);
    }
  };
  take(kHeadBytes);
  for (;;) {
    const auto [name, length] = read_part_head();
    if (name == kChecksum && length == sizeof(uint64_t)) break;
    const std::string head = part_head(name, length);
    XXH3_64bits_update(&digest, head.data(), head.size());
    take(length);
  }
  uint64_t checksum = 0;
  read(&checksum, sizeof checksum);
  if (left() != 0 || checksum != XXH3_64bits_digest(&digest)) refuse_damaged("altered");
}

// Reads the name and length of the part at the current position.
std::pair<std::string, uint64_t> CheckpointReader::read_part_head() {
  uint8_t name_length = 0;
  read(&name_length, 1);
  std::string name(name_length, '\0');
  read(name.data(), name.size());
  uint64_t length = 0;
  read(&length, sizeof length);
  if (length > left()) refuse_damaged("truncated");
  return {std::move(name), length};
}

int64_t CheckpointReader::get_within(std::string_view name, int64_t least, int64_t most) {
  const auto value = get<int64_t>(name);
  require(name, value >= least && value <= most);
  return value;
}

std::string CheckpointReader::next_name() {
  const auto place = file_.tellg();
  std::string name = read_part_head().first;
  file_.seekg(place);
  return name;
}

uint64_t CheckpointReader::open_part(std::string_view name) {
  const auto [found, length] = read_part_head();
  if (found != name) refuse_part(name);
  return length;
}

void CheckpointReader::get_bytes(std::string_view name, void* data, size_t bytes) {
  if (open_part(name) != bytes) refuse_part(name);
  read(data, bytes);
}

void CheckpointReader::read(void* data, size_t bytes) {
  file_.read(static_cast<char*>(data), static_cast<std::streamsize>(bytes));
  if (!file_) refuse_damaged("truncated");
}

void CheckpointReader::refuse_part(std::string_view name) const {
  throw Error(format(
      "%s does not fit: its part \"%s\" does not match this run; use the acevec that wrote it",
      path_.c_str(), std::string(name).c_str()));
}

void CheckpointReader::refuse_damaged(const char* how) const {
  throw Error(format("%s is a checkpoint that was %s; use another copy, or start a new run",
                     path_.c_str(), how));
}

}  // namespace acevec
