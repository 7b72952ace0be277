// Bytes for the tests of sources, and what is read of files.
#pragma once

#include <bzlib.h>
#include <doctest/doctest.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <string>

#include "base/error.h"
#include "base/random.h"
#include "refusal.h"
#include "temporary_folder.h"
#include "text/source.h"

namespace acevec {

// `bytes` as one gzip member.
inline std::string packed(const std::string& bytes) {
  const TemporaryFolder folder;
  const gzFile file = gzopen(folder.path("packed").c_str(), "wb");
  gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(file);
  return folder.read("packed");
}

// The same as one stream of bzip2, by libbz2, in blocks of `level` times 100,000 bytes.
inline std::string bzipped(std::string bytes, int level = 9) {
  std::string result(bytes.size() + bytes.size() / 50 + 1000, '\0');
  auto size = static_cast<unsigned>(result.size());
  REQUIRE(BZ2_bzBuffToBuffCompress(result.data(), &size, bytes.data(),
                                   static_cast<unsigned>(bytes.size()), level, 0, 0) == BZ_OK);
  result.resize(size);
  return result;
}

// As one stream of xz.
inline std::string xzipped(const std::string& bytes) {
  std::string result(lzma_stream_buffer_bound(bytes.size()), '\0');
  size_t size = 0;
  REQUIRE(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, nullptr,
                                  reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size(),
                                  reinterpret_cast<uint8_t*>(result.data()), &size,
                                  result.size()) == LZMA_OK);
  result.resize(size);
  return result;
}

// As one frame of zstd, with a checksum as the program writes it.
inline std::string zstd_packed(const std::string& bytes) {
  std::string result(ZSTD_compressBound(bytes.size()), '\0');
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  result.resize(ZSTD_compress2(context, result.data(), result.size(), bytes.data(), bytes.size()));
  ZSTD_freeCCtx(context);
  return result;
}

inline std::string random_bytes(size_t size) {
  Random random(1);
  std::string bytes = "text";  // no archive begins so
  while (bytes.size() < size) bytes += static_cast<char>(random() & 0xff);
  return bytes;
}

// All bytes, `step` at a time.
inline std::string read_by(Source& source, size_t step) {
  std::string all;
  std::string piece(step, '\0');
  for (size_t got = step; got == step;) {
    got = source.read(piece.data(), step);
    all.append(piece, 0, got);
  }
  return all;
}

inline std::string all_of(const std::string& path) {
  Source source(path);
  return read_by(source, 1 << 16);
}

// Why a file is refused.
inline std::string refusal(const std::string& path) {
  return refusal_of([&] { all_of(path); });
}

}  // namespace acevec
