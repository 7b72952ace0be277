// How near training comes to the machine: products in GFLOP/s beside a large one-threaded sgemm of
// OpenBLAS, scattered rows in GB/s beside a plain copy, with every instruction set the machine has;
// and how fast text is read. Shapes, ids and contexts are those of the trainer at window 5 and
// 5 negatives; what padding adds is not counted. kernels.py runs this and sets it out as a table.
//
//   make bench-kernels        (or: build/bench_kernels --benchmark_filter=score)

#include <benchmark/benchmark.h>
#include <cblas.h>
#include <hwy/cache_control.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "kernels/bfloat16.h"
#include "kernels/hogwild.h"
#include "kernels/instruction_sets.h"
#include "kernels/logistic_loss.h"
#include "kernels/products.h"
#include "math/alias.h"
#include "math/aligned.h"
#include "math/matrix.h"
#include "tasks/word/block.h"
#include "text/corpus.h"

namespace {

using acevec::AlignedFloats;
using acevec::BlockTrainer;
using acevec::Matrix;
using acevec::Span;

constexpr int64_t kVocabulary = 100000;
constexpr int64_t kWindow = 5;
constexpr int64_t kNegatives = 5;
constexpr float kAlpha = 0.025F;

void fill(float* floats, int64_t size) {
  acevec::Random random(1);
  for (int64_t i = 0; i < size; ++i) floats[i] = random.uniform() - 0.5F;
}

AlignedFloats random_floats(int64_t size) {
  AlignedFloats floats(size);
  fill(floats.data(), size);
  return floats;
}

void set_rate(benchmark::State& state, const char* name, double per_iteration) {
  state.counters[name] = benchmark::Counter(per_iteration * static_cast<double>(state.iterations()),
                                            benchmark::Counter::kIsRate);
}

void set_flops(benchmark::State& state, int64_t flops) {
  set_rate(state, "GFLOP/s", static_cast<double>(flops) * 1e-9);
}

void set_bytes(benchmark::State& state, int64_t bytes) {
  set_rate(state, "GB/s", static_cast<double>(bytes) * 1e-9);
}

// --- Bounds ---

// Matrices that the caches like, and more arithmetic for each number than training has.
void sgemm_1024(benchmark::State& state) {
  constexpr int kSize = 1024;
  constexpr int64_t kNumbers = int64_t{kSize} * kSize;
  openblas_set_num_threads(1);
  const AlignedFloats a = random_floats(kNumbers);
  const AlignedFloats b = random_floats(kNumbers);
  AlignedFloats c(kNumbers);
  for (auto _ : state) {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, kSize, kSize, kSize, 1.0F, a.data(), kSize,
                b.data(), kSize, 0.0F, c.data(), kSize);
    benchmark::ClobberMemory();
  }
  set_flops(state, 2 * kNumbers * kSize);
}

// Sums of 64 rows in the first cache, in tiles that are all registers, by the best instruction set.
void bfloat16_peak(benchmark::State& state) {
  acevec::choose_instruction_set(acevec::instruction_sets().front());
  constexpr int64_t kRows = 64;
  constexpr int64_t kColumns = 96;
  const acevec::PairMatrix weights(kRows, kRows);
  const acevec::PairMatrix b(kRows, kColumns);
  AlignedFloats out(kRows * kColumns);
  for (auto _ : state) {
    acevec::mix_pairs({weights.table(kRows)}, kRows, b.table(kRows), kColumns,
                      {out.data(), kColumns}, false);
    benchmark::ClobberMemory();
  }
  set_flops(state, 4 * kRows * kRows * kColumns);
}

void copy_64_mib(benchmark::State& state) {
  constexpr size_t kBytes = 64 << 20;
  std::vector<char> from(kBytes, 1);
  std::vector<char> to(kBytes, 2);
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), kBytes);
    benchmark::ClobberMemory();
  }
  set_bytes(state, static_cast<int64_t>(2 * kBytes));
}

// --- One block's arithmetic, its rows already gathered, for vectors of `size` numbers ---

