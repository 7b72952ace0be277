// Real training runs on a generated text whose neighbours are known.

#include "tasks/word/task.h"

#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include "instruction_sets.h"
#include "math/aligned.h"
#include "tasks/word/reference_trainer.h"
#include "tasks/word/train_words.h"
#include "temporary_folder.h"

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
  return read_corpus(source, settings, [](double, int64_t) {});
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

WordSettings small_settings(int threads) {
  WordSettings settings;
  settings.size = 20;
  settings.sample = 0;
  settings.threads = threads;
  return settings;
}

// What is done with a run between its legs: as Run does it, without the files around.
struct Leg {
  WordSettings settings;
  SkipGramModel model;
  std::vector<double> noise;
  SkipGramTask task;
  TaskRunner runner;

  Leg(const Corpus& corpus, const WordSettings& wanted)
      : settings(wanted),
        model(start_model(corpus, settings)),
        noise(unigram_noise(corpus)),
        task(corpus, noise, settings, model),
        runner(task, settings.plan()) {}

  // Trains until `pause` says so, called after every chunk.
  template <class Pause>
  void run(Pause pause) {
    runner.run([&](const RunState&, const Sums&) { return TaskRunner::Request{.pause = pause()}; },
               [] {});
  }

  void save(const std::string& path) {
    CheckpointWriter file(path);
    for (const Parameter& parameter : task.parameters()) {
      parameter.matrix->save(parameter.name, file);
    }
    runner.save(file);
    file.commit();
  }

  void load(const std::string& path) {
    CheckpointReader file(path);
    for (const Parameter& parameter : task.parameters()) {
      parameter.matrix->load(parameter.name, file);
    }
    runner.load(describe_skip_gram().means.size(), file);
  }
};

}  // namespace

TEST_CASE("training finds the topics, as the plain reference trainer does") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, 4000, 1);
  REQUIRE(corpus.vocabulary().size() == kTopics * kWordsPerTopic);
  TrainingResult result;
  const WordSettings settings = small_settings(2);
  const SkipGramModel model = train(corpus, settings, &result);
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
  const SequenceMaker maker(corpus.vocabulary(), 0, {settings.window, true});
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
        reference::positive_loss(words, contexts, sequence, 0, sequence.size(), 0);
    reference_loss.negative +=
        reference::negative_loss(words, contexts, sequence, 0, sequence.size(), 0, negatives, 5);
    for (size_t i = 0; i < sequence.ids.size(); ++i) {
      reference_loss.pairs += sequence.last[i] - sequence.first[i] - 1;
    }
  }
  CHECK(result.loss == doctest::Approx(reference_loss.mean()).epsilon(0.1));
}

TEST_CASE("one thread and one seed give the same bytes, however the text was read") {
  const TemporaryFolder folder;
  const Corpus one = read_text(folder, 2000, 1);
  const Corpus two = read_text(folder, 2000, 2);
  const SkipGramModel a = train(one, small_settings(1));
  const SkipGramModel b = train(two, small_settings(1));
  CHECK(equal(a.words, b.words));
  CHECK(equal(a.contexts, b.contexts));
  WordSettings other = small_settings(1);
  other.seed = 2;
  CHECK(!equal(a.words, train(one, other).words));
}

TEST_CASE("every instruction set trains to the same vectors, within rounding") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, 500, 1);
  WordSettings settings = small_settings(1);
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
  WordSettings settings = small_settings(2);
  settings.optimizer = OptimizerKind::kAdam;
  settings.rate = {0.001, 1e-7};
  const SkipGramModel model = train(corpus, settings);
  const auto row = [&](int32_t id) { return model.words.row(id); };
  CHECK(purity(corpus.vocabulary(), row, 20) > 0.95);

  settings.threads = 1;
  CHECK(equal(train(corpus, settings).words, train(corpus, settings).words));
}

TEST_CASE("the report counts every token once and the rate falls to its end") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, 3000, 1);
  const WordSettings settings = small_settings(2);
  Leg leg(corpus, settings);
  std::vector<RunState> states;
  Sums last_epoch;
  leg.runner.run(
      [&](const RunState& state, const Sums& piece) {
        states.push_back(state);
        CHECK(std::isfinite(piece.loss.value()));
        CHECK(piece.means[kEntropy].count == 0);
        if (state.epoch == 5) last_epoch += piece;
        return TaskRunner::Request{};
      },
      [] {});
  CHECK(leg.runner.done());
  REQUIRE(!states.empty());
  CHECK(states.back().done == states.back().total);
  CHECK(states.back().total == 5 * corpus.kept_tokens());
  CHECK(states.back().epoch == 5);
  CHECK(states.back().rate == doctest::Approx(settings.rate.end));

  // What the chunks of the last epoch were reported with adds up to its sums.
  const Sums& sums = leg.runner.epoch_sums();
  CHECK(last_epoch.loss.count == sums.loss.count);
  CHECK(last_epoch.loss.value() == doctest::Approx(sums.loss.value()));
}

