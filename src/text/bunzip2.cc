// Unpacks bzip2 with several threads. Blocks are found by the mark that each begins with, at any
// bit, so the blocks of one stream are shared out as well as those of many.

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <deque>
#include <future>
#include <optional>
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

// Other threads decode blocks; unpack() gives them in order, and verifies the bits between them. A
// mark may occur within a block by chance: the block then seems to end too early, and is decoded
// again together with the next bytes.
class Bunzip2 : public Unpacker {
 public:
  // With one thread, unpack() itself decodes. With more, that many others do, or as many as the
  // system can start. Each takes about 10 MiB of memory.
  explicit Bunzip2(int threads)
      : ahead_(threads > 1 ? static_cast<size_t>(threads) + 1 : 1),
        // The second policy also decodes in get() where no thread can be started.
        policy_(threads > 1 ? std::launch::async | std::launch::deferred : std::launch::deferred) {}

  size_t unpack(std::string_view& packed, bool last, char* buffer, size_t size) override {
    for (;;) {
      if (giving_) {
        size_t got = giving_->first_bytes.copy(buffer, size, given_);
        given_ += got;
        if (got == 0) got = giving_->block.unpack(buffer, size);
        if (got > 0) return got;
        giving_.reset();
        given_ = 0;
        parts_.pop_front();
      }
      while (wants_more() && (!packed.empty() || last)) add(packed, last);
      if (parts_.empty() || (wants_more() && !is_decoded(parts_.front()))) return 0;
      begin_giving();
    }
  }

 private:
  struct Decoded {
    Bzip2Block block;         // its bits are counted from the byte of the part's `begin`
    std::string first_bytes;  // of the block: nearly always all
  };

  // The bits from one mark to the next, or before the first.
  struct Part {
    size_t begin = 0;              // the first bit, in the file
    size_t end = 0;                // the bit behind the last one
    std::string bytes;             // from the byte of `begin` to that of `end`
    bool is_block = false;         // it begins with a mark
    std::future<Decoded> decoded;  // of a block; reads `bytes`

    size_t first_byte() const { return begin / 8; }
  };

  bool wants_more() const { return !ended_ && parts_.size() < ahead_; }

  // Takes bytes of the file, and finds parts in them.
  void add(std::string_view& packed, bool last) {
    found_.bytes.append(packed);
    packed = {};
    if (has_mark_inside_) {
      if (found_.bytes.size() < kLongestBzip2Block && !last) return;
      pass_marks();
    }
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

  // The part found_ ends before `bit`, where another begins. Starts to decode it.
  void end_part(size_t bit) {
    Part& part = parts_.emplace_back(std::exchange(found_, {}));
    part.end = bit;
    found_.begin = bit;
    found_.is_block = true;
    found_.bytes = part.bytes.substr(bit / 8 - part.first_byte());
    part.bytes.resize((bit + 7) / 8 - part.first_byte());
    if (part.is_block) {
      part.decoded = std::async(policy_, [&part] { return decode(part.bytes, part.begin); });
    }
  }

  // Decodes the block at bit `begin` of the file. An error names the place.
  static Decoded decode(std::string_view bytes, size_t begin) {
    try {
      Decoded decoded{Bzip2Block(bytes, begin % 8), {}};
      if (decoded.block.cut()) return decoded;
      decoded.first_bytes.resize(kUsualBytes);
      decoded.first_bytes.resize(decoded.block.unpack(decoded.first_bytes.data(), kUsualBytes));
      return decoded;
    } catch (const Error& error) {
      refuse(begin, error.what());
    }
  }

  static bool is_decoded(const Part& part) {
    return !part.is_block ||
           part.decoded.wait_for(std::chrono::seconds(0)) != std::future_status::timeout;
  }

  // Waits for the first part, or decodes it, and verifies it.
  void begin_giving() {
    Part& part = parts_.front();
    Decoded decoded;
    if (part.is_block) decoded = part.decoded.get();
    if (decoded.block.cut()) return join_parts();
    check(part, decoded.block);
    giving_ = std::move(decoded);
  }

  // The first part is cut: it has a mark within its block, or the file ends there. Makes one part
  // of all.
  void join_parts() {
    Part whole;
    whole.begin = parts_.front().begin;
    whole.is_block = true;
    parts_.push_back(std::move(found_));
    for (const Part& part : parts_) {
      whole.bytes.resize(part.first_byte() - whole.first_byte());
      whole.bytes += part.bytes;
    }
    parts_.clear();
    found_ = std::move(whole);
    has_mark_inside_ = true;
    ended_ = false;
  }

  // The part found_ has all of its block, and from now on marks are looked for behind that only.
  void pass_marks() {
    const Bzip2Block block = decode(found_.bytes, found_.begin).block;
    if (block.cut()) throw Error(kCutFile);
    searched_ = found_.first_byte() * 8 + block.end();
    has_mark_inside_ = false;
  }

  // Verifies the block by its checksum, and the bits behind it.
  void check(const Part& part, const Bzip2Block& block) {
    if (part.is_block) {
      if (level_ == 0) refuse(part.begin, "belongs to no stream");
      if (block.text_bytes() > static_cast<size_t>(level_) * kBzip2LevelBytes) {
        refuse(part.begin, "is longer than its stream allows");
      }
      stream_checksum_ = std::rotl(stream_checksum_, 1) ^ block.checksum();
    }
    check_between(part, block.end());
  }

  // Reads the ends and beginnings of streams from bit `begin` on, behind the part's block.
  void check_between(const Part& part, size_t begin) {
    constexpr int kEndBits = kBzip2MarkBits + 32;
    const bool last = ended_ && parts_.size() == 1;
    const size_t end = part.end - part.first_byte() * 8;
    BitReader bits(part.bytes, begin);
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

  [[noreturn]] static void refuse(size_t bit, const char* why) {
    throw Error(format("the block at byte %zu %s", bit / 8, why));
  }

  size_t ahead_;  // parts that keep the decoders busy until the next call
  std::launch policy_;
  std::deque<Part> parts_;         // in order
  std::optional<Decoded> giving_;  // the first of them, once it is verified
  size_t given_ = 0;               // of its first_bytes
  Part found_;                     // behind those; its end has not been found
  size_t searched_ = 0;            // bits of the file
  bool has_mark_inside_ = false;   // found_ has, and more of its block may follow
  bool ended_ = false;             // the whole file is in parts_

  int level_ = 0;  // of the stream; 0: between two streams
  uint32_t stream_checksum_ = 0;
  bool behind_zeros_ = false;
};

}  // namespace

std::unique_ptr<Unpacker> make_bunzip2(int threads) {
  return std::make_unique<Bunzip2>(threads);
}

}  // namespace acevec
