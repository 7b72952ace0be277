// Unpacks bzip2 with several threads. Each block of a stream begins with a mark at any bit offset.
// The bits from one mark to the next become a separate stream, which libbz2 unpacks and verifies.

#include <bzlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <deque>
#include <future>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "text/unpacker.h"

namespace acevec {
namespace {

constexpr uint64_t kBlockMark = 0x314159265359;
constexpr uint64_t kEndMark = 0x177245385090;  // after a stream's last block; its checksum follows
constexpr int kMarkBits = 48;
constexpr int kSumBits = 32;
constexpr size_t kUsualBytes = 1 << 20;  // bytes of a block's text, unless it has long runs
// The maximum size of a block: 900,000 symbols of at most 20 bits, and the tables.
constexpr size_t kLongestBlock = 900000 / 8 * 20 + 20000;

// Returns the `count` bits (at most 56) from bit `begin` on, padded with zeros beyond the end.
uint64_t bits_at(std::string_view bytes, size_t begin, int count) {
  uint64_t value = 0;
  for (size_t i = begin / 8; i < begin / 8 + 8; ++i) {
    value = value << 8 | (i < bytes.size() ? static_cast<uint8_t>(bytes[i]) : 0U);
  }
  return value << begin % 8 >> (64 - count);
}

// If this byte is the second whole byte of a mark, bit s is set when the mark can begin after s
// bits of the previous byte.
constexpr std::array<uint8_t, 256> kShifts = [] {
  std::array<uint8_t, 256> shifts{};
  for (const uint64_t mark : {kBlockMark, kEndMark}) {
    for (unsigned shift = 0; shift < 8; ++shift) {
      const auto byte = static_cast<size_t>(mark >> (32 + shift) & 0xff);
      shifts[byte] = static_cast<uint8_t>(shifts[byte] | 1U << shift);
    }
  }
  return shifts;
}();

// Returns the first bit from `begin` on at which a whole mark begins, or npos.
size_t find_mark(std::string_view bytes, size_t begin) {
  for (size_t second = begin / 8 + 1; second + 5 <= bytes.size(); ++second) {
    const unsigned shifts = kShifts[static_cast<uint8_t>(bytes[second])];
    for (size_t shift = 0; shifts >> shift != 0; ++shift) {
      const size_t bit = (second - 1) * 8 + shift;
      if ((shifts >> shift & 1) == 0 || bit < begin || bit + kMarkBits > bytes.size() * 8) continue;
      const uint64_t found = bits_at(bytes, bit, kMarkBits);
      if (found == kBlockMark || found == kEndMark) return bit;
    }
  }
  return std::string_view::npos;
}

// Unpacks one block, given as a stream of its own.
class BlockReader {
 public:
  explicit BlockReader(std::string stream) : stream_(std::move(stream)) {
    state_->next_in = stream_.data();
    state_->avail_in = static_cast<unsigned>(stream_.size());
    if (BZ2_bzDecompressInit(state_.get(), 0, 0) != BZ_OK) throw std::bad_alloc();
    first_bytes_.resize(kUsualBytes);
    first_bytes_.resize(unpack(first_bytes_.data(), kUsualBytes));
  }
  ~BlockReader() { BZ2_bzDecompressEnd(state_.get()); }

  // Copies up to `size` bytes and returns their number; 0 at the end or at damage.
  size_t give(char* buffer, size_t size) {
    const size_t got = first_bytes_.copy(buffer, size, given_);
    given_ += got;
    return got > 0 ? got : unpack(buffer, size);
  }

  bool damaged() const { return damaged_; }

 private:
  size_t unpack(char* buffer, size_t size) {
    if (damaged_ || ended_) return 0;
    state_->next_out = buffer;
    state_->avail_out = static_cast<unsigned>(size);
    const int result = BZ2_bzDecompress(state_.get());
    ended_ = result == BZ_STREAM_END;
    damaged_ = !ended_ && (result != BZ_OK || state_->avail_out > 0);  // more input is needed
    return damaged_ ? 0 : size - state_->avail_out;
  }

