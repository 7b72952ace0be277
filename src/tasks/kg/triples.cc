#include "tasks/kg/triples.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>

namespace acevec {

KnownAnswers::KnownAnswers(Side side, int64_t entities,
                           std::initializer_list<std::span<const Triple>> parts)
    : side_(side), begins_(static_cast<size_t>(entities) + 1) {
  std::vector<std::tuple<int32_t, int32_t, int32_t>> all;
  for (const std::span<const Triple> part : parts) {
    for (const Triple& triple : part) {
      all.emplace_back(entity(triple, other(side)), triple.relation, entity(triple, side));
    }
  }
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  for (const auto& [kept, relation, answer] : all) {
    ++begins_[static_cast<size_t>(kept) + 1];
    relations_.push_back(relation);
    answers_.push_back(answer);
  }
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
}

std::span<const int32_t> KnownAnswers::of(const Triple& triple) const {
  const auto kept = static_cast<size_t>(entity(triple, other(side_)));
  const auto relations = relations_.begin();
  const auto [first, last] =
      std::equal_range(relations + begins_[kept], relations + begins_[kept + 1], triple.relation);
  return {answers_.data() + (first - relations), static_cast<size_t>(last - first)};
}

bool KnownAnswers::contains(const Triple& triple) const {
  const std::span<const int32_t> all = of(triple);
  return std::binary_search(all.begin(), all.end(), entity(triple, side_));
}

KnownTriples::KnownTriples(int64_t entities, std::initializer_list<std::span<const Triple>> parts)
    : heads(Side::kHead, entities, parts), tails(Side::kTail, entities, parts) {
  size_t triples = 0;
  for (const std::span<const Triple> part : parts) triples += part.size();
  // 16 to 32 bits per triple: at most one in 16 of the other triples hits a bit that is set.
  const int log2 = std::max(6, static_cast<int>(std::bit_width(16 * triples)));
  shift_ = 64 - log2;
  bits_.resize(size_t{1} << (log2 - 6));
  for (const std::span<const Triple> part : parts) {
    for (const Triple& triple : part) {
      const uint64_t bit = bit_of(triple);
      bits_[bit / 64] |= uint64_t{1} << (bit % 64);
    }
  }
}

Questions::Questions(std::span<const Triple> triples) {
  std::vector<Triple> sorted(triples.begin(), triples.end());
  std::ranges::sort(sorted);
  for (const auto& [head, relation, tail] : sorted) {
    const bool same =
        !whole_.empty() && whole_.back().kept == head && whole_.back().relation == relation;
    if (!same) whole_.push_back({head, relation, std::ssize(answers_), 0});
    answers_.push_back(tail);
    whole_.back().end = std::ssize(answers_);
  }
  cut();
}

void Questions::cut() {
  parts_.clear();
  for (const Part& whole : whole_) {
    for (int64_t begin = whole.begin; begin < whole.end; begin += kMostAnswers) {
      parts_.push_back(whole);
      parts_.back().begin = begin;
      parts_.back().end = std::min(begin + kMostAnswers, whole.end);
    }
  }
}

void Questions::shuffle(Random& random) {
  for (const Part& whole : whole_) {
    std::span<int32_t> answers(answers_.data() + whole.begin, answers_.data() + whole.end);
    std::sort(answers.begin(), answers.end());
    acevec::shuffle(answers, random);
  }
  cut();
  acevec::shuffle(parts_, random);
}

std::vector<float> Questions::first_answers(int64_t entities) const {
  std::vector<float> shares(static_cast<size_t>(entities));
  for (const Part& whole : whole_) {
    const int64_t answers = whole.end - whole.begin;
    const int64_t parts = (answers + kMostAnswers - 1) / kMostAnswers;
    const float one =
        static_cast<float>(parts) / (static_cast<float>(answers) * static_cast<float>(count()));
    for (int64_t i = whole.begin; i < whole.end; ++i) {
      shares[static_cast<size_t>(answers_[static_cast<size_t>(i)])] += one;
    }
  }
  return shares;
}

std::vector<Triple> with_reverses(std::span<const Triple> triples, int32_t relations) {
  std::vector<Triple> all(triples.begin(), triples.end());
  for (const Triple& triple : triples) {
    all.push_back({triple.tail, triple.relation + relations, triple.head});
  }
  return all;
}

}  // namespace acevec
