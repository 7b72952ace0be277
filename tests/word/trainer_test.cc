// Real training runs on a generated text whose neighbours are known.

#include "word/trainer.h"

#include <atomic>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include "instruction_sets.h"
#include "noise/noise.h"
#include "temporary_folder.h"
#include "word/reference_trainer.h"

namespace acevec {
namespace {

constexpr int32_t kTopics = 10;
constexpr int32_t kWordsPerTopic = 12;

// Every line is about one topic: its words come from there, so words of one topic must end up near
// each other and far from the rest.
std::string topic_text(int64_t lines) {
  Random random(42);
  std::string text;
  for (int64_t line = 0; line < lines; ++line) {
    const uint32_t topic = random.below(kTopics);
    for (int i = 0; i < 12; ++i) {
      text += "t" + std::to_string(topic) + "w" + std::to_string(random.below(kWordsPerTopic));
      text += i < 11 ? ' ' : '\n';
    }
  }
  return text;
}

Corpus read_text(const TemporaryFolder& folder, int64_t lines, int threads) {
  Source source(folder.write("text", topic_text(lines)));
  CorpusSettings settings;
  settings.threads = threads;
  return {source, settings, [](double, int64_t) {}};
}

template <class RowOf>
double cosine(const RowOf& row_of, size_t size, int32_t a, int32_t b) {
  double dot = 0;
  double a_squares = 0;
  double b_squares = 0;
  for (size_t k = 0; k < size; ++k) {
    const double x = static_cast<double>(row_of(a)[k]);
    const double y = static_cast<double>(row_of(b)[k]);
    dot += x * y;
    a_squares += x * x;
    b_squares += y * y;
  }
  return dot / std::sqrt(a_squares * b_squares);
}

// The part of words whose nearest word is of the same topic.
template <class RowOf>
double purity(const Vocabulary& vocabulary, const RowOf& row_of, size_t size) {
  int32_t right = 0;
  for (int32_t word = 0; word < vocabulary.size(); ++word) {
    int32_t nearest = -1;
    double best = -2;
    for (int32_t other = 0; other < vocabulary.size(); ++other) {
      if (other == word) continue;
      const double near = cosine(row_of, size, word, other);
      if (near > best) {
        best = near;
        nearest = other;
      }
    }
    right += vocabulary.word(word)[1] == vocabulary.word(nearest)[1] ? 1 : 0;
  }
  return static_cast<double>(right) / vocabulary.size();
}

SkipGramSettings small_settings(int threads) {
  SkipGramSettings settings;
  settings.size = 20;
  settings.sample = 0;
  settings.epochs = 5;
  settings.threads = threads;
  return settings;
}

SkipGramModel train(const Corpus& corpus, const SkipGramSettings& settings, Loss* loss = nullptr) {
  SkipGramModel model(corpus.vocabulary().size(), settings.size, settings.optimizer, settings.seed);
  const auto noise = noise_distribution({}, corpus.vocabulary().counts()).probabilities;
  SkipGramTrainer trainer(corpus, noise, settings, model);
  trainer.run([](const TrainingState&) { return SkipGramTrainer::Wish{}; });
  if (loss != nullptr) *loss = trainer.result().loss;
  return model;
}

bool equal(const Matrix& a, const Matrix& b) {
  return std::equal(a.row(0), a.row(a.rows()), b.row(0), b.row(b.rows()));
}

}  // namespace

TEST_CASE("training finds the topics, as the plain reference trainer does") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, 4000, 1);
  REQUIRE(corpus.vocabulary().size() == kTopics * kWordsPerTopic);
  Loss loss;
  const SkipGramSettings settings = small_settings(2);
  const SkipGramModel model = train(corpus, settings, &loss);
  const auto block_row = [&](int32_t id) { return model.words.row(id); };
  const double block_purity = purity(corpus.vocabulary(), block_row, 20);
  CHECK(block_purity > 0.95);

  // The reference: same start, same corpus, same noise, pair by pair.
  const SkipGramModel start(corpus.vocabulary().size(), settings.size, settings.optimizer,
                            settings.seed);
  reference::Rows words;
  reference::Rows contexts;
  for (int64_t i = 0; i < start.words.rows(); ++i) {
    words.emplace_back(start.words.row(i), start.words.row(i) + 20);
    contexts.emplace_back(20, 0.0);
  }
  const AliasTable noise(noise_distribution({}, corpus.vocabulary().counts()).probabilities);
  const SequenceMaker maker(corpus.vocabulary(), 0, settings.window);
  Random random(1);
  std::vector<int32_t> ids;
  Sequence sequence;
  for (int64_t epoch = 0; epoch < settings.epochs; ++epoch) {
    for (int64_t chunk = 0; chunk < corpus.chunks(); ++chunk) {
      corpus.read(chunk, ids);
      maker.make(ids, random, sequence);
      const double alpha = 0.025 * (1 - static_cast<double>(epoch) / 5.0);
      reference::train(words, contexts, sequence, noise, 5, alpha, random);
    }
  }
  const auto reference_row = [&](int32_t id) -> const std::vector<double>& {
    return words[static_cast<size_t>(id)];
  };
  CHECK(purity(corpus.vocabulary(), reference_row, 20) > 0.95);

  // Both have learned the same thing about the text: their losses agree.
  Loss reference_loss;
  for (int64_t chunk = 0; chunk < corpus.chunks(); ++chunk) {
    corpus.read(chunk, ids);
    maker.make(ids, random, sequence);
    std::vector<int32_t> negatives(64);
    for (int32_t& negative : negatives) negative = noise.draw(random);
    reference_loss.positive +=
        reference::positive_loss(words, contexts, sequence, 0, sequence.size());
    reference_loss.negative +=
        reference::negative_loss(words, contexts, sequence, 0, sequence.size(), negatives, 5);
    for (size_t i = 0; i < sequence.ids.size(); ++i) {
      reference_loss.pairs += sequence.last[i] - sequence.first[i] - 1;
    }
  }
  CHECK(loss.mean() == doctest::Approx(reference_loss.mean()).epsilon(0.1));
}