  std::string stream_;
  std::unique_ptr<bz_stream> state_ = std::make_unique<bz_stream>();
  std::string first_bytes_;  // nearly always the whole block
  size_t given_ = 0;         // bytes of first_bytes_
  bool ended_ = false, damaged_ = false;
};

// The bits from the mark of one block to the next mark.
struct Part {
  std::string bytes;
  size_t begin = 0, end = 0;  // bit offsets in `bytes`
  size_t place = 0;           // offset of the first byte in the file
  char level = 0;             // level of its stream, '1' .. '9'
  bool first = false;         // first block of its stream
  std::future<std::unique_ptr<BlockReader>> text;
};

uint32_t checksum_at(std::string_view bytes, size_t mark) {
  return static_cast<uint32_t>(bits_at(bytes, mark + kMarkBits, kSumBits));
}

// Returns the checksum of a stream after the block whose mark is at `mark`; `sum`: before the
// block.
uint32_t add_checksum(uint32_t sum, bool first, std::string_view bytes, size_t mark) {
  return std::rotl(first ? 0 : sum, 1) ^ checksum_at(bytes, mark);
}

// Returns a stream of this block alone. Its checksum is the block's.
std::string stream_of(const Part& part) {
  std::string stream = std::string("BZh") + part.level;
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(part.bytes[i]); };
  size_t at = part.begin;
  for (; at + 8 <= part.end; at += 8) {
    const int next = part.begin == 0 ? 0 : byte(at / 8 + 1) >> (8 - part.begin);
    stream += static_cast<char>(byte(at / 8) << part.begin | next);
  }
  int free = 0;  // free bits of the last byte
  const auto put = [&](uint64_t value, int count) {
    while (count-- > 0) {
      if (free == 0) stream += '\0';
      free = (free + 7) % 8;
      stream.back() = static_cast<char>(stream.back() | (value >> count & 1) << free);
    }
  };
  const auto rest = static_cast<int>(part.end - at);
  if (rest > 0) put(bits_at(part.bytes, at, rest), rest);
  put(kEndMark, kMarkBits);
  put(checksum_at(part.bytes, part.begin), kSumBits);
  return stream;
}

// Other threads unpack blocks; unpack() returns them in order. A mark may occur inside a block by
// chance: the block then seems damaged, and is unpacked again together with the next one.
class Bunzip2 : public Unpacker {
 public:
  // With one thread, unpack() itself unpacks the blocks; otherwise that many other threads do, or
  // as many as the system can start. Each takes about 10 MiB of memory.
  explicit Bunzip2(int threads)
      : ahead_(threads > 1 ? static_cast<size_t>(threads) + 1 : 1),
        // `deferred` unpacks in get() if no thread can be started.
        policy_(threads > 1 ? std::launch::async | std::launch::deferred : std::launch::deferred) {}

  size_t unpack(std::string_view& packed, bool last, char* buffer, size_t size) override {
    for (;;) {
      if (current_) {
        if (const size_t got = current_->give(buffer, size); got > 0) return got;
        if (current_->damaged()) refuse(parts_.front().place, "is damaged");
        current_.reset();
        const Part& given = parts_.front();
        sum_ = add_checksum(sum_, given.first, given.bytes, given.begin);
        parts_.pop_front();
      }
      while (wants_more() && (!packed.empty() || last)) add(packed, last);
      if (parts_.empty() && !failure_.empty()) throw Error(failure_);
      if (parts_.empty() || (wants_more() && !is_ready(parts_.front()))) return 0;
      begin_block();
    }
  }

 private:
  static constexpr size_t kEndBits = kMarkBits + kSumBits;
  static constexpr const char* kStranger = "bytes that are not bzip2 follow its end";

  // A part without text is damaged, unless the next one continues it.
  bool wants_more() const {
    return !ended_ && (parts_.size() < ahead_ || (parts_.size() == 1 && !parts_[0].text.valid()));
  }

  static bool is_ready(const Part& part) {
    return part.text.valid() &&
           part.text.wait_for(std::chrono::seconds(0)) != std::future_status::timeout;
  }

  // Takes bytes of the file and finds their blocks.
  void add(std::string_view& packed, bool last) {
    found_.append(packed);
    packed = {};
    while (!ended_ && (level_ == 0 ? begin_stream(last) : find_block(last))) continue;
    const size_t done = at_ / 8;
    found_.erase(0, done);
    place_ += done;
    at_ -= 8 * done;
    searched_ -= std::min(searched_, 8 * done);
  }

  // After the end of a stream, another may follow, or zeros to the end of the file. Like
  // find_block(), it returns false when it needs more bytes, or reading has ended.
  bool begin_stream(bool last) {
    constexpr size_t kBytes = 4;
    const std::string bytes = found_.substr(at_ / 8, kBytes);
    zeros_ = zeros_ || bytes.starts_with('\0');
    if (zeros_) {
      if (found_.find_first_not_of('\0', at_ / 8) != std::string::npos) return fail(kStranger);
      at_ = 8 * found_.size();
    }
    ended_ = last && (zeros_ || bytes.empty());
    if (ended_ || zeros_ || (bytes.size() < kBytes && !last)) return false;
    if (!std::string_view("BZh").starts_with(bytes.substr(0, 3))) return fail(kStranger);
    if (bytes.size() < kBytes) return fail(kCutFile);
    if (bytes[3] < '1' || bytes[3] > '9') return fail(kStranger);
    level_ = bytes[3];
    first_ = true;
    at_ += 8 * kBytes;
    return true;
  }

