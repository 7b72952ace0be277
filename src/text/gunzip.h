// Unpacks gzip, strictly: only another member, or zeros that fill up a block, may follow a member.
#pragma once

#include <zlib.h>

#include <cstddef>
#include <string_view>

namespace acevec {

class Gunzip {
 public:
  Gunzip();  // throws std::bad_alloc
  ~Gunzip() { inflateEnd(&stream_); }
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  // Unpacks up to `size` bytes into `buffer` and takes what that used off the front of `packed`.
  // Returns their number; 0 when more of `packed` is needed. Throws Error, saying only what is
  // wrong, where the bytes are no gzip.
  size_t unpack(std::string_view& packed, char* buffer, size_t size);

  // Whether the packed bytes may end here.
  bool may_end() const { return place_ != Place::kMember; }

 private:
  enum class Place { kMember, kBehindMember, kBehindZeros };

  z_stream stream_{};
  Place place_ = Place::kMember;
};

}  // namespace acevec
