// Bytes for the tests of sources, and what is read of files.
#pragma once

#include <zlib.h>

#include <string>

#include "base/error.h"
#include "base/random.h"
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
  try {
    all_of(path);
  } catch (const Error& error) {
    return error.what();
  }
  return "read";
}

}  // namespace acevec
