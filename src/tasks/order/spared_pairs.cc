#include "tasks/order/spared_pairs.h"

#include <algorithm>
#include <numeric>

namespace acevec {
namespace {

// Of each concept, the classes that have it among their generals.
ExactPairs classes_below(const ExactPairs& generals, const std::vector<int32_t>& examples) {
  std::vector<ObservedPair> pairs;
  for (size_t k = 0; k < examples.size(); ++k) {
    for (const int32_t y : generals.outcomes(examples[k])) {
      pairs.push_back({y, static_cast<int32_t>(k)});
    }
  }
  return {generals.conditions(), pairs};
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
  // Of the condition's generals, how many each class has.
  const auto generals = generals_.outcomes(condition);
  std::vector<int32_t> common(classes_.examples.size());
  for (const int32_t y : generals) {
    for (const int32_t one : below_.outcomes(y)) ++common[static_cast<size_t>(one)];
  }
  // All that is above the general one must be among them.
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

}  // namespace acevec
