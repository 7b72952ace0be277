// Files of any bytes, packed or not: the steps in which they are read do not matter, nor do the
// threads; plain bytes are left as they are, and what is unpacked of gzip is what zlib's own reader
// unpacks. (Fuzzers do not guess checksums, so of other packings little but damage is tried.)

#include <zlib.h>

#include <optional>

#include "fuzz.h"
#include "text/source.h"
#include "text/unpacker.h"

namespace acevec {
namespace {

std::optional<std::string> read_in_steps(const std::string& path, size_t step, int threads) {
  std::string all;
  const bool is_read = accepted([&] {
    Source source(path, TextFormat::kWiki, threads);  // which leaves a byte order mark where it is
    std::string piece(step, '\0');
    while (const size_t got = source.read_some(piece.data(), step)) all.append(piece, 0, got);
  });
  return is_read ? std::optional(all) : std::nullopt;
}

std::string read_by_zlib(const std::string& path) {
  const gzFile file = gzopen(path.c_str(), "rb");
  std::string all;
  char piece[4096];
  for (int got; (got = gzread(file, piece, sizeof piece)) > 0;) {
    all.append(piece, static_cast<size_t>(got));
  }
  gzclose(file);
  return all;
}

}  // namespace
}  // namespace acevec

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace acevec;
  if (size == 0) return 0;
  const std::string_view bytes = view_of(data + 1, size - 1);
  const MemoryFile file(bytes);
  const std::optional<std::string> read = read_in_steps(file.path(), 1 << 16, 1);
  REQUIRE_ALWAYS(read == read_in_steps(file.path(), size_t{1} + data[0], 2));
  if (!read) return 0;
  const bool is_gzip = bytes.starts_with("\x1f\x8b");
  if (!is_gzip && make_unpacker(bytes, 1)) return 0;
  REQUIRE_ALWAYS(*read == (is_gzip ? read_by_zlib(file.path()) : bytes));
  return 0;
}
