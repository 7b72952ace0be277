#include "tasks/word/count_start.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/random.h"
#include "kernels/products.h"
#include "math/covariance.h"
#include "tasks/word/sequence.h"

namespace acevec {
namespace {

// A pair takes 16 bits: the context, and above it the pair's weight, which decreases with distance.
constexpr int kContextBits = 12;
constexpr int32_t kContexts = 1 << kContextBits;
constexpr int64_t kLargestWeight = 15;

// The most chunks that are counted with a window of 5: about 5 million tokens.
constexpr int64_t kMostCounted = 120;
constexpr int64_t kUsualWindow = 5;

constexpr int64_t kDirections = 200;  // the most singular values
constexpr int64_t kParts = 8;         // parts of the words, summed separately

int64_t counted_chunks(const Corpus& corpus, int64_t window) {
  return std::min(corpus.chunks(), std::max<int64_t>(1, kMostCounted * kUsualWindow / window));
}

// The nonzero entries of a row of M, and their contexts.
struct CountedRow {
  int32_t word = 0;
  std::vector<int32_t> contexts;
  std::vector<float> numbers;
};

// M, stored as the pairs of each word: those of word w are pairs_[begin_[w]] to
// pairs_[end_[w] − 1]. Threads add pairs concurrently, in any order.
class CountedPairs {
 public:
  CountedPairs(const Corpus& corpus, const SkipGramSettings& settings)
      : settings_(settings), contexts_(std::min(corpus.vocabulary().size(), kContexts)) {
    // The weight of a pair at each distance, and the sum of the weights up to it.
    const auto distances = static_cast<size_t>(settings.window) + 1;
    std::vector<int64_t> weights(distances), weights_up_to(distances);
    for (size_t d = 1; d < distances; ++d) {
      const auto near = static_cast<int64_t>(distances - d);
      weights[d] = std::max<int64_t>(1, kLargestWeight * near / settings.window);
      weights_up_to[d] = weights_up_to[d - 1] + weights[d];
    }
    const auto words = static_cast<size_t>(corpus.vocabulary().size());
    const auto add = [](int64_t& number, int64_t value) {
      return std::atomic_ref(number).fetch_add(value, std::memory_order_relaxed);
    };
    std::vector<int64_t> most(words), totals(words);
    for_each_token(corpus, [&](const Sequence& sequence, size_t at) {
      const auto word = static_cast<size_t>(sequence.ids[at]);
      const auto before = at - static_cast<size_t>(sequence.first[at]);
      const auto after = static_cast<size_t>(sequence.last[at]) - at - 1;
      add(most[word], static_cast<int64_t>(before + after));
      add(totals[word], weights_up_to[before] + weights_up_to[after]);
    });
    begin_.resize(words);
    std::exclusive_scan(most.begin(), most.end(), begin_.begin(), int64_t{0});
    pairs_.resize(static_cast<size_t>(begin_.back() + most.back()));
    end_ = begin_;
    for_each_token(corpus, [&](const Sequence& sequence, size_t at) {
      const auto is_context = [&](size_t j) { return j != at && sequence.ids[j] < contexts_; };
      const auto first = static_cast<size_t>(sequence.first[at]);
      const auto last = static_cast<size_t>(sequence.last[at]);
      int64_t count = 0;
      for (size_t j = first; j < last; ++j) count += is_context(j) ? 1 : 0;
      int64_t to = add(end_[static_cast<size_t>(sequence.ids[at])], count);
      for (size_t j = first; j < last; ++j) {
        if (!is_context(j)) continue;
        const int64_t weight = weights[j < at ? at - j : j - at];
        pairs_[static_cast<size_t>(to++)] =
            static_cast<uint16_t>((weight << kContextBits) | sequence.ids[j]);
      }
    });
    for (const int64_t total : totals) {
      scales_.push_back(1 / std::sqrt(static_cast<float>(std::max<int64_t>(1, total))));
    }
  }

  int64_t size() const {
    return std::transform_reduce(end_.begin(), end_.end(), begin_.begin(), int64_t{0},
                                 std::plus<>(), std::minus<>());
  }
  int32_t contexts() const { return contexts_; }

