// The file that a long run is resumed from: named parts, their lengths and a checksum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
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

// The file, numbers in the machine's byte order:
//
//   8 bytes      "\x89acevec\n"
//   uint32       0x01020304, which tells the byte order
//   uint32       version of what is in the parts
//   parts        uint8 length of the name, the name, uint64 bytes, the bytes
//   the last     a part "checksum" of 8 bytes: XXH3 of all that stands before this part
//
// Parts are read in the order in which they were written, by name and exact length.

// The bytes that first_part() looks at.
inline constexpr size_t kFirstPartBytes = 16 + 1 + 255;

// The name of the first part of such a file, which begins with `bytes`: "acevec kg" of a model.
// Nothing if it is no such file; empty if it ends before the name.
std::optional<std::string> first_part(std::string_view bytes);

// Locks `name` + `suffix` as the checkpoint of this run for as long as the lock lives; nothing is
// written yet. `name`: what -resume takes; `suffix`: of this process's file, of several.
// `resumed`: the file that the run goes on from; empty when it begins. Throws Error when the path
// cannot be written, when another run that goes on now has it, and when it is there already and is
// not `resumed`.
std::unique_ptr<FileLock> claim_checkpoint(const std::string& name, const std::string& suffix,
                                           const std::string& resumed);

// Writes such a file. It takes its place in commit(), whole, as an OutputFile does; until then a
// file that was there before stays.
class CheckpointWriter {
 public:
  // Throws Error when the path cannot be written; so does all the rest, for example on a full disk.
  // `locked`: the caller has its FileLock.
  explicit CheckpointWriter(const std::string& path, bool locked = false);
  ~CheckpointWriter();
  CheckpointWriter(const CheckpointWriter&) = delete;
  CheckpointWriter& operator=(const CheckpointWriter&) = delete;

  // `name`: 1 .. 255 bytes.
  void put_bytes(std::string_view name, const void* data, size_t bytes);

  // The same for bytes that come a few at a time: `bytes` in all, by add() before the next part.
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

  // As those of OutputFile: finish() brings everything to the disk, commit() makes the file appear
  // and finishes it first where needed. Throw Error.
  void finish();
  void commit();

 private:
  bool finished_ = false;
  struct Digest;

  OutputFile file_;
  std::unique_ptr<Digest> digest_;
};

// Reads one. The constructor checks the whole file, so what follows is complete and as it was
// written. Nothing is allocated for more bytes than the file holds.
class CheckpointReader {
 public:
  // Throws Error when the file cannot be read, is none of these, is of another byte order or a
  // newer version, is truncated, or was altered.
  explicit CheckpointReader(const std::string& path);

  // The next part, which must have this name, and these lengths where they are known. Throws Error
  // otherwise.
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
  // The vector gets as many values as there are.
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

  // A whole number from `least` to `most`. Throws Error when it is another.
  int64_t get_within(std::string_view name, int64_t least, int64_t most);
  // A number of times: it can still grow without overflow.
  int64_t get_count(std::string_view name);

  // Throws Error when what a part says is not possible in this run.
  void require(std::string_view name, bool possible) const {
    if (!possible) refuse_part(name);
  }

  // Whether the next part has this name.
  bool next_is(std::string_view name);

  const std::string& path() const { return path_; }
  int64_t bytes() const { return static_cast<int64_t>(length_); }  // of the whole file

 private:
  void check_head();
  void check_parts();
  std::pair<std::string, uint64_t> read_part_head();
  uint64_t open_part(std::string_view name);
  void read(void* data, size_t bytes);
  uint64_t left();
  [[noreturn]] void refuse_part(std::string_view name) const;
  [[noreturn]] void refuse_damaged(const char* how) const;

  std::string path_;
  std::ifstream file_;
  uint64_t length_ = 0;
};

}  // namespace acevec
