#include "text/token_store.h"

namespace acevec {
namespace {

// Encoding in 16-bit units. 0 is a line end; an id i is stored as i + 1, in one unit if below 2¹⁵,
// else in two, the first with its top bit set.
constexpr uint32_t kOneUnit = 0x8000;

std::vector<uint16_t> encode(const std::vector<int32_t>& tokens) {
  std::vector<uint16_t> units;
  units.reserve(tokens.size() + tokens.size() / 4);
  for (const int32_t token : tokens) {
    const auto code = static_cast<uint32_t>(token + 1);
    if (code >= kOneUnit) units.push_back(static_cast<uint16_t>(kOneUnit | (code >> 16)));
    units.push_back(static_cast<uint16_t>(code));
  }
  return units;
}

void decode(const std::vector<uint16_t>& units, std::vector<int32_t>& tokens) {
  tokens.resize(units.size());
  size_t count = 0;
  for (size_t i = 0; i < units.size(); ++i) {
    uint32_t code = units[i];
    if (code >= kOneUnit) code = (code - kOneUnit) << 16 | units[++i];
    tokens[count++] = static_cast<int32_t>(code) - 1;
  }
  tokens.resize(count);
}

}  // namespace

void TokenStore::write(int64_t index, int owner, const std::vector<int32_t>& tokens) {
  const std::vector<uint16_t> units = encode(tokens);
  const auto bytes = static_cast<int64_t>(units.size() * sizeof(uint16_t));
  int64_t offset = 0;
  {
    const std::lock_guard lock(mutex_);
    if (index >= chunks()) chunks_.resize(static_cast<size_t>(index) + 1);
    Chunk& chunk = chunks_[static_cast<size_t>(index)];
    const bool fits = bytes <= chunk.bytes;  // in the space of the chunk that it replaces
    offset = fits ? chunk.offset : bytes_;
    if (!fits) bytes_ += bytes;
    chunk = {offset, bytes, owner};
  }
  file_.write(units.data(), bytes, offset);
}

int TokenStore::read(int64_t index, std::vector<int32_t>& tokens) const {
  const Chunk& chunk = chunks_[static_cast<size_t>(index)];
  std::vector<uint16_t> units(static_cast<size_t>(chunk.bytes) / sizeof(uint16_t));
  file_.read(units.data(), chunk.bytes, chunk.offset);
  decode(units, tokens);
  return chunk.owner;
}

std::vector<std::vector<int64_t>> TokenStore::chunks_by_owner() const {
  std::vector<std::vector<int64_t>> owned;
  for (int64_t index = 0; index < chunks(); ++index) {
    const auto owner = static_cast<size_t>(chunks_[static_cast<size_t>(index)].owner);
    if (owner >= owned.size()) owned.resize(owner + 1);
    owned[owner].push_back(index);
  }
  return owned;
}

}  // namespace acevec