struct Block {
  explicit Block(int64_t numbers)
      : shape(acevec::block_shape(kWindow, kNegatives)),
        size(numbers),
        width(size, acevec::padded(size)),
        words(random_floats(shape.tokens * width.stride)),
        contexts(random_floats((shape.tokens + 2 * kWindow) * width.stride)),
        negatives(random_floats(shape.negatives * width.stride)),
        negative_columns(size * shape.negatives),
        scores(random_floats(shape.tokens * shape.negatives)),
        band(random_floats(shape.tokens * kBandWidth)),
        weights(random_floats(shape.tokens * kBandWidth)),
        changes((shape.tokens + 2 * kWindow) * width.stride),
        words_of_context(static_cast<size_t>(shape.tokens + 2 * kWindow), Span{0, 0}) {
    for (int32_t i = 0; i < shape.tokens; ++i) {
      contexts_of_word.push_back({i, i + static_cast<int32_t>(kBandWidth)});
      pairs += int64_t{2} * kWindow;
      for (int32_t j = i; j < i + kBandWidth; ++j) {
        Span& span = words_of_context[static_cast<size_t>(j)];
        if (span.last == 0) span.first = i;
        span.last = i + 1;
      }
    }
  }

  void set_product(benchmark::State& state) const {
    set_flops(state, 2 * shape.tokens * shape.negatives * size);
    set_tokens(state);
  }
  void set_band_product(benchmark::State& state) const {
    set_flops(state, 2 * pairs * size);
    set_tokens(state);
  }
  void set_tokens(benchmark::State& state) const {
    state.SetItemsProcessed(state.iterations() * shape.tokens);
  }

  // Stored without the rest of the matrix, as acevec::BlockView has it.
  static constexpr int64_t kBandWidth = 2 * kWindow + 1;
  acevec::BlockShape shape;
  int64_t size;
  acevec::RowWidth width;
  AlignedFloats words, contexts, negatives, negative_columns, scores, band, weights, changes;
  std::vector<Span> contexts_of_word, words_of_context;
  int64_t pairs = 0;
};

void score_negatives(benchmark::State& state, int64_t size) {
  Block block(size);
  for (auto _ : state) {
    const int64_t negatives = block.shape.negatives;
    acevec::transpose_rows(block.negatives.data(), negatives, block.width,
                           block.negative_columns.data());
    acevec::mix_rows({block.words.data(), block.width.stride, 1}, block.shape.tokens,
                     {block.negative_columns.data(), size}, negatives, block.scores.data(), false);
    benchmark::ClobberMemory();
  }
  block.set_product(state);
}

void mix_into_words(benchmark::State& state, int64_t size) {
  Block block(size);
  for (auto _ : state) {
    acevec::mix_rows({block.scores.data(), block.shape.negatives, 1}, block.shape.tokens,
                     {block.negatives.data(), block.shape.negatives}, block.width,
                     block.changes.data(), false);
    benchmark::ClobberMemory();
  }
  block.set_product(state);
}

void mix_into_negatives(benchmark::State& state, int64_t size) {
  Block block(size);
  for (auto _ : state) {
    acevec::mix_rows({block.scores.data(), 1, block.shape.negatives}, block.shape.negatives,
                     {block.words.data(), block.shape.tokens}, block.width, block.changes.data(),
                     false);
    benchmark::ClobberMemory();
  }
  block.set_product(state);
}

void score_positives(benchmark::State& state, int64_t size) {
  Block block(size);
  for (auto _ : state) {
    acevec::score_band({block.words.data(), block.shape.tokens}, block.contexts.data(),
                       block.contexts_of_word.data(), block.width,
                       {block.band.data(), Block::kBandWidth - 1});
    benchmark::ClobberMemory();
  }
  block.set_band_product(state);
}

void mix_band_into_words(benchmark::State& state, int64_t size) {
  Block block(size);
  for (auto _ : state) {
    acevec::mix_band({block.band.data(), Block::kBandWidth - 1, 1}, block.shape.tokens,
                     block.contexts.data(), block.contexts_of_word.data(), block.width,
                     block.changes.data());
    benchmark::ClobberMemory();
  }
  block.set_band_product(state);
}

void mix_band_into_contexts(benchmark::State& state, int64_t size) {
  Block block(size);
  for (auto _ : state) {
    acevec::mix_band({block.band.data(), 1, Block::kBandWidth - 1},
                     block.shape.tokens + 2 * kWindow, block.words.data(),
                     block.words_of_context.data(), block.width, block.changes.data());
    benchmark::ClobberMemory();
  }
  block.set_band_product(state);
}

void logistic_loss_of_negatives(benchmark::State& state, int64_t size) {
  Block block(size);
  const std::vector<float> weights(static_cast<size_t>(block.shape.tokens), 1.0F);
  for (auto _ : state) {
    benchmark::DoNotOptimize(acevec::logistic_loss_of_negatives(
        block.scores.data(), block.shape.tokens, block.shape.negatives, weights.data(), kAlpha));
  }
  block.set_tokens(state);
}

