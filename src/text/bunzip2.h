// Unpacks bzip2 with several threads. Blocks are found by the mark that each begins with, at any
// bit, so the blocks of one stream are shared out as well as those of many.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "text/bzip2_block.h"
#include "text/unpacker.h"

namespace acevec {

// Threads decode blocks; unpack() gives them in order, and verifies what stands between them. A
// mark may stand within a block by chance: the block seems to end too early then, and is decoded
// again with what follows. Memory: about 10 MiB a thread.
class Bunzip2 : public Unpacker {
 public:
  // With one thread, unpack() decodes. With more, so many others do, or as many as the system
  // gives.
  explicit Bunzip2(int threads);
  ~Bunzip2() override;
  Bunzip2(const Bunzip2&) = delete;
  Bunzip2& operator=(const Bunzip2&) = delete;

  size_t unpack(std::string_view& packed, bool last, char* buffer, size_t size) override;

 private:
  // What stands from one mark to the next, or before the first.
  struct Part {
    size_t begin = 0;         // the first bit, in the file
    size_t end = 0;           // the bit behind the last one
    std::string bytes;        // from the byte of `begin` to that of `end`
    bool is_block = false;    // it begins with a mark
    bool decoded = false;     // mutex_ guards it; what follows is complete then
    Bzip2Block block;         // its bits are counted from the byte of `begin`
    std::string first_bytes;  // of the block: nearly always all
    std::exception_ptr failure;

    size_t first_byte() const { return begin / 8; }
    size_t block_end() const { return first_byte() * 8 + block.end(); }
  };

  void add(std::string_view& packed, bool last);
  void find_parts();
  void end_part(size_t bit);
  void start_decoder();
  void decode_parts();
  static void decode(Bzip2Decoder& decoder, Part& part);
  bool is_decoded(const Part& part);
  void finish(Part& part);
  bool join_parts();
  void check(const Part& part);
  void check_between(const Part& part);
  static void check_failure(const Part& part);
  [[noreturn]] static void refuse(size_t bit, const char* why);

  size_t threads_;
  std::vector<std::thread> decoders_;
  std::mutex mutex_;
  std::condition_variable more_;  // in undecoded_, or stop_
  std::condition_variable done_;
  std::deque<std::shared_ptr<Part>> undecoded_;
  bool stop_ = false;

  Bzip2Decoder own_;                         // of the thread that unpacks
  std::deque<std::shared_ptr<Part>> parts_;  // in order; the first is being given
  bool giving_ = false;                      // the first has been verified
  size_t given_ = 0;                         // of the first's first_bytes
  Part found_;                               // behind those; its end has not been found
  size_t searched_ = 0;                      // bits of the file
  bool ended_ = false;                       // the whole file is in parts_
  bool more_wanted_ = false;                 // the first part does not end where it seems to

  int level_ = 0;  // of the stream; 0: between two streams
  uint32_t stream_checksum_ = 0;
  bool behind_zeros_ = false;
};

}  // namespace acevec
