#include "text/bzip2_block.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <utility>

#include "base/error.h"

namespace acevec {
namespace {

constexpr size_t kGroupSymbols = 50;  // that one selector is for
constexpr size_t kNearPlaces = 12;    // of the list of last used bytes
constexpr size_t kNearRows = 64;      // whose first byte is mostly the same
constexpr uint32_t kChecksumPolynomial = 0x04c11db7;

// bzip2's checksum is CRC-32 with the highest bit first. Table k: of a byte that k bytes follow.
constexpr std::array<std::array<uint32_t, 256>, 8> kChecksumTables = [] {
  std::array<std::array<uint32_t, 256>, 8> tables{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t sum = byte << 24;
    for (int bit = 0; bit < 8; ++bit) sum = sum << 1 ^ (sum >> 31) * kChecksumPolynomial;
    tables[0][byte] = sum;
  }
  for (size_t k = 1; k < tables.size(); ++k) {
    for (size_t byte = 0; byte < 256; ++byte) {
      const uint32_t before = tables[k - 1][byte];
      tables[k][byte] = before << 8 ^ tables[0][before >> 24];
    }
  }
  return tables;
}();

uint64_t load_big_endian(const char* bytes) {
  uint64_t value = 0;
  std::memcpy(&value, bytes, sizeof value);
  return std::endian::native == std::endian::little ? __builtin_bswap64(value) : value;
}

uint32_t add_to_checksum(uint32_t sum, std::string_view bytes) {
  const auto& tables = kChecksumTables;
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    const uint64_t word = load_big_endian(bytes.data()) ^ static_cast<uint64_t>(sum) << 32;
    sum = 0;
    for (size_t k = 0; k < 8; ++k) sum ^= tables[k][word >> 8 * k & 0xff];
  }
  for (const char c : bytes) sum = sum << 8 ^ tables[0][sum >> 24 ^ static_cast<uint8_t>(c)];
  return sum;
}

[[noreturn]] void refuse_block(const char* why) {
  throw Error(why);
}

// Stores the place where reading stopped, also in case of an error.
struct PutBack {
  BitReader& to;
  const BitReader& from;
  ~PutBack() { to = from; }
};

}  // namespace

uint64_t BitReader::window() const {
  const size_t byte = at_ / 8;
  char last[8] = {};
  const char* from = last;
  if (byte + 8 <= bytes_.size()) {
    from = bytes_.data() + byte;
  } else if (byte < bytes_.size()) {
    std::memcpy(last, bytes_.data() + byte, bytes_.size() - byte);
  }
  return load_big_endian(from) << at_ % 8;
}

Bzip2Code::Bzip2Code(const std::vector<uint8_t>& lengths) {
  uint32_t code = 0;
  for (int length = 1; length <= kLongest; ++length) {
    const auto l = static_cast<size_t>(length);
    code <<= 1;
    place_[l] = static_cast<uint32_t>(symbols_.size()) - code;
    for (size_t symbol = 0; symbol < lengths.size(); ++symbol) {
      if (lengths[symbol] != length) continue;
      symbols_.push_back(static_cast<uint16_t>(symbol));
      if (length <= kShort && code < 1U << length) {
        const auto first = short_.begin() + (code << (kShort - length));
        std::fill_n(first, 1 << (kShort - length), static_cast<uint16_t>(l << 9 | symbol));
      }
      ++code;
    }
    end_[l] = code;
    if (code > 1U << length) refuse_block("has contradictory codes");
  }
}

size_t Bzip2Code::take_long(BitReader& bits) const {
  const auto next = static_cast<uint32_t>(bits.peek(kLongest));
  for (size_t length = 1; length <= kLongest; ++length) {
    const uint32_t code = next >> (kLongest - length);
    if (code >= end_[length]) continue;
    bits.skip(static_cast<int>(length));
    return symbols_[code + place_[length]];
  }
  refuse_block("has a code that is unknown");
}

