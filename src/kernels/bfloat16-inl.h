// For the files that compute with the machine's own instructions for bfloat16.
#pragma once

#include <hwy/highway.h>

#include <cstdint>

#include "kernels/bfloat16.h"

#if HWY_ARCH_X86_64
#if HWY_COMPILER_GCC_ACTUAL  // GCC 12 suspects its own intrinsics
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

// Highway 1.0.3 has no target with these instructions.
#define ACEVEC_BFLOAT16_TARGET "avx512f,avx512bw,avx512vl,avx512dq,avx512bf16"

HWY_PUSH_ATTRIBUTES(ACEVEC_BFLOAT16_TARGET)
namespace acevec {
namespace {

HWY_INLINE __mmask16 first_lanes(int64_t count) {
  return count >= kPairLanes ? __mmask16{0xffff} : static_cast<__mmask16>((1U << count) - 1);
}

// The numbers of `upper` behind those of `lower`.
HWY_INLINE __m512i round_two(__m512 lower, __m512 upper) {
  return (__m512i)_mm512_cvtne2ps_pbh(upper, lower);
}

// Numbers 0, 16, 1, 17, ... of 32: of two rows, those of a column side by side.
HWY_INLINE __m512i interleaved(__m512i rows) {
  alignas(64) static constexpr uint16_t kOrder[] = {0,  16, 1,  17, 2,  18, 3,  19, 4,  20, 5,
                                                    21, 6,  22, 7,  23, 8,  24, 9,  25, 10, 26,
                                                    11, 27, 12, 28, 13, 29, 14, 30, 15, 31};
  return _mm512_permutexvar_epi16(_mm512_load_si512(kOrder), rows);
}

// Two rows of `width` floats -> pairs, as round_rows() has them: along[0 ..] of the first row,
// along[stride ..] of the second; without a second one its half of `across` is 0.
HWY_INLINE void round_two_rows(const float* first, const float* second, int64_t width, Pair* along,
                               int64_t stride, Pair* across) {
  for (int64_t c = 0; c < width; c += kPairLanes) {
    const __mmask16 some = first_lanes(width - c);
    const __m512 lower = _mm512_maskz_loadu_ps(some, first + c);
    const __m512i both = round_two(
        lower, second == nullptr ? _mm512_setzero_ps() : _mm512_maskz_loadu_ps(some, second + c));
    _mm512_mask_storeu_epi32(across + c, some, interleaved(both));
    auto* const to = reinterpret_cast<uint16_t*>(along) + c;
    _mm256_mask_storeu_epi16(to, some, _mm512_castsi512_si256(both));
    if (second == nullptr) continue;
    _mm256_mask_storeu_epi16(to + 2 * stride, some, _mm512_extracti64x4_epi64(both, 1));
  }
}

// Lanes t of 16 rows of 16 -> rows t: blocks of 8 rows and lanes change places, then of 4, 2, 1.
HWY_INLINE void transpose(__m512i* rows) {
  const __m512i lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
#pragma GCC unroll 4
  for (int size = 8; size > 0; size /= 2) {
    const __m512i sizes = _mm512_set1_epi32(size);
    const __mmask16 odd = _mm512_test_epi32_mask(lanes, sizes);
    const __m512i upper = _mm512_add_epi32(lanes, _mm512_set1_epi32(16));
    const __m512i lower_of_both = _mm512_mask_sub_epi32(lanes, odd, upper, sizes);
    const __m512i upper_of_both = _mm512_mask_mov_epi32(_mm512_add_epi32(lanes, sizes), odd, upper);
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) {
      if ((i & size) != 0) continue;
      const __m512i a = rows[i];
      const __m512i b = rows[i + size];
      rows[i] = _mm512_permutex2var_epi32(a, lower_of_both, b);
      rows[i + size] = _mm512_permutex2var_epi32(a, upper_of_both, b);
    }
  }
}

}  // namespace
}  // namespace acevec
HWY_POP_ATTRIBUTES

#endif
