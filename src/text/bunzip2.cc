// Unpacks bzip2 with several threads. Blocks are found by the mark that each begins with, at any
// bit, so the blocks of one stream are shared out as well as those of many.

#include <algorithm>
#include <array>
#include <bit>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "base/error.h"
#include "text/bzip2_block.h"
#include "text/unpacker.h"

namespace acevec {
namespace {

constexpr size_t kUsualBytes = 1 << 20;     // of a block, unless it has long runs
constexpr uint64_t kStreamMark = 0x425a68;  // BZh

// If this byte is the second whole one of a block's mark, bit s tells that the mark can have begun
// behind s bits of the byte before.
constexpr std::array<uint8_t, 256> kShifts = [] {
  std::array<uint8_t, 256> shifts{};
  for (unsigned shift = 0; shift < 8; ++shift) {
    const auto byte = static_cast<size_t>(kBzip2Block >> (32 + shift) & 0xff);
    shifts[byte] = static_cast<uint8_t>(shifts[byte] | 1U << shift);
  }
  return shifts;
}();

// The first bit from `begin` on at which a whole mark of a block begins; npos: there is none.
size_t find_block(std::string_view bytes, size_t begin) {
  for (size_t second = begin / 8 + 1; second + 5 <= bytes.size(); ++second) {
    const unsigned shifts = kShifts[static_cast<uint8_t>(bytes[second])];
    if (shifts == 0) continue;
    for (size_t shift = 0; shift < 8; ++shift) {
      const size_t bit = (second - 1) * 8 + shift;
      if ((shifts >> shift & 1) == 0 || bit < begin || bit + kBzip2MarkBits > bytes.size() * 8) {
        continue;
      }
      if (BitReader(bytes, bit).peek(kBzip2MarkBits) == kBzip2Block) return bit;
    }
  }
  return std::string_view::npos;
}

// Threads decode blocks; unpack() gives them in order, and verifies the bits between them. A mark
// may occur within a block by chance: the block then seems to end too early, and is decoded again
// together with the next parts. A thread takes about 10 MiB of memory.
class Bunzip2 : public Unpacker {
 public:
  // With one thread, unpack() itself decodes. With more, that many others do, or as many as the
  // system can start.
  explicit Bunzip2(int threads) : threads_(static_cast<size_t>(std::max(threads, 1))) {}

  ~Bunzip2() override {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    more_.notify_all();
    for (std::thread& decoder : decoders_) decoder.join();
  }

  Bunzip2(const Bunzip2&) = delete;
  Bunzip2& operator=(const Bunzip2&) = delete;

  size_t unpack(std::string_view& packed, bool last, char* buffer, size_t size) override {
    // So many parts keep the decoders busy until the next call.
    const size_t ahead = threads_ == 1 ? 1 : 2 * threads_ + 1;
    for (;;) {
      while (!ended_ && (parts_.size() < ahead || more_wanted_) && (!packed.empty() || last)) {
        add(packed, last);
      }
      if (parts_.empty()) return 0;
      Part& part = *parts_.front();
      if (!giving_) {
        const bool read_on = !ended_ && (parts_.size() < ahead || more_wanted_);
        if (read_on && !is_decoded(part)) return 0;
        finish(part);
        if (part.block.cut()) {
          if (!join_parts() && packed.empty() && !last) return 0;
          continue;
        }
        check(part);
        giving_ = true;
      }
      size_t got = part.first_bytes.copy(buffer, size, given_);
      given_ += got;
      if (got == 0 && part.is_block) got = part.block.unpack(buffer, size);
      if (got > 0) return got;
      parts_.pop_front();
      giving_ = false;
      given_ = 0;
    }
  }

 private:
  // The bits from one mark to the next, or before the first.
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

  // Takes bytes of the file, and finds parts in them.
  void add(std::string_view& packed, bool last) {
    found_.bytes.append(packed);
    packed = {};
    find_parts();
    if (last) {
      end_part((found_.first_byte() + found_.bytes.size()) * 8);
      ended_ = true;
    } else if (found_.bytes.size() > 2 * kLongestBzip2Block) {
      refuse(found_.begin, "does not end");
    }
  }

  void find_parts() {
    for (;;) {
      const size_t base = found_.first_byte() * 8;
      const size_t bit = find_block(found_.bytes, std::max(searched_, base) - base);
      if (bit == std::string_view::npos) break;
      searched_ = base + bit + 1;
      end_part(base + bit);
    }
    const size_t bits = (found_.first_byte() + found_.bytes.size()) * 8;
    searched_ = std::max(searched_, bits - std::min<size_t>(bits, kBzip2MarkBits - 1));
  }

  // The part found_ ends before `bit`, where another begins. Decoders may have it from now on.
  void end_part(size_t bit) {
    auto part = std::make_shared<Part>(std::move(found_));
    part->end = bit;
    found_ = {};
    found_.begin = bit;
    found_.is_block = true;
    found_.bytes = part->bytes.substr(bit / 8 - part->first_byte());
    part->bytes.resize((bit + 7) / 8 - part->first_byte());
    parts_.push_back(part);
    if (!part->is_block) return;
    start_decoder();
    if (decoders_.empty()) return;
    {
      const std::lock_guard lock(mutex_);
      undecoded_.push_back(part);
    }
    more_.notify_one();
  }

