// How near the encoder of acevec metric comes to the machine: a training step's products for a
// batch of 256 points of 784 numbers, layers of 512, 256 and 32, in GFLOP/s, beside OpenBLAS's
// sgemm with one thread at the size of the largest of them. docs/experiments/metric.md has figures.

#include <benchmark/benchmark.h>
#include <cblas.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "math/aligned.h"
#include "tasks/metric/encoder.h"

namespace {

using acevec::AlignedFloats;

constexpr int64_t kRows = 256;

AlignedFloats random_floats(int64_t size) {
  AlignedFloats floats(size);
  acevec::Random random(1, acevec::Stream::kUnnamed);
  for (int64_t i = 0; i < size; ++i) floats.data()[i] = random.uniform() - 0.5F;
  return floats;
}

void set_flops(benchmark::State& state, int64_t flops) {
  state.counters["GFLOP/s"] = benchmark::Counter(
      static_cast<double>(flops * state.iterations()) * 1e-9, benchmark::Counter::kIsRate);
}

// 256 × 784 by 784 × 512.
void sgemm(benchmark::State& state) {
  constexpr int kM = kRows, kK = 784, kN = 512;
  openblas_set_num_threads(1);
  const AlignedFloats a = random_floats(kM * kK), b = random_floats(kK * kN);
  AlignedFloats c(kM * kN);
  for (auto _ : state) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, kM, kN, kK, 1.0F, a.data(), kK, b.data(),
                kN, 0.0F, c.data(), kN);
    benchmark::ClobberMemory();
  }
  set_flops(state, int64_t{2} * kM * kN * kK);
}

// Forward, and backward with Adam's step of all layers, whose time counts too.
void step(benchmark::State& state) {
  acevec::Encoder encoder({784, {512, 256}, 32});
  acevec::Matrix points(2, 784);
  std::fill_n(points.row(1), 784, 1.0F);
  acevec::start_encoder(encoder, points, 1);
  const acevec::OptimizerSettings adam;
  std::vector<acevec::Matrix> moments;
  int64_t products = 0;
  for (size_t i = 0; i < encoder.layers.size(); ++i) {
    const acevec::Matrix& layer = encoder.layers[i];
    moments.push_back(acevec::Optimizer::moments_for(adam, layer.rows(), layer.stride()));
    products += (i == 0 ? 2 : 3) * (layer.rows() - 1) * layer.columns();
  }
  acevec::EncoderBatch batch(encoder, moments, adam, kRows, 1);
  const AlignedFloats x = random_floats(kRows * 784);
  std::copy_n(x.data(), kRows * 784, batch.input(0));
  for (auto _ : state) {
    batch.forward(kRows);
    std::fill_n(batch.gradient(), kRows * batch.width(), 1e-4F);
    batch.backward(1e-6F);
    benchmark::ClobberMemory();
  }
  set_flops(state, 2 * kRows * products);
}

BENCHMARK(sgemm)->Name("sgemm 256 x 784 x 512");
BENCHMARK(step)->Name("training step 784-512-256-32");

}  // namespace

BENCHMARK_MAIN();
