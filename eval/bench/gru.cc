// How near a gated unit comes to the machine: its forward and backward pass over a batch of
// sentences of different lengths, in GFLOP/s of its products, beside OpenBLAS's sgemm with one
// thread at the same size. sentences.py runs this.

#include <benchmark/benchmark.h>
#include <cblas.h>

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "base/random.h"
#include "math/aligned.h"
#include "nn/gru.h"

namespace {

using acevec::AlignedFloats;
using acevec::Gru;

constexpr int64_t kSize = 300;
constexpr int64_t kSentences = 128;

AlignedFloats random_floats(int64_t size) {
  AlignedFloats floats(size);
  acevec::Random random(1);
  for (int64_t i = 0; i < size; ++i) floats.data()[i] = 0.1F * (random.uniform() - 0.5F);
  return floats;
}

void set_flops(benchmark::State& state, int64_t flops) {
  state.counters["GFLOP/s"] = benchmark::Counter(
      static_cast<double>(flops * state.iterations()) * 1e-9, benchmark::Counter::kIsRate);
}

// 300 × 300 by 300 × 300, what a product of a gate would be.
void sgemm(benchmark::State& state) {
  constexpr int kN = kSize;
  openblas_set_num_threads(1);
  const AlignedFloats a = random_floats(kSize * kSize), b = random_floats(kSize * kSize);
  AlignedFloats c(kSize * kSize);
  for (auto _ : state) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, kN, kN, kN, 1.0F, a.data(), kN, b.data(),
                kN, 0.0F, c.data(), kN);
    benchmark::ClobberMemory();
  }
  set_flops(state, 2 * kSize * kSize * kSize);
}

// Lengths from 1 to 50, about 22 in the mean, as of sentences.
struct Batch {
  Batch() : gru(kSize, kSize) {
    acevec::Random random(2);
    std::vector<size_t> lengths;
    for (int64_t i = 0; i < kSentences; ++i) {
      lengths.push_back(1 + random.below(22) + random.below(22));
      steps += static_cast<int64_t>(lengths.back());
    }
    rows.resize(static_cast<size_t>(steps));
    std::iota(rows.begin(), rows.end(), 0);
    std::span<const int32_t> left = rows;
    for (const size_t length : lengths) {
      sequences.push_back(left.first(length));
      left = left.subspan(length);
    }
  }

  Gru gru;
  std::vector<int32_t> rows;  // each step has its own
  std::vector<std::span<const int32_t>> sequences;
  int64_t steps = 0;
};

void run(benchmark::State& state, bool back) {
  Batch batch;
  acevec::Random random(3);
  const acevec::Matrix parameters = Gru::parameters(kSize, kSize, random);
  acevec::Matrix x(batch.steps, kSize);
  for (int64_t i = 0; i < batch.steps; ++i) {
    for (int64_t k = 0; k < kSize; ++k) x.row(i)[k] = 2 * random.uniform() - 1;
  }
  const int64_t width = acevec::padded(kSize);
  const AlignedFloats down = random_floats(kSentences * width);
  AlignedFloats last(kSentences * width);
  AlignedFloats gradient(parameters.rows() * parameters.stride());
  for (auto _ : state) {
    batch.gru.arrange(batch.sequences);
    for (int64_t block = 0; block < batch.gru.blocks(); ++block) {
      batch.gru.forward(parameters.row(0), x, block, last.data());
      if (back) batch.gru.backward(parameters.row(0), down.data(), block);
    }
    for (int64_t block = 0; back && block < batch.gru.parameter_blocks(); ++block) {
      batch.gru.parameter_gradient(block, gradient.data());
    }
    benchmark::ClobberMemory();
  }
  // W and U, three gates each; backward has two products for each of forward's.
  set_flops(state, (back ? 3 : 1) * 2 * batch.steps * 6 * kSize * kSize);
}

void forward(benchmark::State& state) {
  run(state, false);
}
void forward_and_backward(benchmark::State& state) {
  run(state, true);
}

}  // namespace

BENCHMARK(sgemm);
BENCHMARK(forward);
BENCHMARK(forward_and_backward);
BENCHMARK_MAIN();
