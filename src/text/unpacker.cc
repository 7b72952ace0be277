#include "text/unpacker.h"

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <new>

#include "base/error.h"

namespace acevec {
namespace {

using namespace std::string_view_literals;

constexpr uint64_t kMostXzBytes = 1 << 30;  // memory limit; files of `xz -9` need 65 MiB

// Removes the zeros that may follow a packed text. Returns whether there were any.
bool skip_zeros(std::string_view& packed) {
  const size_t zeros = std::min(packed.find_first_not_of('\0'), packed.size());
  packed.remove_prefix(zeros);
  return zeros > 0;
}

class Gzip : public Unpacker {
 public:
  Gzip() {
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~Gzip() override { inflateEnd(&stream_); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  size_t unpack(std::string_view& packed, bool last, char* buffer, size_t size) override {
    size_t made = 0;
    while (made < size) {
      if (place_ != Place::kMember) {
        if (skip_zeros(packed)) place_ = Place::kAfterZeros;
        if (packed.empty()) break;
        if (place_ == Place::kAfterZeros || packed.front() != '\x1f') {
          throw Error("bytes that are not gzip follow its end");
        }
        inflateReset(&stream_);
        place_ = Place::kMember;
      }
      // zlib's interface is older than const.
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
      stream_.avail_in = at_once(packed.size());
      stream_.next_out = reinterpret_cast<Bytef*>(buffer + made);
      stream_.avail_out = at_once(size - made);
      const uInt offered = stream_.avail_in;
      const uInt room = stream_.avail_out;
      const int status = inflate(&stream_, Z_NO_FLUSH);
      packed.remove_prefix(offered - stream_.avail_in);
      made += room - stream_.avail_out;
      if (status == Z_MEM_ERROR) throw std::bad_alloc();
      if (status == Z_STREAM_END) {
        place_ = Place::kAfterMember;
      } else if (status == Z_BUF_ERROR) {  // these bytes allow no progress
        break;
      } else if (status != Z_OK) {
        throw Error(stream_.msg != nullptr ? stream_.msg : "the data is not gzip");
      }
    }
    if (made == 0 && last && place_ == Place::kMember) throw Error(kCutFile);
    return made;
  }

 private:
  enum class Place { kMember, kAfterMember, kAfterZeros };

  static constexpr int kGzipOnly = 15 + 16;  // windows of any size, with gzip's header and trailer
  static uInt at_once(size_t size) {
    return static_cast<uInt>(std::min<size_t>(size, std::numeric_limits<uInt>::max()));
  }

  z_stream stream_{};
  Place place_ = Place::kMember;
};

class Xz : public Unpacker {
 public:
  Xz() {
    if (lzma_stream_decoder(&stream_, kMostXzBytes, LZMA_CONCATENATED) != LZMA_OK) {
      throw std::bad_alloc();
    }
  }
  ~Xz() override { lzma_end(&stream_); }
  Xz(const Xz&) = delete;
  Xz& operator=(const Xz&) = delete;

  size_t unpack(std::string_view& packed, bool last, char* buffer, size_t size) override {
    if (ended_) return 0;
    stream_.next_in = reinterpret_cast<const uint8_t*>(packed.data());
    stream_.avail_in = packed.size();
    stream_.next_out = reinterpret_cast<uint8_t*>(buffer);
    stream_.avail_out = size;
    lzma_ret status = LZMA_OK;
    while (status == LZMA_OK && stream_.avail_out > 0 && (last || stream_.avail_in > 0)) {
      status = lzma_code(&stream_, last ? LZMA_FINISH : LZMA_RUN);
    }
    packed.remove_prefix(packed.size() - stream_.avail_in);
    ended_ = status == LZMA_STREAM_END;
    const size_t made = size - stream_.avail_out;
    if (status == LZMA_MEM_ERROR) throw std::bad_alloc();
    if (status == LZMA_BUF_ERROR) {  // these bytes allow no progress
      if (last && made == 0) throw Error(kCutFile);
    } else if (status != LZMA_OK && !ended_) {
      throw Error(status == LZMA_OPTIONS_ERROR    ? "it is an unsupported kind of xz"
                  : status == LZMA_MEMLIMIT_ERROR ? "unpacking takes more than 1 GiB of memory"
                                                  : "the data is not xz");
    }
    return made;
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool ended_ = false;
};

class Zstd : public Unpacker {
 public:
  Zstd() : context_(ZSTD_createDStream(), ZSTD_freeDStream) {
    if (!context_) throw std::bad_alloc();
  }

  size_t unpack(std::string_view& packed, bool last, char* buffer, size_t size) override {
    ZSTD_outBuffer output{buffer, size, 0};
    while (output.pos == 0) {
      if (at_end_ && skip_zeros(packed)) after_zeros_ = true;
      if (after_zeros_ && !packed.empty()) throw Error("bytes follow its end that are not zstd");
      if (at_end_ && packed.empty()) break;
      ZSTD_inBuffer input{packed.data(), packed.size(), 0};
      const size_t status = ZSTD_decompressStream(context_.get(), &output, &input);
      packed.remove_prefix(input.pos);
      if (ZSTD_isError(status) != 0) throw Error(ZSTD_getErrorName(status));
      at_end_ = status == 0;
      if (!at_end_ && output.pos == 0 && input.pos == input.size) {
        if (last) throw Error(kCutFile);
        break;
      }
    }
    return output.pos;
  }

 private:
  std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> context_;
  bool at_end_ = false;  // at the end of a frame
  bool after_zeros_ = false;
};

template <class Packing>
std::unique_ptr<Unpacker> make(int) {
  return std::make_unique<Packing>();
}

struct FirstBytes {
  std::string_view bytes;  // '?' stands for a digit
  std::unique_ptr<Unpacker> (*make_unpacker)(int threads);
};
constexpr FirstBytes kFirstBytes[] = {
    {"\x1f\x8b"sv, make<Gzip>},
    {"BZh?\x31\x41\x59\x26\x53\x59"sv, make_bunzip2},
    {"BZh?\x17\x72\x45\x38\x50\x90"sv, make_bunzip2},  // an empty text
    {"\xfd\x37zXZ\0"sv, make<Xz>},
    {"\x28\xb5\x2f\xfd"sv, make<Zstd>},
};

constexpr size_t kFewestMagicBytes = 5;  // a shorter file with this many known bytes is not text

// Returns the number of bytes of `first` that equal those of `known`.
size_t equal_bytes(std::string_view first, std::string_view known) {
  size_t count = 0;
  for (size_t i = 0; i < std::min(first.size(), known.size()); ++i) {
    const bool is_level = known[i] == '?' && first[i] >= '1' && first[i] <= '9';
    count += first[i] == known[i] || is_level ? 1 : 0;
  }
  return count;
}

// A file whose first bytes are partly damaged is still not text, nor is a truncated one.
bool begins_as(std::string_view first, std::string_view known) {
  const size_t equal = equal_bytes(first, known);
  if (first.size() >= known.size()) return known.size() - equal <= known.size() / 5;
  return equal == first.size() && equal >= kFewestMagicBytes;
}

}  // namespace

bool may_be_packed(std::string_view first) {
  return std::ranges::any_of(kFirstBytes, [&](const FirstBytes& known) {
    return first.size() < known.bytes.size() && equal_bytes(first, known.bytes) == first.size();
  });
}

std::unique_ptr<Unpacker> make_unpacker(std::string_view first, int threads) {
  for (const FirstBytes& known : kFirstBytes) {
    if (begins_as(first, known.bytes)) return known.make_unpacker(threads);
  }
  return nullptr;
}

}  // namespace acevec