TEST_CASE("with an adversary every piece tells of it") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, 10000, 1);
  for (const int64_t every : {1, 8}) {
    WordSettings settings = small_settings(1);
    settings.epochs = 2;
    settings.adversary = learned_adversary();
    settings.adversary->lambda = 0.5;  // it plays in every block
    settings.adversary->every = every;
    settings.adversary->filter_bytes = 1 << 20;
    Leg leg(corpus, settings);
    Sums last_epoch;
    int pieces = 0;
    leg.runner.run(
        [&](const RunState& state, const Sums& piece) {
          ++pieces;
          CHECK(piece.means[kEntropy].count > 0);
          if (state.epoch == 2) last_epoch += piece;
          return TaskRunner::Request{};
        },
        [] {});
    const Sums& sums = leg.runner.epoch_sums();
    CHECK(pieces > 4);
    // It looks at every word of the blocks in which it takes its turn.
    const auto rows = static_cast<double>(corpus.kept_tokens() / every);
    const Mean& seen = last_epoch.means[kEntropy];
    CHECK(seen.count == doctest::Approx(rows).epsilon(every == 1 ? 1e-9 : 0.05));
    CHECK(seen.count == sums.means[kEntropy].count);
    CHECK(seen.value() == doctest::Approx(sums.means[kEntropy].value()));
  }
}

TEST_CASE("a run that is resumed from a checkpoint ends where an undisturbed one does") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, 5000, 1);
  for (const char* kind : {"plain", "adam", "candidates", "full", "critic"}) {
    CAPTURE(kind);
    WordSettings settings = small_settings(1);
    settings.epochs = 2;
    if (kind == std::string("adam")) settings.optimizer = OptimizerKind::kAdam;
    if (kind == std::string("candidates") || kind == std::string("full") ||
        kind == std::string("critic")) {
      settings.adversary = learned_adversary();
      settings.adversary->filter_bytes = 1 << 16;
      settings.adversary->every = 3;
    }
    if (kind == std::string("full")) {
      settings.adversary->softmax = AdversarySettings::Softmax::kFull;
    }
    if (kind == std::string("critic")) {
      settings.adversary->sampler = Sampler::kCritic;
    }
    Leg whole(corpus, settings);
    int chunks = 0;
    whole.run([&] { return ++chunks < 0; });
    REQUIRE(chunks == 2 * corpus.chunks());
    for (int stop = 1; stop <= chunks; ++stop) {
      CAPTURE(stop);
      int done = 0;
      {
        Leg first(corpus, settings);
        first.run([&] { return ++done == stop; });
        CHECK(done == stop);
        first.save(folder.path("ck"));
      }
      Leg second(corpus, settings);
      second.load(folder.path("ck"));
      done = 0;
      second.run([&] { return ++done < 0; });
      REQUIRE(done == chunks - stop);
      REQUIRE(second.runner.done());
      REQUIRE(equal(second.model.words, whole.model.words));
      REQUIRE(equal(second.model.contexts, whole.model.contexts));
      REQUIRE(second.runner.epoch_sums().loss.value() == whole.runner.epoch_sums().loss.value());
    }
  }
}

TEST_CASE("all threads meet: nothing is lost or trained twice, and other threads go on") {
  const TemporaryFolder folder;
  const Corpus corpus = read_text(folder, 20000, 1);
  WordSettings settings = small_settings(3);
  settings.epochs = 2;
  settings.adversary = learned_adversary();
  int64_t chunks = 0;
  int64_t tokens = 0;
  int legs = 0;
  for (bool done = false; !done; ++legs) {
    settings.threads = 1 + legs % 3;
    Leg leg(corpus, settings);
    if (legs > 0) {
      leg.load(folder.path("ck"));
      CHECK(leg.runner.state().done == tokens);
    }
    leg.run([&] { return ++chunks > 0; });
    leg.save(folder.path("ck"));
    tokens = leg.runner.state().done;
    done = leg.runner.done();
  }
  CHECK(legs > 4);
  CHECK(chunks == 2 * corpus.chunks());
  CHECK(tokens == 2 * corpus.kept_tokens());
}

TEST_CASE("the held-out loss is that of the reference, and looking at it changes nothing") {
  const TemporaryFolder folder;
  Source source(folder.write("text", topic_text(5000)));
  const Corpus corpus = read_corpus(source, {.heldout = 0.1}, [](double, int64_t) {});
  const WordSettings settings = small_settings(1);
  Leg leg(corpus, settings);
  const auto heldout = [](Leg& of) { return of.task.evaluate()->score; };
  CHECK(*leg.task.start_loss() == doctest::Approx(6 * std::log(2.0)));
  CHECK(heldout(leg) == doctest::Approx(6 * std::log(2.0)));
  leg.run([] { return true; });
  const double first = heldout(leg);
  CHECK(heldout(leg) == first);
  while (!leg.runner.done()) {
    leg.run([] { return true; });
    leg.task.evaluate();
  }
  CHECK(equal(leg.model.words, train(corpus, settings).words));
  const double last = heldout(leg);
  CHECK(last < first);
  // Lines of the same kind: about the loss of those that are trained on.
  CHECK(last == doctest::Approx(leg.runner.epoch_sums().loss.value()).epsilon(0.05));
  WordSettings two = settings;
  two.threads = 2;
  SkipGramTask other(corpus, leg.noise, two, leg.model);
  CHECK(other.evaluate()->score == last);
}

}  // namespace acevec
