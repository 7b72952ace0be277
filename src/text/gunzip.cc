#include "text/gunzip.h"

#include <algorithm>
#include <limits>
#include <new>

#include "base/error.h"

namespace acevec {
namespace {

constexpr int kGzipOnly = 15 + 16;  // windows of any size, and gzip's head and end around the data

uInt at_once(size_t size) {
  return static_cast<uInt>(std::min<size_t>(size, std::numeric_limits<uInt>::max()));
}

}  // namespace

Gunzip::Gunzip() {
  if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
}

size_t Gunzip::unpack(std::string_view& packed, char* buffer, size_t size) {
  size_t made = 0;
  while (made < size) {
    if (place_ != Place::kMember) {
      const size_t zeros = std::min(packed.find_first_not_of('\0'), packed.size());
      packed.remove_prefix(zeros);
      if (zeros > 0) place_ = Place::kBehindZeros;
      if (packed.empty()) break;
      if (place_ == Place::kBehindZeros || packed.front() != '\x1f') {
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
      place_ = Place::kBehindMember;
    } else if (status == Z_BUF_ERROR) {  // nothing more can be done with these bytes
      break;
    } else if (status != Z_OK) {
      throw Error(stream_.msg != nullptr ? stream_.msg : "the data is not gzip");
    }
  }
  return made;
}

}  // namespace acevec
