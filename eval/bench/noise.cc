// How long the noise distribution of a million words takes to find, and how long a draw from it:
// with Zipf's law, as words have it, and with counts that are all different, which no text has.
// noise.py runs this and sets it out as a table.
//
//   make bench-noise        (or: build/bench_noise --benchmark_filter=zipf)

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "commands/shared_options.h"
#include "math/alias.h"
#include "noise/noise.h"

namespace {

using Counts = std::vector<int64_t>;
using Arguments = std::vector<std::string>;
using Work = void (*)(benchmark::State&, const Arguments&, const Counts&);

constexpr int64_t kWords = 1000000;

Counts zipf_counts() {
  Counts counts;
  for (int64_t rank = 1; rank <= kWords; ++rank) counts.push_back(1 + 70 * kWords / rank);
  return counts;
}

Counts distinct_counts() {
  Counts counts;
  for (int64_t rank = 1; rank <= kWords; ++rank) {
    counts.push_back((int64_t{1} << 40) / rank + kWords - rank);
  }
  return counts;
}

// Of options with their values, as acevec noise takes them.
acevec::NoiseSettings settings(const Arguments& options) {
  acevec::NoiseSettings noise;
  acevec::OptionTable table;
  acevec::declare_noise(noise, table);
  for (size_t i = 0; i < options.size(); i += 2) {
    table.find(options[i].substr(1))->set(options[i + 1]);
  }
  return noise;
}

void set_classes(benchmark::State& state, const Counts& counts) {
  state.counters["classes"] = static_cast<double>(acevec::count_classes(counts).size());
}

// From the vocabulary's counts to its probabilities, finding the classes included.
void solve(benchmark::State& state, const Arguments& arguments, const Counts& counts) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(acevec::noise_distribution(settings(arguments), counts));
  }
  set_classes(state, counts);
}

void draw(benchmark::State& state, const Arguments& arguments, const Counts& counts) {
  const acevec::AliasTable table(
      acevec::noise_distribution(settings(arguments), counts).probabilities);
  acevec::Random random(1);
  for (auto _ : state) benchmark::DoNotOptimize(table.draw(random));
  set_classes(state, counts);
}

// Benchmarks are named work/counts/options.
void register_work(const char* work, Work function, const char* name, const Counts& counts) {
  const Arguments noises[] = {
      {"-noise", "unigram"},
      {"-noise", "power"},
      {"-noise", "uniform"},
      {"-noise", "qcem"},
      {"-noise", "qcem", "-noise-budget", "0.5"},
      {"-noise", "qcem-relative"},
      {"-noise", "entropy"},
      {"-noise", "entropy", "-noise-budget", "0.5"},
      {"-noise", "entropy-isotropic"},
  };
  for (const Arguments& arguments : noises) {
    std::string full_name = std::string(work) + "/" + name + "/";
    for (const std::string& word : arguments) {
      full_name += (full_name.ends_with('/') ? "" : " ") + word;
    }
    benchmark::RegisterBenchmark(full_name.c_str(),
                                 [function, arguments, &counts](benchmark::State& state) {
                                   function(state, arguments, counts);
                                 });
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const Counts zipf = zipf_counts();
  const Counts distinct = distinct_counts();
  register_work("solve", solve, "zipf", zipf);
  register_work("solve", solve, "distinct", distinct);
  register_work("draw", draw, "zipf", zipf);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
