#include "tasks/order/adversary.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.h"
#include "kernels/hogwild.h"

namespace acevec {
namespace {

// For each concept, the classes that have it among their generals.
ExactPairs classes_below(const ExactPairs& generals, const std::vector<int32_t>& examples) {
  std::vector<ObservedPair> pairs;
  for (size_t k = 0; k < examples.size(); ++k) {
    for (const int32_t y : generals.outcomes(examples[k])) {
      pairs.push_back({y, static_cast<int32_t>(k)});
    }
  }
  return {generals.conditions(), pairs};
}

constexpr int64_t kBlock = 512;  // concepts scored at once; their vectors fit in the L2 cache

GeneratorSettings generator_settings(const OrderSettings& training, int64_t concepts,
                                     Stream stream) {
  return {training.size, {}, concepts, training.adversary->optimizer, training.seed, stream};
}

// Conditions in a turn.
int64_t rows_of(const OrderSettings& training, Replaced replaced) {
  const int64_t all = training.adversary->conditions;
  const int64_t specifics = std::llround(static_cast<double>(all) * training.specific_share);
  return replaced == Replaced::kSpecific ? specifics : all - specifics;
}

int64_t most_rows(const OrderSettings& training) {
  return std::max(rows_of(training, Replaced::kGeneral), rows_of(training, Replaced::kSpecific));
}

}  // namespace

SparedPairs::Classes SparedPairs::classify(const ExactPairs& generals) {
  Classes classes{std::vector<int32_t>(static_cast<size_t>(generals.conditions())), {}};
  std::vector<int32_t> order(classes.of.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int32_t x, int32_t y) {
    return std::ranges::lexicographical_compare(generals.outcomes(x), generals.outcomes(y));
  });
  std::vector<int32_t>& examples = classes.examples;
  for (const int32_t x : order) {
    if (examples.empty() ||
        !std::ranges::equal(generals.outcomes(examples.back()), generals.outcomes(x))) {
      examples.push_back(x);
    }
    classes.of[static_cast<size_t>(x)] = static_cast<int32_t>(examples.size()) - 1;
  }
  return classes;
}

SparedPairs::SparedPairs(int64_t concepts, const std::vector<OrderPair>& train, bool spare_possible)
    : spare_possible_(spare_possible),
      generals_(generals_of(concepts, train)),
      specifics_(specifics_of(concepts, train)),
      classes_(classify(generals_)),
      below_(classes_below(generals_, classes_.examples)) {}

void SparedPairs::mark(Replaced replaced, int32_t condition, uint8_t* marks) const {
  std::fill_n(marks, classes_.of.size(), uint8_t{0});
  (replaced == Replaced::kGeneral ? generals_ : specifics_).mark(condition, marks);
  marks[condition] = 1;
  if (!spare_possible_) return;
  // For each class, the number of the condition's generals that it has.
  const auto generals = generals_.outcomes(condition);
  std::vector<int32_t> common(classes_.examples.size());
  for (const int32_t y : generals) {
    for (const int32_t one : below_.outcomes(y)) ++common[static_cast<size_t>(one)];
  }
  // All generals of the general side must be among them.
  std::vector<uint8_t> possible(classes_.examples.size());
  for (size_t k = 0; k < classes_.examples.size(); ++k) {
    const auto above =
        replaced == Replaced::kGeneral ? generals_.outcomes(classes_.examples[k]) : generals;
    possible[k] = common[k] == static_cast<int32_t>(above.size()) ? 1 : 0;
  }
  for (size_t y = 0; y < classes_.of.size(); ++y) {
    marks[y] |= possible[static_cast<size_t>(classes_.of[y])];
  }
}

OrderAdversary::OrderAdversary(const OrderSettings& training, const Split& split,
                               const Matrix& vectors)
    : training_(training),
      settings_(*training.adversary),
      train_(split.train),
      vectors_(vectors),
      spared_(vectors.rows(), split.known(), settings_.spare_possible),
      generals_(generator_settings(training, vectors.rows(), Stream::kOrderGenerals),
                rows_of(training, Replaced::kGeneral), training.threads),
      specifics_(generator_settings(training, vectors.rows(), Stream::kOrderSpecifics),
                 rows_of(training, Replaced::kSpecific), training.threads),
      features_(most_rows(training) * vectors.stride()),
      penalties_or_rewards_(most_rows(training) * vectors.rows()),
      marks_(static_cast<size_t>(most_rows(training) * vectors.rows())) {}

void OrderAdversary::load(CheckpointReader& file) {
  file.get("pool", pool_);
  const auto is_concept = [&](int32_t id) { return id >= 0 && id < vectors_.rows(); };
  file.require("pool", std::ranges::all_of(pool_, [&](const OrderPair& pair) {
                 return pair.specific < 0 ||
                        (is_concept(pair.specific) && is_concept(pair.general));
               }));
}

