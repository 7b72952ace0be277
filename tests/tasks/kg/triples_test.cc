// What is known of triples, and the questions that they are.

#include "tasks/kg/triples.h"

#include <algorithm>
#include <set>
#include <vector>

#include <doctest/doctest.h>
#include "base/random.h"

namespace acevec::kg_triples_test {
namespace {

std::vector<Triple> asked(const Questions& questions) {
  std::vector<Triple> all;
  for (int64_t i = 0; i < questions.count(); ++i) {
    const Question question = questions.at(i);
    CHECK(!question.answers.empty());
    CHECK(static_cast<int64_t>(question.answers.size()) <= Questions::kMostAnswers);
    for (const int32_t answer : question.answers) {
      all.push_back({question.kept, question.relation, answer});
    }
  }
  return all;
}

}  // namespace

TEST_CASE("answers are the entities that complete a triple") {
  const std::vector<Triple> some{{0, 0, 1}, {0, 0, 3}, {2, 0, 1}, {0, 1, 2}};
  const std::vector<Triple> more{{0, 0, 2}, {0, 0, 1}};
  const KnownTriples answers(5, {some, more});
  const auto of = [&](Side side, const Triple& triple) {
    const auto found = answers.at(side).of(triple);
    return std::vector<int32_t>(found.begin(), found.end());
  };
  CHECK(of(Side::kTail, {0, 0, 4}) == std::vector<int32_t>{1, 2, 3});
  CHECK(of(Side::kTail, {0, 1, 4}) == std::vector<int32_t>{2});
  CHECK(of(Side::kTail, {1, 0, 4}).empty());
  CHECK(of(Side::kTail, {4, 7, 0}).empty());
  CHECK(of(Side::kHead, {4, 0, 1}) == std::vector<int32_t>{0, 2});
  CHECK(answers.tails.contains({0, 0, 3}));
  CHECK(answers.heads.contains({0, 0, 3}));
  CHECK_FALSE(answers.tails.contains({0, 1, 3}));
  CHECK_FALSE(answers.heads.contains({3, 0, 0}));
}

TEST_CASE("bits before the lists change nothing of what is contained") {
  constexpr int32_t kEntities = 12, kRelations = 3;
  std::vector<Triple> triples, all;
  Random random(3);
  for (int32_t h = 0; h < kEntities; ++h) {
    for (int32_t r = 0; r < kRelations; ++r) {
      for (int32_t t = 0; t < kEntities; ++t) {
        all.push_back({h, r, t});
        if (random.below(4) == 0) triples.push_back({h, r, t});
      }
    }
  }
  const KnownTriples answers(kEntities, {triples});
  for (const Triple& triple : all) {
    const bool wanted = std::find(triples.begin(), triples.end(), triple) != triples.end();
    CHECK(answers.contains(triple) == wanted);
  }
  CHECK_FALSE(KnownTriples(kEntities, {}).contains(all[0]));
}

TEST_CASE("an epoch asks for every triple's tail once, in an order of its own") {
  std::vector<Triple> triples;
  for (int32_t i = 0; i < 40; ++i) triples.push_back({0, 1, i});  // one question, in three parts
  for (int32_t i = 1; i < 20; ++i) triples.push_back({i, i % 2, 2 * i});
  Questions questions(triples);
  std::set<std::vector<Triple>> orders;
  for (const uint64_t seed : {1U, 2U, 1U}) {
    Random random(seed);
    questions.shuffle(random);
    CHECK(questions.count() == 22);
    std::vector<Triple> all = asked(questions);
    orders.insert(all);
    std::sort(all.begin(), all.end());
    CHECK(all == triples);
  }
  CHECK(orders.size() == 2);  // which follow from the seed alone
}

TEST_CASE("first answers are as frequent as expected") {
  std::vector<Triple> triples;
  for (int32_t i = 0; i < 20; ++i) triples.push_back({0, 1, i});  // one question, in two parts
  for (int32_t i = 1; i < 4; ++i) triples.push_back({i, 1, 5});
  triples.push_back({1, 1, 6});
  constexpr int32_t kEntities = 21;
  Questions questions(triples);
  const std::vector<float> expected = questions.first_answers(kEntities);
  std::vector<double> seen(kEntities);
  constexpr int kTimes = 20000;
  Random random(1);
  for (int i = 0; i < kTimes; ++i) {
    questions.shuffle(random);
    for (int64_t k = 0; k < questions.count(); ++k) {
      seen[static_cast<size_t>(questions.at(k).answers.front())] +=
          1 / static_cast<double>(kTimes * questions.count());
    }
  }
  for (size_t id = 0; id < kEntities; ++id) {
    CHECK(seen[id] == doctest::Approx(double{expected[id]}).epsilon(0.05).scale(0.01));
  }
  CHECK(expected[20] == 0);
}

TEST_CASE("reverses stand behind the triples, with relations of their own") {
  const std::vector<Triple> all = with_reverses(std::vector<Triple>{{4, 1, 5}, {6, 0, 4}}, 2);
  CHECK(all == std::vector<Triple>{{4, 1, 5}, {6, 0, 4}, {5, 3, 4}, {4, 2, 6}});
}

}  // namespace acevec::kg_triples_test
