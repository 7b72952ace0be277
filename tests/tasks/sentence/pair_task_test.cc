// Search among the second sides of pairs, hard pairs, and training on pairs and labels.

#include "tasks/sentence/pair_task.h"

#include <doctest/doctest.h>
#include <cmath>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "tasks/sentence/learned.h"
#include "tasks/sentence/model.h"
#include "tasks/sentence/toy_pairs.h"

namespace acevec::pair_task_test {
namespace {

// Words are at angles around the circle: a text's vector is its word's.
struct Circle {
  explicit Circle(const std::string& pairs)
      : file("search", pairs),
        text({file.path}, TokenMode::kSpace),
        model(Vocabulary(text.words(), std::numeric_limits<int64_t>::min(), 0),
              {TokenMode::kSpace, 2, true}) {
    text.renumber(model.vocabulary);
    for (int32_t id = 0; id < model.vocabulary.size(); ++id) {
      const double degrees = std::stod(model.vocabulary.word(id)) * 3.14159265 / 180;
      model.f.rows.row(id)[0] = static_cast<float>(3 * std::cos(degrees));
      model.f.rows.row(id)[1] = static_cast<float>(3 * std::sin(degrees));
    }
  }

  std::set<int64_t> hard(std::span<const int64_t> candidates, int64_t nearest) const {
    const std::vector<int64_t> pairs{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    Random random(1);
    const std::vector<int64_t> found =
        hard_pairs(text, model, pairs, candidates, nearest, random, 3);
    CHECK(found.size() == pairs.size());
    return {found.begin(), found.end()};
  }

  const PairFile file;
  PairText text;
  SentenceModel model;
};

Learned learn(int threads, bool ace, int64_t hard) {
  const PairFile file("task", toy_pairs(12));
  PairText text({file.path}, TokenMode::kSpace);
  SentenceModel model =
      mean_model(random_vectors(text.words(), 16, 1), text.words(),
                 {TokenMode::kSpace, kSearchA, true}, threads, MoreRows{text.words()});
  text.renumber(model.vocabulary);
  SentenceSettings settings;
  settings.batch = 50;
  settings.anchor = 0;
  settings.heldout = 0.3;
  settings.threads = threads;
  settings.hard = hard;
  if (ace) settings.adversary = SentenceAdversarySettings{.units = 8, .every = 2, .policy = {}};
  PairTask task(text, settings, model);
  CHECK(task.units() > 80);
  CHECK(task.units() < 120);
  return learn(task, {threads, 1, 40, {0.05, 0}});
}

// Each text has two words of its label, of eight, and three words that say nothing.
std::string labelled_texts() {
  std::string text;
  Random random(5);
  for (int i = 0; i < 400; ++i) {
    const std::string label = std::to_string(i % 4);
    text += "__label__" + label;
    for (int k = 0; k < 2; ++k) text += " w" + label + "-" + std::to_string(random.below(8));
    for (int k = 0; k < 3; ++k) text += " n" + std::to_string(random.below(20));
    text += "\n";
  }
  return text;
}

Learned learn(int threads) {
  const PairFile file("label-task", labelled_texts());
  PairText text = PairText::labelled({file.path}, TokenMode::kSpace);
  SentenceModel model =
      mean_model(random_vectors(text.words(), 16, 1), text.words(),
                 {TokenMode::kSpace, kSearchA, true}, threads, MoreRows{text.words(), 0});
  text.renumber(model.vocabulary);
  model.labels = text.labels();
  model.classifier = Matrix(17, 4);
  SentenceSettings settings;
  settings.batch = 32;
  settings.heldout = 0.3;
  settings.threads = threads;
  LabelTask task(text, settings, model);
  return learn(task, {threads, 1, 20, {0.02, 0}});
}

}  // namespace

TEST_CASE("pairs are scored among their own second sides, equal ones once") {
  // The right texts are second, first, second and second.
  const Circle circle("0\t20\n50\t50\n9\t0\n1\t20\n");
  const std::vector<int64_t> all{0, 1, 2, 3};
  for (const int threads : {1, 5}) {
    const RankingScores scores = score_pairs(circle.text, circle.model, all, threads);
    CHECK(scores.queries == 4);
    CHECK(scores.mrr10 == doctest::Approx(100 * (0.5 + 1 + 1 + 0.5) / 4));
  }
  CHECK(score_pairs(circle.text, circle.model, std::vector<int64_t>{0, 1}, 1).mrr10 == 100);
}

TEST_CASE("hard pairs are the nearest that no pair has") {
  // 0 belongs to 30 and, in another pair, to 10; the same text 5 comes twice.
  const Circle circle("0\t30\n0\t10\n90\t5\n91\t5\n92\t20\n93\t40\n94\t180\n");
  const std::vector<int64_t> all{0, 1, 2, 3, 4, 5, 6};
  CHECK(circle.hard(all, 1) == std::set<int64_t>{2});
  CHECK(circle.hard(all, 2) == std::set<int64_t>{2, 4});
  CHECK(circle.hard(std::vector<int64_t>{6, 5, 4}, 1) == std::set<int64_t>{4});
  CHECK(circle.hard(std::vector<int64_t>{0, 1}, 3) == std::set<int64_t>{-1});
  CHECK(circle.hard({}, 3) == std::set<int64_t>{-1});
}

TEST_CASE("the longest batch has the longest texts, and no labels") {
  const PairFile pairs("longest", "a\tb c d\ne\tf\ng h\ti j\n");
  const BatchLimits two = longest_batch(PairText({pairs.path}, TokenMode::kSpace), 2);
  CHECK(two.sentences == 2);
  CHECK(two.rows == 8);
  const PairFile lines("longest", "__label__a b c\n__label__d __label__e f\n");
  const BatchLimits all = longest_batch(PairText::labelled({lines.path}, TokenMode::kSpace), 100);
  CHECK(all.sentences == 2);
  CHECK(all.rows == 3);
}

TEST_CASE("held-out questions find their answers, and any number of threads learns the same") {
  for (const bool ace : {false, true}) {
    for (const int64_t hard : {0, 3}) {
      CAPTURE(ace);
      CAPTURE(hard);
      const Learned alone = learn(1, ace, hard);
      CHECK(alone.before < 30);
      CHECK(alone.after > 90);
      for (const int threads : {2, 5, 16}) {
        CHECK(learn(threads, ace, hard).numbers == alone.numbers);
      }
    }
  }
}

TEST_CASE("held-out texts get their labels, and any number of threads learns the same") {
  const Learned alone = learn(1);
  CHECK(alone.before < 0.5);
  CHECK(alone.after == 1);
  for (const int threads : {2, 5, 16}) CHECK(learn(threads).numbers == alone.numbers);
}

}  // namespace acevec::pair_task_test