void logistic_loss_of_positives(benchmark::State& state, int64_t size) {
  Block block(size);
  for (auto _ : state) {
    benchmark::DoNotOptimize(acevec::logistic_loss_of_positives(
        block.band.data(), block.shape.tokens * Block::kBandWidth, block.weights.data(), kAlpha));
  }
  block.set_tokens(state);
}

// --- Rows between the matrices and a block; a whole step of training ---

// Every page is written: one that never was would be read from the system's one page of zeros,
// which is always in the cache.
struct Model : acevec::SkipGramModel {
  explicit Model(int64_t size) : SkipGramModel(kVocabulary, size, acevec::OptimizerKind::kSgd, 1) {
    fill(words.row(0), kVocabulary * words.stride());
    fill(contexts.row(0), kVocabulary * contexts.stride());
  }
};

// One for all benchmarks of a size, since it takes long to make.
Model& model_of(int64_t size) {
  static std::map<int64_t, Model> models;
  return models.try_emplace(size, size).first->second;
}

// Words as training meets them: Zipf's law, the frequent ones thinned out by -sample 1e-4.
std::vector<int32_t> subsampled_words(int64_t count) {
  acevec::Random random(2);
  std::vector<int32_t> ids;
  while (static_cast<int64_t>(ids.size()) < count) {
    const double rank = std::pow(static_cast<double>(kVocabulary), random.uniform());
    const double ratio = 1e-4 * rank * std::log(static_cast<double>(kVocabulary));
    if (random.uniform() < std::sqrt(ratio) + ratio) ids.push_back(static_cast<int32_t>(rank) - 1);
  }
  return ids;
}

constexpr int64_t kWords = 1 << 20;

// Those of a block's words, their contexts and its negatives.
int64_t rows_of_block() {
  const acevec::BlockShape shape = acevec::block_shape(kWindow, kNegatives);
  return 2 * (shape.tokens + kWindow) + shape.negatives;
}

// Copies rows out of the matrix, asking for the next block's as the trainer does (but without its
// arithmetic, behind which they could come), and adds to them if `back`. What counts is that a row
// is read, and written if `back`; a block's copies and a second look at a row are in the cache.
void move(benchmark::State& state, int64_t size, bool back) {
  Matrix& matrix = model_of(size).words;
  const std::vector<int32_t> ids = subsampled_words(kWords);
  const int64_t rows = rows_of_block();
  AlignedFloats copies(rows * matrix.stride());
  const AlignedFloats changes(rows * matrix.stride());
  int64_t next = 0;
  for (auto _ : state) {
    const int32_t* const now = ids.data() + next;
    next = next + 2 * rows <= kWords ? next + rows : 0;
    acevec::gather_rows(matrix, now, rows, copies.data());
    acevec::prefetch_rows(matrix, ids.data() + next, rows);
    if (back) acevec::scatter_add(matrix, now, rows, changes.data(), 1.0F);
    benchmark::ClobberMemory();
  }
  set_bytes(state, (back ? 2 : 1) * rows * size * 4);
  state.SetItemsProcessed(state.iterations() * acevec::block_shape(kWindow, kNegatives).tokens);
}

void gather_rows(benchmark::State& state, int64_t size) {
  move(state, size, false);
}

void gather_and_add_rows(benchmark::State& state, int64_t size) {
  move(state, size, true);
}

acevec::Sequence sequence_of_one_line() {
  acevec::Sequence sequence;
  sequence.ids = subsampled_words(kWords);
  for (int32_t i = 0; i < kWords; ++i) {
    sequence.first.push_back(std::max<int32_t>(0, i - kWindow));
    sequence.last.push_back(std::min<int32_t>(kWords, i + kWindow + 1));
  }
  return sequence;
}

std::vector<double> power_noise() {
  std::vector<double> noise;
  double sum = 0;
  for (int64_t rank = 1; rank <= kVocabulary; ++rank) {
    sum += noise.emplace_back(std::pow(static_cast<double>(rank), -0.75));
  }
  for (double& probability : noise) probability /= sum;
  return noise;
}