TEST_CASE("one thread and one seed give the same bytes, however the text was read") {
  const TemporaryFolder folder;
  const Corpus one = read_text(folder, 2000, 1);
  const Corpus two = read_text(folder, 2000, 2);
  const SkipGramModel a = train(one, small_settings(1));
  const SkipGramModel b = train(two, small_settings(1));
  CHECK(equal(a.words, b.words));
  CHECK(equal(a.contexts, b.contexts));
  SkipGramSettings other = small_settings(1);
  other.seed = 2;
  CHECK(!equal(a.words, train(one, other).words));
}

TEST_CASE("every instruction set trains to the same vectors, within rounding") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, 500, 1);
  SkipGramSettings settings = small_settings(1);
  settings.epochs = 1;
  const SkipGramModel best = train(corpus, settings);
  double length = 0;
  for (int64_t i = 0; i < best.words.rows(); ++i) {
    length += double{best.words.row(i)[0]} * double{best.words.row(i)[0]};
  }
  REQUIRE(length > 0.1);  // it has moved from its start of ±0.025
  for_each_instruction_set([&] {
    const SkipGramModel model = train(corpus, settings);
    double worst = 0;
    for (int64_t i = 0; i < best.words.rows(); ++i) {
      for (int64_t k = 0; k < 20; ++k) {
        worst = std::max(worst, std::abs(double{model.words.row(i)[k]} - best.words.row(i)[k]));
      }
    }
    CHECK(worst < 1e-4);
  });
}

TEST_CASE("Adam finds the topics too, at a rate of its own") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, 4000, 1);
  SkipGramSettings settings = small_settings(2);
  settings.optimizer = OptimizerKind::kAdam;
  settings.alpha = 0.001;
  const SkipGramModel model = train(corpus, settings);
  const auto row = [&](int32_t id) { return model.words.row(id); };
  CHECK(purity(corpus.vocabulary(), row, 20) > 0.95);

  settings.threads = 1;
  CHECK(equal(train(corpus, settings).words, train(corpus, settings).words));
}

TEST_CASE("the report counts every token once and the rate falls to its end") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, 3000, 1);
  const SkipGramSettings settings = small_settings(2);
  SkipGramModel model(corpus.vocabulary().size(), settings.size, settings.optimizer, settings.seed);
  const auto noise = noise_distribution({}, corpus.vocabulary().counts()).probabilities;
  std::vector<TrainingState> states;
  SkipGramTrainer trainer(corpus, noise, settings, model);
  trainer.run([&](const TrainingState& state) {
    states.push_back(state);
    return SkipGramTrainer::Wish{.save = true};
  });
  const TrainingResult result = trainer.result();
  CHECK(trainer.done());
  REQUIRE(!states.empty());
  CHECK(states.back().tokens == states.back().total);
  CHECK(states.back().total == 5 * corpus.kept_tokens());
  CHECK(states.back().epoch == 5);
  CHECK(states.back().alpha == doctest::Approx(settings.min_alpha));
  for (const TrainingState& state : states) CHECK(std::isfinite(state.recent.loss.mean()));

  // What the chunks of the last epoch were reported with adds up to its result.
  TrainingSums sums;
  for (const TrainingState& state : states) {
    if (state.epoch == 5) sums += state.recent;
  }
  CHECK(sums.loss.pairs == result.loss.pairs);
  CHECK(sums.loss.mean() == doctest::Approx(result.loss.mean()));
  CHECK(sums.adversary.rows == 0);
  CHECK(sums.time.all == 0);
}