void OrderAdversary::next(int64_t pairs, Random& random, std::vector<OrderPair>& negatives) {
  negatives.clear();
  // A turn's draws serve `conditions · draws / negatives` true pairs, counting failed draws.
  const double mean = static_cast<double>(pairs) * settings_.negatives;
  auto wanted = static_cast<size_t>(mean);
  const double rest = mean - std::floor(mean);
  if (rest > 0 && double{random.uniform()} < rest) ++wanted;
  while (negatives.size() < wanted) {
    if (pool_.empty()) {
      refill_pool(Replaced::kGeneral, random);
      refill_pool(Replaced::kSpecific, random);
      shuffle(pool_, random);
    }
    negatives.push_back(pool_.back());
    pool_.pop_back();
  }
  std::erase_if(negatives, [](const OrderPair& pair) { return pair.specific < 0; });
}

void OrderAdversary::refill_pool(Replaced replaced, Random& random) {
  FullSoftmax& softmax = softmax_of(replaced);
  const int64_t rows = rows_of(training_, replaced);
  if (rows == 0) return;

  std::vector<int32_t> conditions(static_cast<size_t>(rows));
  for (int32_t& condition : conditions) {
    const OrderPair& pair = train_[random.below(static_cast<uint32_t>(train_.size()))];
    condition = replaced == Replaced::kGeneral ? pair.specific : pair.general;
  }
  gather_rows(vectors_, conditions.data(), rows, features_.data());
  compute_penalties(replaced, rows);
  softmax.compute(features_.data(), rows, penalties_or_rewards_.data(),
                  -static_cast<float>(settings_.beta));
  compute_rewards(replaced, conditions);
  for (int64_t i = 0; i < rows; ++i) {
    report_.entropy += Mean{static_cast<double>(softmax.entropy(i)), 1};
  }
  if (settings_.sampler == Sampler::kLearned) {
    random();  // keeps later draws the same as in earlier versions
    softmax.learn(settings_.policy, {features_.data(), penalties_or_rewards_.data()});
  }
  report_.spared += Mean{softmax.leave_out(marks_.data()), static_cast<double>(rows)};
  draw_pool(replaced, conditions, random);
}

// Draws of −1, from conditions without false outcomes, stay in the pool: later pairs go without.
void OrderAdversary::draw_pool(Replaced replaced, const std::vector<int32_t>& conditions,
                               Random& random) {
  const FullSoftmax& softmax = softmax_of(replaced);
  const auto draws = static_cast<size_t>(settings_.draws);
  const size_t first = pool_.size();
  pool_.resize(first + conditions.size() * draws);
  in_random_blocks(
      training_.threads, std::ssize(conditions), 1, random, [&](int64_t row, int64_t, Random& own) {
        std::vector<int32_t> drawn(draws);
        softmax.draw(row, settings_.draws, own, drawn.data());
        const auto i = static_cast<size_t>(row);
        OrderPair* pair = pool_.data() + first + i * draws;
        for (const int32_t outcome : drawn) {
          *pair++ = outcome < 0 ? OrderPair{-1, -1} : pair_of(replaced, conditions[i], outcome);
        }
      });
}

// Sets penalties_or_rewards_ to E of the conditions in features_ with all concepts.
void OrderAdversary::compute_penalties(Replaced replaced, int64_t rows) {
  in_blocks(training_.threads, vectors_.rows(), kBlock, [&](int64_t begin, int64_t end) {
    pair_functions(training_.geometry)
        .table(replaced, {features_.data(), vectors_.stride(), rows},
               {vectors_.row(begin), vectors_.stride(), end - begin}, vectors_.columns(),
               {penalties_or_rewards_.data() + begin, vectors_.rows()});
  });
}

// Replaces penalties by rewards: the discriminator's loss on a replacement, or −penalty if spared.
void OrderAdversary::compute_rewards(Replaced replaced, const std::vector<int32_t>& conditions) {
  const int64_t concepts = vectors_.rows();
  for_each_piece(training_.threads, std::ssize(conditions), [&](int, int64_t i) {
    float* const row = penalties_or_rewards_.data() + i * concepts;
    uint8_t* const spared = marks_.data() + i * concepts;
    for (int64_t y = 0; y < concepts; ++y) row[y] = negative_loss(row[y], training_.margin);
    spared_.mark(replaced, conditions[static_cast<size_t>(i)], spared);
    penalise(spared, concepts, settings_.policy.penalty, row);
  });
}

}  // namespace acevec
