// An unnamed temporary file, for data that does not fit into memory.
#pragma once

#include <cstdint>
#include <string>

namespace acevec {

// Vanishes when the object or the process ends. It is read with pread and not mapped: mapped pages
// would count as the process's memory. write() and read() are safe from several threads.
class ScratchFile {
 public:
  // `contents` says what is in it and `room` how much it takes, for messages.
  // Throws Error when no temporary file can be made.
  ScratchFile(std::string contents, std::string room);
  ~ScratchFile();
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  // Throws Error, for example when the disk is full.
  void write(const void* data, int64_t bytes, int64_t offset);

  // Throws Error when so many bytes cannot be read there.
  void read(void* data, int64_t bytes, int64_t offset) const;

 private:
  std::string contents_;
  std::string room_;
  int descriptor_;
};

}  // namespace acevec