// Trains a model on blocks of a text, again and again.
class BlockRun {
 public:
  BlockRun(Model& model, acevec::ProductPrecision precision, int64_t begin = 0, uint64_t seed = 5)
      : shape(acevec::block_shape(kWindow, kNegatives, false, precision)),
        trainer_({model.words, model.word_moments}, model, noise_, shape, *objective_, nullptr),
        random_(seed),
        begin_(begin) {}

  void next() {
    trainer_.train(sequence_, begin_, begin_ + shape.tokens, kAlpha, random_, loss_);
    begin_ = begin_ + 2 * shape.tokens <= kWords ? begin_ + shape.tokens : 0;
  }

  const acevec::BlockShape shape;

 private:
  const acevec::Sequence sequence_ = sequence_of_one_line();
  const acevec::AliasTable noise_{power_noise()};
  const std::unique_ptr<acevec::BlockLoss> objective_ =
      acevec::make_block_loss(acevec::LossKind::kNegativeSampling, {}, kNegatives);
  BlockTrainer trainer_;
  acevec::Random random_;
  acevec::Loss loss_;
  int64_t begin_;
};

// All of the above. The flops are those of its six products, the bytes those of the rows that are
// read from the matrices and written back.
void train_blocks(benchmark::State& state, int64_t size, acevec::ProductPrecision precision) {
  BlockRun run(model_of(size), precision);
  const acevec::BlockShape& shape = run.shape;
  for (auto _ : state) run.next();
  const double pairs = 2 * kWindow * static_cast<double>(shape.tokens);  // but for a line's ends
  const auto negatives = static_cast<double>(shape.tokens * shape.negatives);
  const double flops = 6 * (pairs + negatives) * static_cast<double>(size);
  const auto tokens = static_cast<double>(shape.tokens);
  set_rate(state, "GFLOP/s", flops * 1e-9);
  state.counters["flops_per_token"] = flops / tokens;
  state.counters["bytes_per_token"] = static_cast<double>(2 * rows_of_block() * size * 4) / tokens;
  state.SetItemsProcessed(state.iterations() * shape.tokens);
}

void train_block(benchmark::State& state, int64_t size) {
  train_blocks(state, size, acevec::ProductPrecision::kFloat);
}

void train_block_bf16(benchmark::State& state, int64_t size) {
  train_blocks(state, size, acevec::ProductPrecision::kBfloat16);
}

// --- Threads that share a model ---

// What each of two threads trains on. With kSameRows the second trains on the blocks of the first,
// with the same negatives, `lag` blocks later: nearly every row was last changed by the other
// thread, as it is with many threads. The smaller the lag, the more often both want a row at once.
struct Sharing {
  enum { kOwnModel, kOwnRows, kSameRows } kind;
  int64_t lag;
};

// Keeps the second thread `lag` or lag + 1 blocks behind the first.
class Lag {
 public:
  explicit Lag(int64_t lag) : lag_(lag) {}

  void begin(int thread) { done_[thread].blocks = 0; }

  // Waits until the thread may train its next block, of `blocks`.
  void next(int thread, int64_t blocks) {
    const int64_t own = ++done_[thread].blocks;
    // Nobody waits for a thread that has ended.
    if (own == blocks) done_[thread].blocks = std::numeric_limits<int64_t>::max();
    const std::atomic<int64_t>& other = done_[1 - thread].blocks;
    while (thread == 0 ? other < own - lag_ - 1 : other < own + lag_) hwy::Pause();
  }

 private:
  struct alignas(128) Done {
    std::atomic<int64_t> blocks{0};
  };
  Done done_[2];
  int64_t lag_;
};

void train_two(benchmark::State& state, const Sharing& sharing, Lag& lag) {
  const int thread = state.thread_index();
  static Model models[]{Model(100), Model(100)};
  Model& model = models[sharing.kind == Sharing::kOwnModel ? thread : 0];
  const auto precision = acevec::has_bfloat16_products() ? acevec::ProductPrecision::kBfloat16
                                                         : acevec::ProductPrecision::kFloat;
  const bool same = sharing.kind == Sharing::kSameRows;
  BlockRun run(model, precision, same || thread == 0 ? 0 : kWords / 2,
               same ? 5 : static_cast<uint64_t>(5 + thread));
  lag.begin(thread);
  for (auto _ : state) {
    if (same) lag.next(thread, state.max_iterations);
    run.next();
  }
  state.SetItemsProcessed(state.iterations() * run.shape.tokens);
}

