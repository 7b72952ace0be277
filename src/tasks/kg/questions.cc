#include "tasks/kg/questions.h"

#include <algorithm>
#include <tuple>

namespace acevec {

Questions::Questions(std::span<const Triple> triples, bool both) {
  std::vector<Triple> sorted(triples.begin(), triples.end());
  for (const Side side : {Side::kTail, Side::kHead}) {
    if (side == Side::kHead && !both) continue;
    const auto key = [&](const Triple& triple) {
      return std::tuple(entity(triple, other(side)), triple.relation, entity(triple, side));
    };
    std::sort(sorted.begin(), sorted.end(),
              [&](const Triple& a, const Triple& b) { return key(a) < key(b); });
    for (const Triple& triple : sorted) {
      const int32_t kept = entity(triple, other(side));
      const bool same = !whole_.empty() && whole_.back().side == side &&
                        whole_.back().kept == kept && whole_.back().relation == triple.relation;
      if (!same) whole_.push_back({side, kept, triple.relation, answers(), answers()});
      answers_.push_back(entity(triple, side));
      whole_.back().end = answers();
    }
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

Question Questions::at(int64_t i) const {
  const Part& part = parts_[static_cast<size_t>(i)];
  return {part.side,
          part.kept,
          part.relation,
          {answers_.data() + part.begin, answers_.data() + part.end}};
}

std::vector<Triple> with_reverses(std::span<const Triple> triples, int32_t relations) {
  std::vector<Triple> all(triples.begin(), triples.end());
  for (const Triple& triple : triples) {
    all.push_back({triple.tail, triple.relation + relations, triple.head});
  }
  return all;
}

}  // namespace acevec
