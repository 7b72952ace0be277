#include "cluster/bytes.h"

namespace acevec {

void put_bytes(Bytes& bytes, const void* data, size_t size) {
  const size_t had = bytes.size();
  bytes.resize(had + size);
  if (size > 0) std::memcpy(bytes.data() + had, data, size);
}

}  // namespace acevec
