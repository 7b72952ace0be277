// Tests of sentence/pair_task: questions find answers that share no word with them.

#include "tasks/sentence/pair_task.h"

#include <doctest/doctest.h>

#include <vector>

#include "tasks/sentence/pair_model.h"
#include "tasks/sentence/toy_pairs.h"
#include "train/clock.h"

namespace acevec::pair_task_test {
namespace {

struct Learned {
  double before = 0, after = 0;  // held-out MRR@10
  std::vector<float> numbers;
};

Learned learn(int threads, bool ace, int64_t hard) {
  const PairFile file("task", toy_pairs(12));
  PairText text({file.path}, TokenMode::kSpace);
  SentenceModel model = pair_model(random_vectors(text.words(), 16, 1), text.words(), text.words(),
                                   {{TokenMode::kSpace, kSearchA, true}, kUnknownRows, 1, threads});
  text.renumber(model.vocabulary);
  PairSettings settings;
  settings.batch = 50;
  settings.anchor = 0;
  settings.heldout = 0.3;
  settings.threads = threads;
  settings.hard = hard;
  if (ace) settings.adversary = SentenceAdversarySettings{0.7, 1, 8, 2, {}, {}};
  PairTask task(text, settings, model);
  CHECK(task.units() > 80);
  CHECK(task.units() < 120);
  Learned learned;
  learned.before = task.evaluate()->score;
  constexpr int64_t kEpochs = 40;
  Clock clock(kEpochs * task.units(), {0.05, 0});
  const auto worker = task.make_worker(0, 0);
  int64_t step = 0;
  for (int64_t epoch = 0; epoch < kEpochs; ++epoch) {
    task.begin_epoch(epoch);
    for (int64_t i = 0; i < task.pieces(); ++i) {
      Random random(1, epoch_stream(epoch), i);
      worker->learn({epoch, i, step++}, random, clock);
    }
  }
  CHECK(clock.done() == clock.total());
  learned.after = task.evaluate()->score;
  for (const Parameter& parameter : task.parameters()) {
    const Matrix& matrix = *parameter.matrix;
    learned.numbers.insert(learned.numbers.end(), matrix.row(0),
                           matrix.row(0) + matrix.rows() * matrix.stride());
  }
  return learned;
}

}  // namespace

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

}  // namespace acevec::pair_task_test
