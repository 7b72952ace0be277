// How large the filter of observed pairs (-ace 1) becomes for a long text, and how often it errs.
//
// The text is not written; it is one of independent words with the frequencies of English (Gerlach
// and Altmann 2013: 1/rank up to rank 7873, rank^-1.77 beyond), those met less than 5 times left
// out. So each pair has a known chance to be there, and the pairs that are go straight into the
// filter. Real texts repeat themselves and have fewer: the errors are bounds. A pair is kept in the
// region of its rarer word, so it is enough to fill the region of each eighth word and to look up
// pairs of these, drawn as training draws them.
//
//   make bench-observed     (or: build/bench_observed TOKENS [MiB ...]; 0 MiB: the default)

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <numeric>
#include <random>
#include <unordered_map>
#include <vector>

#include "base/random.h"
#include "math/alias.h"
#include "tasks/word/corpus_pairs.h"

namespace {

constexpr int64_t kWindow = 5;

bool is_sampled(int32_t rarer) {
  return rarer % 8 == 0;
}

std::vector<int64_t> english_counts(double tokens) {
  constexpr double kKnee = 7873;
  constexpr double kSteepness = 1.77;
  constexpr int64_t kLeast = 5;
  const double sum = std::log(kKnee) + 0.577 + 1 / (kSteepness - 1);
  std::vector<int64_t> counts;
  for (double rank = 1;; ++rank) {
    const double share = rank <= kKnee ? 1 / rank : std::pow(rank / kKnee, -kSteepness) / kKnee;
    const int64_t count = std::llround(share / sum * tokens);
    if (count < kLeast) return counts;
    counts.push_back(count);
  }
}

// Draws words, each with a weight that comes from its count.
template <class Weight>
acevec::AliasTable table_of(const std::vector<int64_t>& counts, Weight weight) {
  std::vector<double> weights;
  for (const int64_t count : counts) weights.push_back(weight(static_cast<double>(count)));
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& x : weights) x /= sum;
  return acevec::AliasTable(weights);
}

// Pairs as training looks them up, and whether the text has them.
class Lookups {
 public:
  explicit Lookups(const acevec::PairStatistics& statistics) {
    constexpr size_t kPairs = 200000;
    const std::vector<int64_t>& counts = statistics.counts;
    const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
    const acevec::AliasTable words = table_of(counts, [&](double count) {
      const double ratio = 1e-4 * total / count;  // -sample 1e-4
      return count * std::min(1.0, std::sqrt(ratio) + ratio);
    });
    const acevec::AliasTable noise =
        table_of(counts, [](double count) { return std::pow(count, 0.75); });
    acevec::Random random(1);
    while (xs.size() < kPairs) {
      const int32_t x = words.draw(random);
      const int32_t y = noise.draw(random);
      if (!is_sampled(std::max(x, y)) || x == y) continue;
      xs.push_back(x);
      ys.push_back(y);
      there_.emplace(key(x, y), false);
    }
  }

  void note(int32_t x, int32_t y) {
    const auto found = there_.find(key(x, y));
    if (found != there_.end()) found->second = true;
  }

  bool there(size_t i) const { return there_.at(key(xs[i], ys[i])); }

  std::vector<int32_t> xs, ys;

 private:
  static uint64_t key(int32_t x, int32_t y) {
    return static_cast<uint64_t>(std::max(x, y)) << 32 | static_cast<uint64_t>(std::min(x, y));
  }

  std::unordered_map<uint64_t, bool> there_;
};

// The more frequent words that word x meets; some may be named twice.
class Partners {
 public:
  explicit Partners(const acevec::PairStatistics& statistics)
      : statistics_(statistics),
        total_(std::accumulate(statistics.counts.begin(), statistics.counts.end(), 0.0)),
        words_(table_of(statistics.counts, [](double count) { return count; })) {}

  const std::vector<int32_t>& of(int32_t x) {
    found_.clear();
    for (; next_ < x; ++next_) {
      before_ += static_cast<double>(statistics_.counts[static_cast<size_t>(next_)]);
    }
    const double share = before_ / total_;
    const double count = static_cast<double>(statistics_.counts[static_cast<size_t>(x)]);
    const double meetings = 2 * statistics_.places * count / total_ * share;
    meetings < x ? draw(x, meetings)
                 : try_each(x, 2 * statistics_.places * count / total_);
    return found_;
  }