TEST_CASE("with an adversary every state tells of it and of its share of the time") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, 10000, 1);
  for (const int64_t every : {1, 8}) {
    SkipGramSettings settings = small_settings(1);
    settings.epochs = 2;
    settings.adversary.emplace();
    settings.adversary->lambda = 0.5;  // it plays in every block
    settings.adversary->every = every;
    settings.adversary->filter_bytes = 1 << 20;
    SkipGramModel model(corpus.vocabulary().size(), settings.size, settings.optimizer,
                        settings.seed);
    const auto noise = noise_distribution({}, corpus.vocabulary().counts()).probabilities;
    TrainingSums last_epoch;
    int states = 0;
    SkipGramTrainer trainer(corpus, noise, settings, model);
    trainer.run([&](const TrainingState& state) {
      ++states;
      CHECK(state.recent.adversary.rows > 0);
      CHECK(state.recent.time.adversary > 0);
      CHECK(state.recent.time.adversary < state.recent.time.all);
      if (state.epoch == 2) last_epoch += state.recent;
      return SkipGramTrainer::Wish{};
    });
    const TrainingResult result = trainer.result();
    CHECK(states > 4);
    // It looks at every word of the blocks in which it takes its turn.
    const auto rows = static_cast<double>(corpus.kept_tokens() / every);
    CHECK(last_epoch.adversary.rows == doctest::Approx(rows).epsilon(every == 1 ? 1e-9 : 0.05));
    CHECK(last_epoch.adversary.rows == result.adversary.rows);
    CHECK(last_epoch.adversary.entropy == doctest::Approx(result.adversary.entropy));
  }
}

TEST_CASE("a state that asks for it is followed by one call to save") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, 10000, 1);
  const SkipGramSettings settings = small_settings(2);
  const SkipGramModel untouched = train(corpus, small_settings(1));
  for (const int threads : {1, 2}) {
    SkipGramSettings own = settings;
    own.threads = threads;
    SkipGramModel model(corpus.vocabulary().size(), settings.size, settings.optimizer,
                        settings.seed);
    const auto noise = noise_distribution({}, corpus.vocabulary().counts()).probabilities;
    int states = 0;
    std::atomic<int> saved{0};
    SkipGramTrainer trainer(corpus, noise, own, model);
    trainer.run(
        [&](const TrainingState&) { return SkipGramTrainer::Wish{.save = ++states % 3 == 0}; },
        [&] { ++saved; });
    CHECK(states > 10);
    CHECK(saved == states / 3);
    if (threads == 1) CHECK(equal(model.words, untouched.words));
  }
}

