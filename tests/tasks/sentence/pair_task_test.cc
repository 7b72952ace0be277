// Tests of sentence/pair_task: questions find answers that share no word with them.

#include "tasks/sentence/pair_task.h"

#include <doctest/doctest.h>

#include <vector>

#include "tasks/sentence/learned.h"
#include "tasks/sentence/pair_model.h"
#include "tasks/sentence/toy_pairs.h"

namespace acevec::pair_task_test {
namespace {

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
  return learn(task, {threads, 1, 40, {0.05, 0}});
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