Bzip2Block Bzip2Decoder::decode(std::string_view packed, size_t begin) {
  BitReader bits(packed, begin);
  Bzip2Block block;
  try {
    if (bits.take(kBzip2MarkBits) != kBzip2Block) refuse_block("does not begin there");
    block.checksum_ = static_cast<uint32_t>(bits.take(32));
    if (bits.take(1) != 0) refuse_block("is randomised, as by bzip2 before 0.9.5");
    const size_t origin = bits.take(24);
    read_alphabet(bits);
    const size_t codes = bits.peek(3);
    read_selectors(bits);
    codes_.clear();
    for (size_t i = 0; i < codes; ++i) read_code(bits);
    read_column(bits);
    block.cut_ = bits.overrun();
    if (!block.cut_) invert(origin, block.text_);
    block.text_bytes_ = block.text_.size();
  } catch (const Error&) {
    block.cut_ = bits.overrun();
    if (!block.cut_) throw;
  }
  block.end_ = bits.at();
  return block;
}

// Reads which bytes occur: 16 bits for 16 ranges of 16 bytes, then 16 bits for each of these.
void Bzip2Decoder::read_alphabet(BitReader& bits) {
  alphabet_.clear();
  const uint64_t ranges = bits.take(16);
  for (unsigned range = 0; range < 16; ++range) {
    if ((ranges >> (15 - range) & 1) == 0) continue;
    const uint64_t used = bits.take(16);
    for (unsigned i = 0; i < 16; ++i) {
      if ((used >> (15 - i) & 1) != 0) alphabet_.push_back(static_cast<uint8_t>(range * 16 + i));
    }
  }
  if (alphabet_.empty()) refuse_block("has no bytes");
}

// Reads the code of each group of symbols: its place in a list whose last used code comes first.
void Bzip2Decoder::read_selectors(BitReader& bits) {
  const size_t codes = bits.take(3);
  const size_t selectors = bits.take(15);
  if (codes < 2 || codes > 6 || selectors == 0) refuse_block("has a wrong header");
  std::array<uint8_t, 6> list{0, 1, 2, 3, 4, 5};
  selectors_.resize(selectors);
  for (uint8_t& selector : selectors_) {
    size_t place = 0;
    for (; bits.take(1) != 0; ++place) {
      if (place + 1 == codes) refuse_block("has wrong selectors");
    }
    std::rotate(list.begin(), list.begin() + place, list.begin() + place + 1);
    selector = list[0];
  }
}

// Reads the lengths of a code: that of the first symbol, then the differences of the next.
void Bzip2Decoder::read_code(BitReader& bits) {
  std::vector<uint8_t> lengths(alphabet_.size() + 2);
  auto length = static_cast<int>(bits.take(5));
  for (uint8_t& of_symbol : lengths) {
    for (;;) {
      if (length < 1 || length > Bzip2Code::kLongest) refuse_block("has wrong codes");
      if (bits.take(1) == 0) break;
      length += bits.take(1) == 0 ? 1 : -1;
    }
    of_symbol = static_cast<uint8_t>(length);
  }
  codes_.emplace_back(lengths);
}

// Reads the last column: places of bytes in a list whose last used byte comes first. Symbols 0 and
// 1 are the digits 1 and 2 of the number of repetitions of the list's first, the lowest digit
// first. Local copies let the compiler keep members in registers.
void Bzip2Decoder::read_column(BitReader& from) {
  BitReader bits = from;
  const PutBack put_back{from, bits};
  column_.resize(kLargestBzip2Text);
  uint8_t* const column = column_.data();
  size_t size = 0;
  std::array<uint8_t, 256> list{};
  std::copy(alphabet_.begin(), alphabet_.end(), list.begin());
  const size_t end = alphabet_.size() + 1;
  size_t run = 0;
  size_t digit = 1;
  for (const uint8_t selector : selectors_) {
    const Bzip2Code& code = codes_[selector];
    for (size_t i = 0; i < kGroupSymbols; ++i) {
      const size_t symbol = code.take(bits);
      if (symbol <= 1) {
        if (digit > kLargestBzip2Text) refuse_block("is too long");
        run += digit << symbol;
        digit *= 2;
        continue;
      }
      if (run > 0) {
        if (run > kLargestBzip2Text - size) refuse_block("is too long");
        std::fill_n(column + size, run, list[0]);
        size += run;
        run = 0;
        digit = 1;
      }
      if (symbol == end) {
        column_.resize(size);
        return;
      }
      if (size == kLargestBzip2Text) refuse_block("is too long");
      const size_t place = symbol - 1;
      const uint8_t byte = list[place];
      if (place < kNearPlaces) {  // nearly always, and faster than a call
        uint8_t moved = byte;
        for (size_t k = 0; k <= place; ++k) std::swap(list[k], moved);
      } else {
        std::memmove(list.data() + 1, list.data(), place);
        list[0] = byte;
      }
      column[size++] = byte;
    }
  }
  refuse_block("has no end");
}

