#include "text/bzip2_block.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

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

// A prefix code: codes of each length are consecutive numbers, in the order of their symbols.
class PrefixCode {
 public:
  static constexpr int kLongest = 20;  // bits

  // `lengths`: bits of each symbol's code, 1 .. kLongest. Throws Error when there is no such code.
  explicit PrefixCode(const std::vector<uint8_t>& lengths);

  // Takes the next symbol. Throws Error when the bits are no code.
  size_t take(BitReader& bits) const {
    const uint16_t found = short_[bits.peek(kShort)];
    if (found == 0) return take_long(bits);
    bits.skip(found >> 9);
    return found & 0x1ff;
  }

 private:
  static constexpr int kShort = 10;  // bits of codes that are found in a table

  size_t take_long(BitReader& bits) const;

  std::array<uint16_t, 1 << kShort> short_{};  // length << 9 | symbol; 0: a longer code
  // For each length: the number behind its last code, and what to add to a code of that length for
  // the place of its symbol.
  std::array<uint32_t, kLongest + 1> end_{};
  std::array<uint32_t, kLongest + 1> place_{};
  std::vector<uint16_t> symbols_;  // by length
};

PrefixCode::PrefixCode(const std::vector<uint8_t>& lengths) {
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

size_t PrefixCode::take_long(BitReader& bits) const {
  const auto next = static_cast<uint32_t>(bits.peek(kLongest));
  for (size_t length = 1; length <= kLongest; ++length) {
    const uint32_t code = next >> (kLongest - length);
    if (code >= end_[length]) continue;
    bits.skip(static_cast<int>(length));
    return symbols_[code + place_[length]];
  }
  refuse_block("has a code that is unknown");
}

// Reads which bytes occur: 16 bits for 16 ranges of 16 bytes, then 16 bits for each of these.
std::vector<uint8_t> read_alphabet(BitReader& bits) {
  std::vector<uint8_t> alphabet;
  const uint64_t ranges = bits.take(16);
  for (unsigned range = 0; range < 16; ++range) {
    if ((ranges >> (15 - range) & 1) == 0) continue;
    const uint64_t used = bits.take(16);
    for (unsigned i = 0; i < 16; ++i) {
      if ((used >> (15 - i) & 1) != 0) alphabet.push_back(static_cast<uint8_t>(range * 16 + i));
    }
  }
  if (alphabet.empty()) refuse_block("has no bytes");
  return alphabet;
}

// Reads which of `codes` codes each group of symbols has: its place in a list whose last used code
// comes first.
std::vector<uint8_t> read_selectors(size_t codes, BitReader& bits) {
  const size_t selectors = bits.take(15);
  if (codes < 2 || codes > 6 || selectors == 0) refuse_block("has a wrong header");
  std::array<uint8_t, 6> list{0, 1, 2, 3, 4, 5};
  std::vector<uint8_t> chosen(selectors);
  for (uint8_t& selector : chosen) {
    size_t place = 0;
    for (; bits.take(1) != 0; ++place) {
      if (place + 1 == codes) refuse_block("has wrong selectors");
    }
    std::rotate(list.begin(), list.begin() + place, list.begin() + place + 1);
    selector = list[0];
  }
  return chosen;
}

// Reads the lengths of a code: that of the first symbol, then the differences of the next.
PrefixCode read_code(size_t symbols, BitReader& bits) {
  std::vector<uint8_t> lengths(symbols);
  auto length = static_cast<int>(bits.take(5));
  for (uint8_t& of_symbol : lengths) {
    for (;;) {
      if (length < 1 || length > PrefixCode::kLongest) refuse_block("has wrong codes");
      if (bits.take(1) == 0) break;
      length += bits.take(1) == 0 ? 1 : -1;
    }
    of_symbol = static_cast<uint8_t>(length);
  }
  return PrefixCode(lengths);
}

// Reads the last column of the sorted rotations (Burrows and Wheeler): places of bytes in a list
// whose last used byte comes first. Symbols 0 and 1 are the digits 1 and 2 of the number of
// repetitions of the list's first, the lowest digit first. Local copies let the compiler keep
// members in registers.
std::vector<uint8_t> read_column(BitReader& from) {
  BitReader bits = from;
  const PutBack put_back{from, bits};
  const std::vector<uint8_t> alphabet = read_alphabet(bits);
  const size_t end = alphabet.size() + 1;
  const size_t number_of_codes = bits.take(3);
  const std::vector<uint8_t> selectors = read_selectors(number_of_codes, bits);
  std::vector<PrefixCode> codes;
  while (codes.size() < number_of_codes) codes.push_back(read_code(end + 1, bits));
  std::vector<uint8_t> bytes(kLargestBzip2Text);
  uint8_t* const column = bytes.data();
  size_t size = 0;
  std::array<uint8_t, 256> list{};
  std::copy(alphabet.begin(), alphabet.end(), list.begin());
  size_t run = 0;
  size_t digit = 1;
  for (const uint8_t selector : selectors) {
    const PrefixCode& code = codes[selector];
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
        bytes.resize(size);
        return bytes;
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

// For each row of the sorted rotations: the row that begins two bytes further on << 8 | its own
// second byte. The row of the rotation that begins one byte earlier follows from the order: rows
// that begin with the same byte are in the order of the rows in which it comes last. `begin`: the
// first row that begins with each byte.
std::unique_ptr<uint32_t[]> linked_rows(const std::vector<uint8_t>& column,
                                        const std::array<uint32_t, 257>& begin) {
  const auto size = static_cast<uint32_t>(column.size());
  std::vector<uint32_t> row_of_two(1 << 16);  // that begins with two bytes: the next one
  for (size_t byte = 0; byte < 256; ++byte) {
    for (uint32_t row = begin[byte]; row < begin[byte + 1]; ++row) {
      ++row_of_two[static_cast<size_t>(column[row]) << 8 | byte];
    }
  }
  std::exclusive_scan(row_of_two.begin(), row_of_two.end(), row_of_two.begin(), 0U);
  std::array<uint32_t, 257> row_of_one = begin;
  auto next = std::make_unique_for_overwrite<uint32_t[]>(size);
  for (uint32_t row = 0; row < size; ++row) {
    const uint8_t second = column[row];
    const uint8_t first = column[row_of_one[second]++];
    next[row_of_two[static_cast<size_t>(first) << 8 | second]++] = row << 8 | second;
  }
  return next;
}

// Restores the text whose sorted rotations have this last column, and whose row is `origin`. The
// rows of a text's bytes are far apart in memory, and each is known only when the one before has
// been read, so most of the time is spent waiting for memory. Therefore a step goes on by two
// bytes.
std::string text_of(const std::vector<uint8_t>& column, size_t origin) {
  const size_t size = column.size();
  if (origin >= size) refuse_block("has a wrong origin");
  std::array<uint32_t, 257> begin{};  // of the rows that begin with a byte
  for (const uint8_t byte : column) ++begin[byte + 1U];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  const auto next_rows = linked_rows(column, begin);

  std::vector<uint8_t> first_of(size / kNearRows + 1);  // bytes of the rows 0, kNearRows, ...
  for (size_t near = 0, byte = 0; near < first_of.size(); ++near) {
    while (byte < 255 && begin[byte + 1] <= near * kNearRows) ++byte;
    first_of[near] = static_cast<uint8_t>(byte);
  }
  std::string text(size + 1, '\0');  // the last step may go on by one byte too many
  for (size_t at = 0, row = origin; at < size; at += 2) {
    size_t first = first_of[row / kNearRows];
    while (begin[first + 1] <= row) ++first;
    const uint32_t next = next_rows[row];
    text[at] = static_cast<char>(first);
    text[at + 1] = static_cast<char>(next);
    row = next >> 8;
  }
  text.resize(size);
  return text;
}

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

Bzip2Block::Bzip2Block(std::string_view packed, size_t begin) {
  BitReader bits(packed, begin);
  try {
    if (bits.take(kBzip2MarkBits) != kBzip2Block) refuse_block("does not begin there");
    checksum_ = static_cast<uint32_t>(bits.take(32));
    if (bits.take(1) != 0) refuse_block("is randomised, as by bzip2 before 0.9.5");
    const size_t origin = bits.take(24);
    const std::vector<uint8_t> column = read_column(bits);
    cut_ = bits.overrun();
    if (!cut_) text_ = text_of(column, origin);
  } catch (const Error&) {
    cut_ = bits.overrun();
    if (!cut_) throw;
  }
  text_bytes_ = text_.size();
  end_ = bits.at();
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