  // Starts another decoder, if there are to be more.
  void start_decoder() {
    if (threads_ == 1 || decoders_.size() == threads_) return;
    try {
      decoders_.emplace_back([this] { decode_parts(); });
    } catch (const std::system_error&) {
      threads_ = std::max<size_t>(decoders_.size(), 1);  // the system gives no more; these will do
    }
  }

  // Runs on a decoder's thread until the end.
  void decode_parts() {
    Bzip2Decoder decoder;
    std::unique_lock lock(mutex_);
    for (;;) {
      more_.wait(lock, [this] { return stop_ || !undecoded_.empty(); });
      if (stop_) return;
      const std::shared_ptr<Part> part = std::move(undecoded_.front());
      undecoded_.pop_front();
      lock.unlock();
      decode(decoder, *part);
      lock.lock();
      part->decoded = true;
      done_.notify_one();
    }
  }

  static void decode(Bzip2Decoder& decoder, Part& part) {
    try {
      part.block = decoder.decode(part.bytes, part.begin % 8);
      if (part.block.cut()) return;
      part.first_bytes.resize(kUsualBytes);
      part.first_bytes.resize(part.block.unpack(part.first_bytes.data(), kUsualBytes));
    } catch (...) {
      part.failure = std::current_exception();
    }
  }

  bool is_decoded(const Part& part) {
    const std::lock_guard lock(mutex_);
    return part.decoded || !part.is_block || decoders_.empty();
  }

  // Waits for a decoder, or decodes.
  void finish(Part& part) {
    if (!part.is_block) return;
    if (decoders_.empty()) {
      if (!std::exchange(part.decoded, true)) decode(own_, part);
      return;
    }
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return part.decoded; });
  }

  // The first part is cut: it has a mark within its block, or the file ends there. Makes one part
  // of all and, if the block is whole then, looks for marks behind it only. Returns false if more
  // of the file is needed for that.
  bool join_parts() {
    const Part& first = *parts_.front();
    const std::string_view seen(found_.bytes);
    Part whole;
    whole.begin = first.begin;
    whole.is_block = true;
    for (const std::shared_ptr<Part>& part : parts_) {
      whole.bytes.resize(part->first_byte() - first.first_byte());
      whole.bytes += part->bytes;
    }
    if (!ended_) {
      whole.bytes.resize(found_.first_byte() - first.first_byte());
      whole.bytes += seen;
    }
    more_wanted_ = !ended_ && whole.bytes.size() < kLongestBzip2Block;
    if (more_wanted_) return false;
    decode(own_, whole);
    if (whole.block.cut()) throw Error(kCutFile);
    check_failure(whole);
    searched_ = whole.block_end();
    whole.block = {};
    whole.first_bytes.clear();
    {
      const std::lock_guard lock(mutex_);
      undecoded_.clear();
    }
    parts_.clear();
    found_ = std::move(whole);
    ended_ = false;
    find_parts();
    return true;
  }

  // Verifies the block by its checksum, and the bits behind it.
  void check(const Part& part) {
    check_failure(part);
    if (part.is_block) {
      if (level_ == 0) refuse(part.begin, "belongs to no stream");
      if (part.block.text_bytes() > static_cast<size_t>(level_) * kBzip2LevelBytes) {
        refuse(part.begin, "is longer than its stream allows");
      }
      stream_checksum_ = std::rotl(stream_checksum_, 1) ^ part.block.checksum();
    }
    check_between(part);
  }

  // Reads the ends and beginnings of streams that stand behind the part's block.
  void check_between(const Part& part) {
    constexpr int kEndBits = kBzip2MarkBits + 32;
    const bool last = ended_ && parts_.size() == 1;
    const size_t end = part.end - part.first_byte() * 8;
    BitReader bits(part.bytes, part.is_block ? part.block.end() : 0);
    const auto left = [&] { return end - bits.at(); };
    for (;;) {
      if (level_ > 0) {
        if (left() == 0 && !last) return;
        if (left() < kEndBits && last) throw Error(kCutFile);
        const size_t at = part.first_byte() * 8 + bits.at();
        if (left() < kEndBits || bits.take(kBzip2MarkBits) != kBzip2End) refuse(at, "is none");
        if (bits.take(32) != stream_checksum_) throw Error("the checksum of a stream is wrong");
        bits.skip(static_cast<int>(-bits.at() % 8));
        level_ = 0;
        stream_checksum_ = 0;
      }
      for (; left() >= 8 && bits.peek(8) == 0; bits.skip(8)) behind_zeros_ = true;
      if (left() == 0) return;
      const uint64_t mark = bits.take(24);
      const uint64_t level = bits.take(8);
      if (bits.at() > end && last && !behind_zeros_) throw Error(kCutFile);
      if (bits.at() > end || behind_zeros_ || mark != kStreamMark || level < '1' || level > '9') {
        throw Error("bytes that are not bzip2 follow its end");
      }
      level_ = static_cast<int>(level - '0');
    }
  }

  // Throws Error when the part could not be decoded.
  static void check_failure(const Part& part) {
    if (!part.failure) return;
    try {
      std::rethrow_exception(part.failure);
    } catch (const Error& error) {
      refuse(part.begin, error.what());
    }
  }

  [[noreturn]] static void refuse(size_t bit, const char* why) {
    throw Error(format("the block at byte %zu %s", bit / 8, why));
  }

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

}  // namespace

std::unique_ptr<Unpacker> make_bunzip2(int threads) {
  return std::make_unique<Bunzip2>(threads);
}

}  // namespace acevec