  bool find_block(bool last) {
    const size_t bits = 8 * found_.size();
    const size_t ready = bits - std::min(bits, kEndBits - 1);  // marks before it are complete
    const auto wait = [&] { return last && fail(kCutFile); };
    if (at_ >= ready) return wait();
    const uint64_t mark = bits_at(found_, at_, kMarkBits);
    if (mark == kEndMark && first_ && checksum_at(found_, at_) == 0) return end_stream(at_);
    if (mark != kBlockMark) return fail(format("the block at byte %zu is none", place_ + at_ / 8));
    searched_ = std::max(searched_, at_ + 1);
    for (size_t end; (end = find_mark(found_, searched_)) < ready; searched_ = end + 1) {
      const bool is_end = bits_at(found_, end, kMarkBits) == kEndMark;
      if (is_end && !ends_stream(end)) continue;
      end_block(end);
      return !is_end || end_stream(end);
    }
    searched_ = std::max(searched_, ready);
    if (bits - at_ < 16 * kLongestBlock) return wait();
    return fail(format("the block at byte %zu does not end", place_ + at_ / 8));
  }

  // Returns whether the end mark at `mark` is followed by the stream's checksum, and thus not there
  // by chance: it ends the current block, or the previous one, whose rest the current block is.
  bool ends_stream(size_t mark) const {
    uint32_t before = sum_;
    for (const Part& part : parts_)
      before = add_checksum(before, part.first, part.bytes, part.begin);
    const uint32_t sum = checksum_at(found_, mark);
    return sum == add_checksum(before, first_, found_, at_) || (!first_ && sum == before);
  }

  bool end_stream(size_t mark) {
    at_ = (mark + kEndBits + 7) / 8 * 8;
    level_ = 0;
    return true;
  }

  // Ends the current block before bit `end`.
  void end_block(size_t end) {
    const size_t byte = at_ / 8;
    Part& part = parts_.emplace_back();
    part.bytes = found_.substr(byte, (end + 7) / 8 - byte);
    part.begin = at_ % 8;
    part.end = end - 8 * byte;
    part.place = place_ + byte;
    part.level = level_;
    part.first = std::exchange(first_, false);
    at_ = end;
    start(part);
  }

  void start(Part& part) {
    part.text =
        std::async(policy_, [&part] { return std::make_unique<BlockReader>(stream_of(part)); });
  }

  // Waits for the text of the first part, or unpacks it. A damaged part is restarted together with
  // the next.
  void begin_block() {
    Part& part = parts_.front();
    if (part.text.valid()) current_ = part.text.get();
    if (current_ && !current_->damaged()) return;
    current_.reset();
    if (parts_.size() == 1 && !ended_) return;
    if (parts_.size() == 1 || parts_[1].first || part.bytes.size() > kLongestBlock) {
      refuse(part.place, "is damaged");
    }
    Part& next = parts_[1];
    if (next.text.valid()) next.text.wait();  // its thread reads next.bytes
    const size_t whole = part.end / 8;
    next.bytes.insert(0, part.bytes, 0, whole);
    next.end += 8 * whole;
    next.begin = part.begin;
    next.place = part.place;
    next.first = part.first;
    parts_.pop_front();
    start(next);
  }

  bool fail(std::string why) {
    failure_ = std::move(why);
    ended_ = true;
    return false;
  }

  [[noreturn]] static void refuse(size_t place, const char* why) {
    throw Error(format("the block at byte %zu %s", place, why));
  }

  size_t ahead_;  // number of parts that keep the other threads busy until the next call
  std::launch policy_;
  std::deque<Part> parts_;                // in file order
  std::unique_ptr<BlockReader> current_;  // reads the first part
  uint32_t sum_ = 0;                      // the stream's checksum before the first part

  std::string found_;    // the bytes after the parts
  size_t place_ = 0;     // offset in the file of the first byte of found_
  size_t at_ = 0;        // bits of found_ that have been consumed
  size_t searched_ = 0;  // no mark before this bit of found_ ends the current block
  char level_ = 0;       // level of the stream, '1' .. '9'; 0 between two streams
  bool first_ = true;    // the next block is the stream's first
  bool zeros_ = false;   // no stream follows
  bool ended_ = false;   // nothing after the parts is to be read
  std::string failure_;  // the reason, if it is an error
};

}  // namespace

std::unique_ptr<Unpacker> make_bunzip2(int threads) {
  return std::make_unique<Bunzip2>(threads);
}

}  // namespace acevec
