// How near a gated unit comes to the machine: its forward and backward pass over a batch of
// sentences of different lengths, in GFLOP/s of its products, beside OpenBLAS's sgemm with one
// thread at the same size. sentences.py runs this.

#include <benchmark/benchmark.h>
#include <cblas.h>

#include <cstdint>
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
    for (int64_t i = 0; i < kSentences; ++i) {
      steps += 1 + random.below(22) + random.below(22);
      ends.push_back(static_cast<size_t>(steps));
    }
  }

  Gru gru;
  std::vector<size_t> ends;
  int64_t steps = 0;
};

void run(benchmark::State& state, bool back) {
  Batch batch;
  const int64_t width = acevec::padded(kSize);
  acevec::Random random(3);
  const acevec::Matrix parameters = Gru::parameters(kSize, kSize, random);
  const AlignedFloats x = random_floats(batch.steps * width);
  const AlignedFloats down = random_floats(kSentences * width);
  AlignedFloats x_gradient(batch.steps * width);
  AlignedFloats gradient(parameters.rows() * parameters.stride());
  std::vector<const float*> inputs;
  std::vector<float*> input_gradients;
  for (int64_t i = 0; i < batch.steps; ++i) {
    inputs.push_back(x.data() + i * width);
    input_gradients.push_back(x_gradient.data() + i * width);
  }
  for (auto _ : state) {
    batch.gru.forward(parameters.row(0), inputs, batch.ends);
    if (back) {
      batch.gru.backward(parameters.row(0), down.data(), input_gradients, gradient.data());
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