  // Calls body(part, row) for those of the first `words` words that have pairs. The words of a part
  // are consecutive.
  template <class Body>
  void for_each_row(int32_t words, Body&& body) const {
    for_each_piece(settings_.threads, kParts, [&](int, int64_t part) {
      std::vector<uint32_t> sums(static_cast<size_t>(contexts_));
      std::vector<uint64_t> seen(kContexts / 64);
      CountedRow row;
      for (row.word = first_word(part, words); row.word < first_word(part + 1, words); ++row.word) {
        find(sums, seen, row);
        if (!row.contexts.empty()) body(part, row);
      }
    });
  }

 private:
  // Calls body(sequence, at) for each token that subsampling keeps.
  template <class Body>
  void for_each_token(const Corpus& corpus, Body&& body) const {
    const SequenceMaker maker(corpus.vocabulary(), settings_.sample, {settings_.window});
    const int64_t chunks = counted_chunks(corpus, settings_.window);
    for_each_piece(settings_.threads, chunks, [&](int, int64_t i) {
      const int64_t chunk = i * corpus.chunks() / chunks;
      std::vector<int32_t> ids;
      corpus.read(chunk, ids);
      Random random(settings_.seed, Stream::kWordCounts, chunk);
      Sequence sequence;
      maker.make(ids, random, sequence);
      for (size_t at = 0; at < sequence.ids.size(); ++at) body(sequence, at);
    });
  }

  // Parts have about equal numbers of pairs.
  int32_t first_word(int64_t part, int32_t words) const {
    const auto last = begin_.begin() + words;
    if (part == kParts) return words;
    const int64_t all = end_[static_cast<size_t>(words) - 1];
    return static_cast<int32_t>(std::lower_bound(begin_.begin(), last, all * part / kParts) -
                                begin_.begin());
  }

  // `sums`, a number per context, and `seen`, a bit per context, are zero on entry and return. The
  // bits put the contexts in order, since threads add pairs in any order.
  void find(std::vector<uint32_t>& sums, std::vector<uint64_t>& seen, CountedRow& row) const {
    const auto word = static_cast<size_t>(row.word);
    row.contexts.clear();
    row.numbers.clear();
    for (int64_t i = begin_[word]; i < end_[word]; ++i) {
      const uint16_t pair = pairs_[static_cast<size_t>(i)];
      const auto context = static_cast<size_t>(pair & (kContexts - 1));
      sums[context] += static_cast<uint32_t>(pair >> kContextBits);
      seen[context / 64] |= uint64_t{1} << (context % 64);
    }
    for (size_t block = 0; block < seen.size(); ++block) {
      for (uint64_t bits = std::exchange(seen[block], 0); bits != 0; bits &= bits - 1) {
        const size_t context = 64 * block + static_cast<size_t>(std::countr_zero(bits));
        const auto sum = static_cast<float>(std::exchange(sums[context], 0U));
        row.contexts.push_back(static_cast<int32_t>(context));
        row.numbers.push_back(std::sqrt(sum * scales_[context] * scales_[word]));
      }
    }
  }