TEST_CASE("a trainer that goes on from a checkpoint ends where an undisturbed one does") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, 10000, 1);
  const auto noise = noise_distribution({}, corpus.vocabulary().counts()).probabilities;
  for (const char* kind : {"plain", "adam", "candidates", "full", "critic"}) {
    CAPTURE(kind);
    SkipGramSettings settings = small_settings(1);
    settings.epochs = 2;
    if (kind == std::string("adam")) settings.optimizer = OptimizerKind::kAdam;
    if (kind == std::string("candidates") || kind == std::string("full") ||
        kind == std::string("critic")) {
      settings.adversary.emplace();
      settings.adversary->filter_bytes = 1 << 16;
      settings.adversary->every = 3;
    }
    if (kind == std::string("full")) {
      settings.adversary->softmax = AdversarySettings::Softmax::kFull;
    }
    if (kind == std::string("critic")) {
      settings.adversary->sampler = AdversarySettings::Sampler::kCritic;
    }
    const auto fresh = [&] {
      return SkipGramModel(corpus.vocabulary().size(), settings.size, settings.optimizer,
                           settings.seed);
    };
    SkipGramModel whole = fresh();
    SkipGramTrainer undisturbed(corpus, noise, settings, whole);
    int chunks = 0;
    undisturbed.run([&](const TrainingState&) {
      ++chunks;
      return SkipGramTrainer::Wish{};
    });
    REQUIRE(chunks == 2 * corpus.chunks());
    for (int stop = 1; stop <= chunks; ++stop) {
      CAPTURE(stop);
      {
        SkipGramModel model = fresh();
        SkipGramTrainer trainer(corpus, noise, settings, model);
        int done = 0;
        trainer.run(
            [&](const TrainingState&) { return SkipGramTrainer::Wish{.pause = ++done == stop}; });
        CHECK(done == stop);
        CheckpointWriter file(folder.path("ck"));
        model.save(file);
        trainer.save(file);
        file.commit();
      }
      SkipGramModel model = fresh();
      SkipGramTrainer trainer(corpus, noise, settings, model);
      CheckpointReader file(folder.path("ck"));
      model.load(file);
      trainer.load(file);
      int done = 0;
      trainer.run([&](const TrainingState&) {
        ++done;
        return SkipGramTrainer::Wish{};
      });
      REQUIRE(done == chunks - stop);
      REQUIRE(trainer.done());
      REQUIRE(equal(model.words, whole.words));
      REQUIRE(equal(model.contexts, whole.contexts));
      REQUIRE(trainer.result().loss.mean() == undisturbed.result().loss.mean());
    }
  }
}

TEST_CASE("all threads meet: nothing is lost or trained twice, and other threads go on") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, 20000, 1);
  const auto noise = noise_distribution({}, corpus.vocabulary().counts()).probabilities;
  SkipGramSettings settings = small_settings(3);
  settings.epochs = 2;
  settings.adversary.emplace();
  SkipGramModel model(corpus.vocabulary().size(), settings.size, settings.optimizer, settings.seed);
  int64_t chunks = 0;
  int64_t tokens = 0;
  int legs = 0;
  for (bool done = false; !done; ++legs) {
    settings.threads = 1 + legs % 3;
    SkipGramTrainer trainer(corpus, noise, settings, model);
    if (legs > 0) {
      CheckpointReader file(folder.path("ck"));
      model.load(file);
      trainer.load(file);
      CHECK(trainer.state().tokens == tokens);
    }
    trainer.run([&](const TrainingState&) {
      ++chunks;
      return SkipGramTrainer::Wish{.pause = true};
    });
    CheckpointWriter file(folder.path("ck"));
    model.save(file);
    trainer.save(file);
    file.commit();
    tokens = trainer.state().tokens;
    done = trainer.done();
  }
  CHECK(legs > 4);
  CHECK(chunks == 2 * corpus.chunks());
  CHECK(tokens == 2 * corpus.kept_tokens());
}

TEST_CASE("the held-out loss is that of the reference, and looking at it changes nothing") {
  const TemporaryFolder folder;
  Source source(folder.write("text", topic_text(5000)));
  const Corpus corpus(source, {.heldout = 0.1}, [](double, int64_t) {});
  const auto noise = noise_distribution({}, corpus.vocabulary().counts()).probabilities;
  const SkipGramSettings settings = small_settings(1);
  SkipGramModel model(corpus.vocabulary().size(), settings.size, settings.optimizer, settings.seed);
  SkipGramTrainer trainer(corpus, noise, settings, model);
  CHECK(trainer.start_loss().mean() == doctest::Approx(6 * std::log(2.0)));
  CHECK(trainer.heldout_loss().mean() == doctest::Approx(6 * std::log(2.0)));
  trainer.run([&](const TrainingState&) { return SkipGramTrainer::Wish{.pause = true}; });
  const double first = trainer.heldout_loss().mean();
  CHECK(trainer.heldout_loss().mean() == first);
  while (!trainer.done()) {
    trainer.run([&](const TrainingState&) { return SkipGramTrainer::Wish{.pause = true}; });
    trainer.heldout_loss();
  }
  CHECK(equal(model.words, train(corpus, settings).words));
  const double last = trainer.heldout_loss().mean();
  CHECK(last < first);
  // Lines of the same kind: about the loss of those that are trained on.
  CHECK(last == doctest::Approx(trainer.result().loss.mean()).epsilon(0.05));
  SkipGramSettings two = settings;
  two.threads = 2;
  SkipGramTrainer other(corpus, noise, two, model);
  CHECK(other.heldout_loss().mean() == last);
}

}  // namespace acevec