void register_sharing() {
  const auto add = [](const std::string& name, const Sharing& sharing) {
    const auto lag = std::make_shared<Lag>(sharing.lag);
    benchmark::RegisterBenchmark(
        name.c_str(), [sharing, lag](benchmark::State& state) { train_two(state, sharing, *lag); })
        ->Setup([](const benchmark::State&) {
          acevec::choose_instruction_set(acevec::instruction_sets().front());
        })
        ->Threads(2)
        ->UseRealTime();
  };
  add("train_own_model", {Sharing::kOwnModel, 0});
  add("train_own_rows", {Sharing::kOwnRows, 0});
  for (const int64_t lag : {32, 8, 2, 0}) {
    add("train_same_rows_" + std::to_string(lag), {Sharing::kSameRows, lag});
  }
}

// --- Text ---

// A word of two letters for each six bits of its rank, about as long as those of English.
std::string spelled(int64_t rank) {
  std::string word;
  for (; rank > 0; rank >>= 6) {
    word += "bcdfghjklmnprstv"[rank & 15];
    word += "aeio"[rank >> 4 & 3];
  }
  return word;
}

// A text of Zipf's law, in a temporary file that has no name and so never stays behind.
class Text {
 public:
  Text() : file_(std::tmpfile()) {
    if (file_ == nullptr) {
      std::perror("bench_kernels: cannot make a temporary file");
      std::exit(1);
    }
    acevec::Random random(6);
    for (int64_t i = 1; i <= kTokens; ++i) {
      const double rank = std::pow(double{kTypes}, random.uniform());
      std::fputs(spelled(static_cast<int64_t>(rank)).c_str(), file_);
      std::fputc(i % 40 == 0 ? '\n' : ' ', file_);
    }
    std::fflush(file_);
  }
  ~Text() { std::fclose(file_); }
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;

  static constexpr int64_t kTokens = 1 << 22;
  std::string path() const { return "/dev/fd/" + std::to_string(fileno(file_)); }

 private:
  static constexpr int64_t kTypes = 1 << 17;
  std::FILE* file_;
};

void read_text(benchmark::State& state, const Text& text, int threads) {
  acevec::CorpusSettings settings;
  settings.min_count = 5;
  settings.threads = threads;
  for (auto _ : state) {
    acevec::Source source(text.path());
    const acevec::Corpus corpus = acevec::read_corpus(source, settings, [](double, int64_t) {});
    benchmark::DoNotOptimize(corpus.kept_tokens());
  }
  state.SetItemsProcessed(state.iterations() * Text::kTokens);
}

// Benchmarks are named kernel/instruction set/size, or by their name alone.
void register_kernels() {
  constexpr std::pair<const char*, void (*)(benchmark::State&, int64_t)> kKernels[] = {
      {"gather_rows", gather_rows},
      {"gather_and_add_rows", gather_and_add_rows},
      {"score_positives", score_positives},
      {"logistic_loss_of_positives", logistic_loss_of_positives},
      {"mix_band_into_words", mix_band_into_words},
      {"mix_band_into_contexts", mix_band_into_contexts},
      {"score_negatives", score_negatives},
      {"logistic_loss_of_negatives", logistic_loss_of_negatives},
      {"mix_into_words", mix_into_words},
      {"mix_into_negatives", mix_into_negatives},
      {"train_block", train_block},
      {"train_block_bf16", train_block_bf16},
  };
  for (const std::string& set : acevec::instruction_sets()) {
    for (const int64_t size : {100, 300}) {
      for (const auto& [name, kernel] : kKernels) {
        const std::string full_name = std::string(name) + "/" + set + "/" + std::to_string(size);
        benchmark::RegisterBenchmark(full_name.c_str(),
                                     [set, kernel = kernel, size](benchmark::State& state) {
                                       acevec::choose_instruction_set(set);
                                       kernel(state, size);
                                     });
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::AddCustomContext("openblas_core", openblas_get_corename());
  benchmark::RegisterBenchmark("sgemm_1024", sgemm_1024);
  benchmark::RegisterBenchmark("copy_64_mib", copy_64_mib);
  if (acevec::has_bfloat16_products()) {
    benchmark::RegisterBenchmark("bfloat16_peak", bfloat16_peak);
  }
  register_kernels();
  register_sharing();
  const Text text;
  for (const int threads : {1, 2}) {
    const std::string name = threads == 1 ? "read_text_1_thread" : "read_text_2_threads";
    benchmark::RegisterBenchmark(name.c_str(), [&text, threads](benchmark::State& state) {
      read_text(state, text, threads);
    })->UseRealTime();
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
