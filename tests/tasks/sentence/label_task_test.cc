// Tests of sentence/label_task: texts get the labels that their words tell.

#include "tasks/sentence/label_task.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tasks/sentence/learned.h"
#include "tasks/sentence/pair_model.h"
#include "tasks/sentence/toy_pairs.h"

namespace acevec::label_task_test {
namespace {

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
  SentenceModel model = pair_model(random_vectors(text.words(), 16, 1), text.words(), text.words(),
                                   {{TokenMode::kSpace, kSearchA, true}, 0, 1, threads});
  text.renumber(model.vocabulary);
  model.labels = text.labels();
  model.classifier = Matrix(17, 4);
  PairSettings settings;
  settings.batch = 32;
  settings.heldout = 0.3;
  settings.threads = threads;
  LabelTask task(text, settings, model);
  return learn(task, {threads, 1, 20, {0.02, 0}});
}

}  // namespace

TEST_CASE("held-out texts get their labels, and any number of threads learns the same") {
  const Learned alone = learn(1);
  CHECK(alone.before < 0.5);
  CHECK(alone.after == 1);
  for (const int threads : {2, 5, 16}) CHECK(learn(threads).numbers == alone.numbers);
}

}  // namespace acevec::label_task_test