 private:
  void draw(int32_t x, double meetings) {
    const int64_t count = std::poisson_distribution<int64_t>(meetings)(random_);
    while (static_cast<int64_t>(found_.size()) < count) {
      const int32_t y = words_.draw(random_);
      if (y < x) found_.push_back(y);
    }
  }

  // `expected`: how often x meets anything.
  void try_each(int32_t x, double expected) {
    for (int32_t y = 0; y < x; ++y) {
      const double share_of_y =
          static_cast<double>(statistics_.counts[static_cast<size_t>(y)]) / total_;
      const double chance = -std::expm1(-expected * share_of_y);
      if (static_cast<double>(random_() >> 11) * 0x1p-53 < chance) found_.push_back(y);
    }
  }

  const acevec::PairStatistics& statistics_;
  double total_;
  acevec::AliasTable words_;
  acevec::Random random_{2};
  int32_t next_ = 0;
  double before_ = 0;  // counts of the words before next_
  std::vector<int32_t> found_;
};

// Returns how many different pairs went into each.
double fill(const acevec::PairStatistics& statistics, std::vector<acevec::ObservedPairs>& filters,
            Lookups& lookups) {
  Partners partners(statistics);
  double pairs = 0;
  const auto words = static_cast<int32_t>(statistics.counts.size());
  for (int32_t x = 0; x < words; ++x) {
    if (!is_sampled(x)) continue;
    std::vector<int32_t> ys = partners.of(x);
    std::sort(ys.begin(), ys.end());
    ys.erase(std::unique(ys.begin(), ys.end()), ys.end());
    std::vector<int32_t> sequence;  // beside each y stands x, and nothing else
    for (const int32_t y : ys) sequence.insert(sequence.end(), {y, x});
    for (acevec::ObservedPairs& filter : filters) {
      filter.insert(sequence.data(), static_cast<int64_t>(sequence.size()), 1);
    }
    for (const int32_t y : ys) lookups.note(x, y);
    pairs += static_cast<double>(ys.size());
  }
  return pairs;
}

void report(const acevec::ObservedPairs& filter, double pairs, const Lookups& lookups) {
  double absent = 0;
  double mistakes = 0;
  for (size_t i = 0; i < lookups.xs.size(); ++i) {
    if (lookups.there(i)) continue;
    uint8_t found = 0;
    filter.find_all(&lookups.xs[i], 1, &lookups.ys[i], 1, &found);
    absent += 1;
    mistakes += found;
  }
  std::printf("%6.0f MiB, %5.2f bits a pair: errs in %5.1f %%\n",
              static_cast<double>(filter.bytes()) / (1 << 20),
              8 * static_cast<double>(filter.bytes()) / pairs, 100 * mistakes / absent);
}

void run(double tokens, const std::vector<int64_t>& sizes) {
  const acevec::PairStatistics statistics{english_counts(tokens), tokens * kWindow};
  const std::vector<double> partners = acevec::expected_partners(statistics);
  const double pairs = std::accumulate(partners.begin(), partners.end(), 0.0);
  constexpr int64_t kEnough = int64_t{1} << 50;
  std::vector<acevec::ObservedPairs> filters;
  for (const int64_t size : sizes) {
    const int64_t bytes = (size > 0 ? size : acevec::filter_mebibytes(pairs, kEnough)) << 20;
    filters.emplace_back(bytes, acevec::partner_shares(statistics, bytes));
  }
  Lookups lookups(statistics);
  const double found = 8 * fill(statistics, filters, lookups);
  std::printf("%.3g tokens, %zu words, %.0f million pairs expected, %.0f found\n", tokens,
              statistics.counts.size(), pairs / 1e6, found / 1e6);
  for (const acevec::ObservedPairs& filter : filters) report(filter, pairs, lookups);
}

}  // namespace

int main(int count, char** arguments) {
  try {
    std::vector<int64_t> sizes;
    for (int i = 2; i < count; ++i) sizes.push_back(std::atoll(arguments[i]));
    if (sizes.empty()) sizes = {0, 256, 128, 64, 32};
    run(count > 1 ? std::atof(arguments[1]) : 3e9, sizes);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_observed: %s\n", error.what());
    return 1;
  }
}
