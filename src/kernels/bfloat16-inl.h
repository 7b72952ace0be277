// Helpers for kernels that use the processor's bfloat16 instructions.
#pragma once

#include <hwy/highway.h>

#include <cstdint>

#include "kernels/bfloat16.h"

#if HWY_ARCH_X86_64
#if HWY_COMPILER_GCC_ACTUAL  // GCC 12 warns about its own intrinsics
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

// The rounded numbers of `lower`, then those of `upper`.
HWY_INLINE __m512i round_two(__m512 lower, __m512 upper) {
  return (__m512i)_mm512_cvtne2ps_pbh(upper, lower);
}

// Numbers 0, 16, 1, 17, ... of 32: pairs the columns of two rows.
HWY_INLINE __m512i interleaved(__m512i rows) {
  alignas(64) static constexpr uint16_t kOrder[] = {0,  16, 1,  17, 2,  18, 3,  19, 4,  20, 5,
                                                    21, 6,  22, 7,  23, 8,  24, 9,  25, 10, 26,
                                                    11, 27, 12, 28, 13, 29, 14, 30, 15, 31};
  return _mm512_permutexvar_epi16(_mm512_load_si512(kOrder), rows);
}

// round_rows() of two rows; `second` may be null.
HWY_INLINE void round_two_rows(const float* first, const float* second, int64_t width,
                               const RowsAsPairs& to) {
  Pair *along = to.along, *across = to.across;
  const int64_t along_step = to.along_layout.step, across_step = to.across_layout.step;
  int64_t c = 0;
  for (; second != nullptr && c + 2 * kPairLanes <= width; c += 2 * kPairLanes) {
    const __m512i lower = round_two(_mm512_loadu_ps(first + c), _mm512_loadu_ps(second + c));
    const __m512i upper = round_two(_mm512_loadu_ps(first + c + kPairLanes),
                                    _mm512_loadu_ps(second + c + kPairLanes));
    _mm512_storeu_si512(across, interleaved(lower));
    _mm512_storeu_si512(across + across_step, interleaved(upper));
    _mm512_storeu_si512(along, _mm512_shuffle_i64x2(lower, upper, 0x44));
    _mm512_storeu_si512(along + to.along_layout.stride, _mm512_shuffle_i64x2(lower, upper, 0xee));
    across += 2 * across_step;
    along += along_step;
  }
  for (; c < width; c += kPairLanes) {
    const __mmask16 some = first_lanes(width - c);
    const __m512 lower = _mm512_maskz_loadu_ps(some, first + c);
    const __m512i both = round_two(
        lower, second == nullptr ? _mm512_setzero_ps() : _mm512_maskz_loadu_ps(some, second + c));
    _mm512_mask_storeu_epi32(across, some, interleaved(both));
    across += across_step;
    const bool upper_half = c % (2 * kPairLanes) != 0;
    auto* const half = reinterpret_cast<uint16_t*>(along) + (upper_half ? kPairLanes : 0);
    if (upper_half) along += along_step;
    _mm256_mask_storeu_epi16(half, some, _mm512_castsi512_si256(both));
    if (second == nullptr) continue;
    _mm256_mask_storeu_epi16(half + 2 * to.along_layout.stride, some,
                             _mm512_extracti64x4_epi64(both, 1));
  }
}

// Returns where the rows from i on go; i is even.
HWY_INLINE RowsAsPairs from_row(int64_t i, const RowsAsPairs& to) {
  return {to.along + i * to.along_layout.stride, to.along_layout,
          to.across + i / 2 * to.across_layout.stride, to.across_layout};
}

// Transposes 16 rows of 16 pairs. Loads put four rows' pairs of four columns into one vector, so
// that half of the exchanges need no shuffle.
HWY_INLINE void transpose(const Pair* from, int64_t stride, Pair* to, int64_t to_stride) {
#pragma GCC unroll 4
  for (int64_t j = 0; j < 16; j += 4) {
    __m512i rows[4];
#pragma GCC unroll 4
    for (int64_t i = 0; i < 4; ++i) {
      const auto four = [&](int64_t row) {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + row * stride + j));
      };
      rows[i] = _mm512_broadcast_i32x4(four(i));
      rows[i] = _mm512_mask_broadcast_i32x4(rows[i], 0x00f0, four(i + 4));
      rows[i] = _mm512_mask_broadcast_i32x4(rows[i], 0x0f00, four(i + 8));
      rows[i] = _mm512_mask_broadcast_i32x4(rows[i], 0xf000, four(i + 12));
    }
    const __m512i a = _mm512_unpacklo_epi32(rows[0], rows[1]);
    const __m512i b = _mm512_unpacklo_epi32(rows[2], rows[3]);
    const __m512i c = _mm512_unpackhi_epi32(rows[0], rows[1]);
    const __m512i d = _mm512_unpackhi_epi32(rows[2], rows[3]);
    _mm512_storeu_si512(to + j * to_stride, _mm512_unpacklo_epi64(a, b));
    _mm512_storeu_si512(to + (j + 1) * to_stride, _mm512_unpackhi_epi64(a, b));
    _mm512_storeu_si512(to + (j + 2) * to_stride, _mm512_unpacklo_epi64(c, d));
    _mm512_storeu_si512(to + (j + 3) * to_stride, _mm512_unpackhi_epi64(c, d));
  }
}

}  // namespace
}  // namespace acevec
HWY_POP_ATTRIBUTES

#endif
