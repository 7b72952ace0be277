// A block's products by the machine's bfloat16 instruction.
#pragma once

#include <cstdint>
#include <memory>

#include "tasks/word/block_products.h"

namespace acevec {

// As make_products(), where has_bfloat16_products().
std::unique_ptr<BlockProducts> make_bfloat16_products(const BlockShape& shape, int64_t size);

}  // namespace acevec
