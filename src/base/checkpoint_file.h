// Checkpoint files, from which long runs resume: named parts with lengths, and a checksum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/output_file.h"
#include "base/temporary_file.h"

namespace acevec {

// File format; numbers are little-endian:
//
//   12 bytes     "\x89acevec\n\x04\x03\x02\x01"
//   uint32       version of the parts' content
//   parts        uint8 length of the name, the name, uint64 bytes, the bytes
//   the last     part "checksum" of 8 bytes: XXH3 of everything before this part
//
// Parts are read in the order in which they were written, by name and exact length.

// The number of leading bytes that first_part() needs.
inline constexpr size_t kFirstPartBytes = 16 + 1 + 255;

// Returns the name of the first part ("acevec kg" for a model) of the checkpoint file that begins
// with `bytes`. Returns nothing if it is not a checkpoint file, and "" if `bytes` end before the
// name.
std::optional<std::string> first_part(std::string_view bytes);

// Locks the path `name` + `suffix` as this run's checkpoint while the lock lives; writes nothing
// yet. `name`: the argument of -resume; `suffix`: distinguishes the files of several processes.
// `resumed`: the file that the run resumes from; empty for a new run. Throws Error when the path
// cannot be written, when another active run holds its lock, and when it exists and is not
// `resumed`.
std::unique_ptr<FileLock> claim_checkpoint(const std::string& name, const std::string& suffix,
                                           const std::string& resumed);

// Writes a checkpoint file. Like an OutputFile, it replaces an existing file atomically in
// commit(), and leaves it alone until then.
class CheckpointWriter {
 public:
  // Throws Error when the path cannot be written; the other members throw it too, for example on a
  // full disk. `locked`: the caller holds the path's FileLock.
  explicit CheckpointWriter(const std::string& path, bool locked = false);
  ~CheckpointWriter();

  // `name` has 1 .. 255 bytes.
  void put_bytes(std::string_view name, const void* data, size_t bytes);

  // Writes a part incrementally: calls of add() supply `bytes` bytes in total before the next part.
  void begin_part(std::string_view name, uint64_t bytes);
  void add(const void* data, size_t bytes);

  template <class T>
  void put(std::string_view name, const T& value) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
    put_bytes(name, &value, sizeof value);
  }
  void put(std::string_view name, const std::string& text) {
    put_bytes(name, text.data(), text.size());
  }
  template <class T>
  void put(std::string_view name, const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    put_bytes(name, values.data(), values.size() * sizeof(T));
  }

  // Like OutputFile's: finish() syncs everything to disk; commit() calls finish() if needed and
  // puts the file in place. Both throw Error.
  void finish();
  void commit();

 private:
  bool finished_ = false;
  struct Digest;

  OutputFile file_;
  std::unique_ptr<Digest> digest_;
};

// Reads a checkpoint file. The constructor verifies the whole file, so later reads return exactly
// what was written. Never allocates more bytes than the file holds.
class CheckpointReader {
 public:
  // Throws Error when the file cannot be read, is not a checkpoint file, has another version, is
  // truncated, or was altered.
  explicit CheckpointReader(const std::string& path);

  // Reads the next part. Throws Error unless it has this name and, where one is given, this length.
  void get_bytes(std::string_view name, void* data, size_t bytes);

  template <class T>
  void get(std::string_view name, T& value) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
    get_bytes(name, &value, sizeof value);
  }
  void get(std::string_view name, std::string& text) {
    text.resize(open_part(name));
    read(text.data(), text.size());
  }
  // Resizes the vector to the part's number of values.
  template <class T>
  void get(std::string_view name, std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    const uint64_t bytes = open_part(name);
    if (bytes % sizeof(T) != 0) refuse_part(name);
    values.resize(bytes / sizeof(T));
    read(values.data(), bytes);
  }
  template <class T>
  T get(std::string_view name) {
    T value{};
    get(name, value);
    return value;
  }

  // Returns an integer in `least` .. `most`. Throws Error when it is out of range.
  int64_t get_within(std::string_view name, int64_t least, int64_t most);
  // Returns a count, which is ≥ 0 and can still grow without overflow.
  int64_t get_count(std::string_view name) {
    return get_within(name, 0, std::numeric_limits<int64_t>::max() / 2);
  }

  // Throws Error unless the content of part `name` is possible in this run.
  void require(std::string_view name, bool possible) const {
    if (!possible) refuse_part(name);
  }

  // The name of the next part. Throws Error at the end.
  std::string next_name();
  bool next_is(std::string_view name) { return next_name() == name; }

  const std::string& path() const { return path_; }
  int64_t bytes() const { return static_cast<int64_t>(length_); }  // size of the whole file

 private:
  void check_head();
  void check_parts();
  std::pair<std::string, uint64_t> read_part_head();
  uint64_t open_part(std::string_view name);
  void read(void* data, size_t bytes);
  uint64_t left() { return length_ - static_cast<uint64_t>(file_.tellg()); }
  [[noreturn]] void refuse_part(std::string_view name) const;
  [[noreturn]] void refuse_damaged(const char* how) const;

  std::string path_;
  std::ifstream file_;
  uint64_t length_ = 0;
};

}  // namespace acevec