  const SkipGramSettings& settings_;
  int32_t contexts_;
  std::vector<int64_t> begin_, end_;
  std::vector<uint16_t> pairs_;
  std::vector<float> scales_;  // #(w)^(−1/2)
};

// sum += Σ_c number_c · rows_c.
void add_rows(const CountedRow& row, const Matrix& rows, float* sum) {
  for (size_t i = 0; i < row.contexts.size(); ++i) {
    add_scaled(rows.row(row.contexts[i]), row.numbers[i], rows.stride(), sum);
  }
}

// Mᵀ M Ω, computed from the rows of M whose words are contexts too, which have most of the pairs.
Matrix power_iteration(const CountedPairs& pairs, const Matrix& omega) {
  std::vector<Matrix> parts;
  for (int64_t part = 0; part < kParts; ++part) parts.emplace_back(omega.rows(), omega.columns());
  Matrix products(kParts, omega.columns());
  pairs.for_each_row(pairs.contexts(), [&](int64_t part, const CountedRow& row) {
    float* const product = products.row(part);
    std::fill_n(product, products.stride(), 0.0F);
    add_rows(row, omega, product);
    for (size_t i = 0; i < row.contexts.size(); ++i) {
      float* const sum = parts[static_cast<size_t>(part)].row(row.contexts[i]);
      add_scaled(product, row.numbers[i], omega.stride(), sum);
    }
  });
  for (size_t part = 1; part < parts.size(); ++part) {
    add_scaled(parts[part].row(0), 1, omega.rows() * omega.stride(), parts[0].row(0));
  }
  return std::move(parts[0]);
}

// An orthonormal basis of the columns by the Gram-Schmidt process, run twice against rounding
// errors. Columns that depend on earlier ones become 0.
Matrix orthonormal(const Matrix& columns) {
  constexpr float kDependent = 1e-10F;  // relative to the square before
  Matrix basis(columns.columns(), columns.rows());
  for (int64_t i = 0; i < basis.rows(); ++i) {
    float* const own = basis.row(i);
    for (int64_t c = 0; c < columns.rows(); ++c) own[c] = columns.row(c)[i];
    const float before = row_product(own, own, basis.stride());
    for (int64_t j = 0; j < 2 * i; ++j) {
      const float* const other = basis.row(j % i);
      add_scaled(other, -row_product(own, other, basis.stride()), basis.stride(), own);
    }
    const float square = row_product(own, own, basis.stride());
    const float scale = square > kDependent * before ? 1 / std::sqrt(square) : 0;
    for (int64_t c = 0; c < columns.rows(); ++c) own[c] *= scale;
  }
  Matrix result(columns.rows(), columns.columns());
  for (int64_t c = 0; c < result.rows(); ++c) {
    for (int64_t i = 0; i < result.columns(); ++i) result.row(c)[i] = basis.row(i)[c];
  }
  return result;
}

// Column scales that turn U S into U √S with rows of mean squared length 1; 0 for columns of zeros.
std::vector<double> scales_of(const Matrix& rows) {
  std::vector<double> scales(static_cast<size_t>(rows.columns()));  // S² first
  for (int64_t i = 0; i < rows.rows(); ++i) {
    const float* const row = rows.row(i);
    for (size_t k = 0; k < scales.size(); ++k) scales[k] += double{row[k]} * double{row[k]};
  }
  double sum = 0;  // ‖U √S‖²
  for (const double square : scales) sum += std::sqrt(square);
  for (double& scale : scales) {
    if (scale > 0) scale = std::sqrt(static_cast<double>(rows.rows()) / sum / std::sqrt(scale));
  }
  return scales;
}

}  // namespace

int64_t start_from_counts(const Corpus& corpus, const SkipGramSettings& settings, Matrix& words) {
  const CountedPairs pairs(corpus, settings);
  const int64_t directions = std::min(kDirections, words.columns());
  Matrix omega(pairs.contexts(), directions);
  Random random(settings.seed, Stream::kWordProjection);
  for (int64_t i = 0; i < omega.rows(); ++i) {
    for (int64_t k = 0; k < directions; ++k) omega.row(i)[k] = random.uniform() - 0.5F;
  }
  const Matrix basis = orthonormal(power_iteration(pairs, omega));
  Matrix start(words.rows(), directions);
  std::vector<char> counted(static_cast<size_t>(words.rows()));
  pairs.for_each_row(corpus.vocabulary().size(), [&](int64_t, const CountedRow& row) {
    add_rows(row, basis, start.row(row.word));
    counted[static_cast<size_t>(row.word)] = 1;
  });
  // U S of the centred rows.
  start = principal_components(start, directions, settings.threads);
  const std::vector<double> scales = scales_of(start);
  for (int64_t i = 0; i < words.rows(); ++i) {
    if (counted[static_cast<size_t>(i)] == 0) continue;
    for (int64_t k = 0; k < directions; ++k) {
      const double scale = scales[static_cast<size_t>(k)];
      if (scale > 0) words.row(i)[k] = static_cast<float>(scale * double{start.row(i)[k]});
    }
  }
  return pairs.size();
}

}  // namespace acevec