// Restores the text whose sorted rotations have column_ as their last column, and whose row is
// `origin`. The rows of a text's bytes are far apart in memory, and each is known only when the one
// before has been read, so most of the time is spent waiting for memory. Therefore a step goes on
// by two bytes.
void Bzip2Decoder::invert(size_t origin, std::string& text) {
  const size_t size = column_.size();
  if (origin >= size) refuse_block("has a wrong origin");
  std::array<uint32_t, 257> begin{};  // of the rows that begin with a byte
  for (const uint8_t byte : column_) ++begin[byte + 1U];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  link_rows(begin);

  std::vector<uint8_t> first_of(size / kNearRows + 1);  // bytes of the rows 0, kNearRows, ...
  for (size_t near = 0, byte = 0; near < first_of.size(); ++near) {
    while (byte < 255 && begin[byte + 1] <= near * kNearRows) ++byte;
    first_of[near] = static_cast<uint8_t>(byte);
  }
  text.resize(size + 1);  // the last step may go on by one byte too many
  for (size_t at = 0, row = origin; at < size; at += 2) {
    size_t first = first_of[row / kNearRows];
    while (begin[first + 1] <= row) ++first;
    const uint32_t next = next_[row];
    text[at] = static_cast<char>(first);
    text[at + 1] = static_cast<char>(next);
    row = next >> 8;
  }
  text.resize(size);
}

// Fills next_. The row of the rotation that begins one byte earlier follows from the order: rows
// that begin with the same byte are in the order of the rows in which it comes last. `begin`: the
// first row that begins with each byte.
void Bzip2Decoder::link_rows(const std::array<uint32_t, 257>& begin) {
  const auto size = static_cast<uint32_t>(column_.size());
  std::vector<uint32_t> row_of_two(1 << 16);  // that begins with two bytes: the next one
  for (size_t byte = 0; byte < 256; ++byte) {
    for (uint32_t row = begin[byte]; row < begin[byte + 1]; ++row) {
      ++row_of_two[static_cast<size_t>(column_[row]) << 8 | byte];
    }
  }
  std::exclusive_scan(row_of_two.begin(), row_of_two.end(), row_of_two.begin(), 0U);
  std::array<uint32_t, 257> row_of_one = begin;
  next_.resize(kLargestBzip2Text);
  for (uint32_t row = 0; row < size; ++row) {
    const uint8_t second = column_[row];
    const uint8_t first = column_[row_of_one[second]++];
    next_[row_of_two[static_cast<size_t>(first) << 8 | second]++] = row << 8 | second;
  }
}

// Local copies, for the same reason.
size_t Bzip2Block::unpack(char* buffer, size_t size) {
  const std::string_view text = text_;
  size_t at = at_;
  int equal = equal_;
  char last = last_;
  size_t repeats = repeats_;
  size_t made = 0;
  while (made < size) {
    if (repeats > 0) {
      const size_t count = std::min(repeats, size - made);
      std::memset(buffer + made, last, count);
      made += count;
      repeats -= count;
      continue;
    }
    if (at == text.size()) break;
    const char byte = text[at++];
    equal = byte == last ? equal + 1 : 1;
    last = byte;
    buffer[made++] = byte;
    if (equal == 4) {
      equal = 0;
      if (at < text.size()) repeats = static_cast<uint8_t>(text[at++]);
    }
  }
  at_ = at;
  equal_ = equal;
  last_ = last;
  repeats_ = repeats;
  running_ = add_to_checksum(running_, {buffer, made});
  if (at_ < text_.size() || repeats_ > 0) return made;
  text_ = {};
  at_ = 0;
  if (~running_ != checksum_) refuse_block("has a wrong checksum");
  return made;
}

}  // namespace acevec
