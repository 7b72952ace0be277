// The scores; what each computes is in its .cc.
#pragma once

#include <cstdint>
#include <memory>

#include "tasks/kg/score.h"

namespace acevec {

std::unique_ptr<Score> make_transe(int64_t size);
std::unique_ptr<Score> make_distmult(int64_t size);
std::unique_ptr<Score> make_complex(int64_t size);
std::unique_ptr<Score> make_rotate(int64_t size);
std::unique_ptr<Score> make_transd(int64_t size);

}  // namespace acevec
