// bzip2 unpacks to the bytes that libbz2 packed, with any number of threads and wherever its blocks
// begin and end.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "refusal.h"
#include "text/source_bytes.h"
#include "text/unpacker.h"

namespace acevec {
namespace {

// Unpacks `file`, which comes `step` bytes at a time.
std::string unpacked(std::string_view file, int threads, size_t step = 100000,
                     size_t room = 65536) {
  const std::unique_ptr<Unpacker> unpacker = make_bunzip2(threads);
  std::string all;
  std::string buffer(room, '\0');
  std::string_view packed;
  for (bool last = false;;) {
    const size_t got = unpacker->unpack(packed, last, buffer.data(), buffer.size());
    all.append(buffer, 0, got);
    if (got > 0) continue;
    if (last) return all;
    packed = file.substr(0, step);
    file.remove_prefix(packed.size());
    last = file.empty();
  }
}

std::string why_refused(std::string_view file, int threads) {
  return refusal_of([&] { unpacked(file, threads); });
}

// Words, so that blocks differ in length and do not end at whole bytes.
std::string words(size_t size, uint64_t seed) {
  Random random(seed);
  std::string text;
  while (text.size() < size) {
    const size_t length = 1 + random.below(8);
    for (size_t i = 0; i < length; ++i) text += static_cast<char>('a' + random.below(6));
    text += random.below(9) == 0 ? '\n' : ' ';
  }
  return text;
}

std::vector<std::string> texts() {
  std::string all;
  for (int repeated = 0; repeated < 3; ++repeated) {
    for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  }
  std::string runs;  // of every length about those that are coded otherwise
  for (size_t length = 1; length < 600; ++length) {
    runs += std::string(length, static_cast<char>('a' + length % 2));
  }
  return {"",
          "a",
          "ab",
          "abc",
          std::string(4, 'a'),
          std::string(5, '\0'),
          std::string(255 + 4, 'x'),
          std::string(3000000, 'x'),  // one block: the text is longer than memory for blocks
          std::string(3000000, '\0') + "b",
          all,
          runs,
          words(350001, 2),
          random_bytes(250000)};
}

}  // namespace

TEST_CASE("bzip2's blocks unpack to their bytes with any number of threads") {
  for (const std::string& text : texts()) {
    CAPTURE(text.size());
    for (const int level : {1, 9}) {
      const std::string file = bzipped(text, level);
      for (const int threads : {1, 2, 5}) CHECK(unpacked(file, threads) == text);
    }
  }
  std::string pairs;  // a period, whose rotations repeat
  for (int i = 0; i < 50000; ++i) pairs += "ab";
  CHECK(unpacked(bzipped(pairs), 1) == pairs);
}

TEST_CASE("bzip2 comes in pieces of any size, and goes out in any") {
  const std::string text = words(250000, 3);
  const std::string file = bzipped(text, 1) + bzipped("", 5) + bzipped(text, 2);
  for (const size_t step : {size_t{1}, size_t{7}, size_t{5000}, file.size()}) {
    for (const int threads : {1, 3}) {
      CHECK(unpacked(file, threads, step, step) == text + text);
    }
  }
}

TEST_CASE("damage to bzip2 is refused and its place named") {
  const std::string text = words(250000, 4);
  const std::string file = bzipped(text, 1);
  for (const int threads : {1, 3}) {
    std::string damaged = file;
    damaged[8] = 'x';  // the first block's mark
    CHECK(why_refused(damaged, threads) == "the block at byte 4 is none");
    for (const size_t byte : {size_t{12}, size_t{14}, size_t{2000}, file.size() / 2}) {
      damaged = file;
      damaged[byte] = static_cast<char>(damaged[byte] ^ 1);
      const std::string why = why_refused(damaged, threads);
      CHECK(why.starts_with("the block at byte "));
      CHECK(why.ends_with(" is damaged"));
      CHECK((why == "the block at byte 4 is damaged") == (byte < 10000));
    }
    damaged = file;
    damaged[file.size() - 2] = static_cast<char>(damaged[file.size() - 2] ^ 64);  // the last sum
    CHECK(why_refused(damaged, threads) != "accepted");
    damaged = bzipped(words(850000, 4), 9);
    damaged[3] = '1';  // the block is longer than its stream allows
    CHECK(why_refused(damaged, threads) == "the block at byte 4 is damaged");
    damaged = file.substr(0, file.size() - 10) + file;  // a stream that does not end
    CHECK(why_refused(damaged, threads) != "accepted");
    damaged = file + file.substr(4);  // a stream that does not begin
    CHECK(why_refused(damaged, threads) == "bytes that are not bzip2 follow its end");
    for (size_t size = 1; size < file.size(); size = size * 5 / 4 + 1) {
      CHECK(why_refused(file.substr(0, size), threads) == "unexpected end of file");
    }
  }
}

// By chance a mark stands among the symbols of this block. (Found by trying blocks of six symbols
// whose codes can have the mark's bits, with every origin.)
TEST_CASE("a mark within a block of bzip2 is not taken for the next block") {
  const std::vector<unsigned char> bytes{0x42, 0x5a, 0x68, 0x31, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59,
                                         0x58, 0xc8, 0x4c, 0x47, 0x00, 0x00, 0x00, 0x01, 0x00, 0x3c,
                                         0x00, 0x20, 0x00, 0x21, 0x09, 0x02, 0x12, 0x2e, 0x31, 0x41,
                                         0x59, 0x26, 0x53, 0x59, 0x80, 0x03, 0xc5, 0xdc, 0x91, 0x4e,
                                         0x14, 0x24, 0x16, 0x32, 0x13, 0x11, 0xc0};
  const std::string file(bytes.begin(), bytes.end());
  std::string text;
  while (text.size() < 100) text += text.size() % 6 < 3 ? 'a' : 'b';
  const std::string more = words(150000, 6);
  const std::string all = file + bzipped(more, 1) + file;
  for (const int threads : {1, 2, 4}) {
    for (const size_t step : {size_t{1}, size_t{30}, all.size()}) {
      CHECK(unpacked(file, threads, step) == text);
      CHECK(unpacked(all, threads, step) == text + more + text);
    }
    CHECK(why_refused(file.substr(0, file.size() - 12), threads) != "accepted");
  }
}

}  // namespace acevec
