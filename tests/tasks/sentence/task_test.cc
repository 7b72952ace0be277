// Passages of a text and the limits of a batch of them, training on them, and the centre of the
// vectors.

#include "tasks/sentence/task.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tasks/sentence/encoder.h"
#include "tasks/sentence/model.h"
#include "tasks/sentence/toy_text.h"
#include "temporary_folder.h"
#include "train/task.h"

namespace acevec {
namespace {

// Documents of 5, 1 and 2 sentences; the one of 4 words stands in the first.
constexpr const char* kText = "a\na a\na a a a\na\na\n\na\n\na a\na\n";

SentenceSettings toy_settings() {
  SentenceSettings settings;
  settings.batch = 48;
  settings.passage = 8;
  settings.context = 2;
  settings.seed = 1;
  return settings;
}

// Trains on the whole text with one thread; returns the mean loss of the last epoch.
double train(SentenceTask& task, int64_t epochs, double rate) {
  Clock clock(epochs * task.units(), {rate, 0});
  Mean loss;
  int64_t step = 0;
  for (int64_t epoch = 0; epoch < epochs; ++epoch) {
    task.begin_epoch(epoch);
    const auto worker = task.make_worker(0, epoch);
    loss = {};
    for (int64_t i = 0; i < task.pieces(); ++i) {
      Random random(1, epoch_stream(epoch), i);
      loss += worker->learn({epoch, i, step++}, random, clock).loss;
    }
  }
  CHECK(clock.done() == clock.total());
  return loss.value();
}

std::vector<float> encode(const SentenceModel& model, const std::string& sentence) {
  std::vector<int32_t> ids;
  SentenceReader(model.vocabulary, model.shape.mode).read(sentence, ids);
  Matrix vectors(1, model.columns());
  SentenceEncoder(model).encode({ids}, vectors, 0);
  return {vectors.row(0), vectors.row(0) + model.columns()};
}

double cosine(const std::vector<float>& a, const std::vector<float>& b) {
  double dot = 0, aa = 0, bb = 0;
  for (size_t k = 0; k < a.size(); ++k) {
    dot += static_cast<double>(a[k] * b[k]);
    aa += static_cast<double>(a[k] * a[k]);
    bb += static_cast<double>(b[k] * b[k]);
  }
  return dot / std::sqrt(aa * bb);
}

}  // namespace

TEST_CASE("passages are cut at their length and where a document ends") {
  const SentenceCorpus corpus = corpus_of(kText);
  REQUIRE(corpus.sentences() == 8);
  std::string cuts;
  for (const Passage& passage : passages_of(corpus, 2)) {
    cuts += std::to_string(passage.first) + "-" + std::to_string(passage.last) + " ";
  }
  CHECK(cuts == "0-2 2-4 4-5 5-6 6-8 ");
}

TEST_CASE("a step has room for the passages with the most tokens") {
  const SentenceCorpus corpus = corpus_of(kText);
  const std::vector<Passage> passages = passages_of(corpus, 2);
  SentenceSettings settings;
  settings.batch = 5;
  settings.passage = 2;
  CHECK(passages_in_batch(settings) == 2);
  const BatchLimits limits = step_limits(corpus, passages, settings);
  CHECK(limits.sentences == 4);
  CHECK(limits.rows == 5 + 3);
}

TEST_CASE("vectors of the text lie around 0 when it has been centred") {
  const SentenceCorpus corpus =
      corpus_of(toy_text(40));  // more sentences than are encoded together
  REQUIRE(corpus.sentences() > kEncodedPerBlock);
  SentenceModel model(corpus.vocabulary(), {TokenMode::kSpace, 5, false});
  start_model(model, 1);
  centre(corpus, 1, model);
  std::vector<std::vector<int32_t>> sentences;
  for (int64_t i = 0; i < corpus.sentences(); ++i) {
    sentences.emplace_back(corpus.sentence(i).begin(), corpus.sentence(i).end());
  }
  Matrix vectors(corpus.sentences(), model.columns());
  SentenceEncoder(model).encode(sentences, vectors, 0);
  for (int64_t k = 0; k < model.columns(); ++k) {
    CHECK(model.centre[static_cast<size_t>(k)] != 0);
    double mean = 0;
    for (int64_t i = 0; i < vectors.rows(); ++i) mean += double{vectors.row(i)[k]};
    CHECK(std::abs(mean / static_cast<double>(vectors.rows())) < 1e-6);
  }
  SentenceModel other(corpus.vocabulary(), model.shape);
  start_model(other, 1);
  centre(corpus, 3, other);
  CHECK(other.centre == model.centre);
}

TEST_CASE("documents of a toy text are told apart perfectly") {
  const SentenceCorpus corpus = corpus_of(toy_text(120));
  CHECK(corpus.documents() == 120);
  CHECK(corpus.sentences() == 960);
  struct Case {
    int64_t block;
    EncoderKind encoder = EncoderKind::kBag;
    bool ace = false;
  };
  constexpr EncoderKind kBag = EncoderKind::kBag;
  constexpr EncoderKind kGru = EncoderKind::kGru;
  for (const Case& c : {Case{0}, Case{2}, Case{0, kGru}, Case{2, kGru}, Case{0, kBag, true},
                        Case{2, kBag, true}, Case{0, kGru, true}}) {
    const bool gru = c.encoder == kGru;
    CAPTURE(gru);
    CAPTURE(c.ace);
    CAPTURE(c.block);
    SentenceModel model(corpus.vocabulary(), {TokenMode::kSpace, 16, false, c.encoder});
    start_model(model, 1);
    SentenceSettings settings = toy_settings();
    settings.block = c.block;
    if (c.ace) settings.adversary = SentenceAdversarySettings{.units = 8, .every = 4, .policy = {}};
    SentenceTask task(corpus, settings, model);
    const double before = train(task, 1, 1e-9);
    CHECK(train(task, 30, gru ? 0.005 : 0.05) < (c.block > 0 ? 0.4 : 0.85) * before);
    for (int a = 0; a < kToyTopics; ++a) {
      const std::string topic = "t" + std::to_string(a) + "_";
      const auto here = encode(model, topic + "1 w1 " + topic + "2 w5");
      const double same = cosine(here, encode(model, topic + "7 w2 " + topic + "8 w3"));
      for (int b = 0; b < kToyTopics; ++b) {
        const std::string other = "t" + std::to_string(b) + "_";
        if (b != a) CHECK(cosine(here, encode(model, other + "3 w4 " + other + "4 w6")) < same);
      }
    }
  }
}

TEST_CASE("any number of threads learns the same, to the byte") {
  const SentenceCorpus corpus = corpus_of(toy_text(40));
  struct Case {
    EncoderKind encoder;
    bool tied = false;
    int64_t block = 0;
    bool ace = false;
  };
  constexpr EncoderKind kBag = EncoderKind::kBag;
  constexpr EncoderKind kGru = EncoderKind::kGru;
  for (const Case& c :
       {Case{kBag}, Case{kGru}, Case{kBag, true}, Case{kGru, true}, Case{kBag, false, 2},
        Case{kBag, false, 0, true}, Case{kBag, false, 2, true}, Case{kGru, true, 2, true}}) {
    const auto learned = [&](int threads) {
      SentenceModel model(corpus.vocabulary(), {TokenMode::kSpace, 16, c.tied, c.encoder});
      start_model(model, 1);
      SentenceSettings settings = toy_settings();
      settings.threads = threads;
      settings.block = c.block;
      settings.heldout = 0.1;
      if (c.ace)
        settings.adversary = SentenceAdversarySettings{.units = 8, .every = 2, .policy = {}};
      if (c.ace) settings.adversary->policy.estimator = PolicySettings::Estimator::kReinforce;
      SentenceTask task(corpus, settings, model);
      train(task, 2, 0.01);
      std::vector<float> numbers{static_cast<float>(task.evaluate()->score)};
      for (const Parameter& parameter : task.parameters()) {
        const Matrix& matrix = *parameter.matrix;
        numbers.insert(numbers.end(), matrix.row(0),
                       matrix.row(0) + matrix.rows() * matrix.stride());
      }
      return numbers;
    };
    const bool gru = c.encoder == kGru;
    CAPTURE(gru);
    CAPTURE(c.tied);
    CAPTURE(c.ace);
    CAPTURE(c.block);
    const std::vector<float> alone = learned(1);
    for (const int threads : {2, 3, 5, 16}) CHECK(learned(threads) == alone);
  }
}

TEST_CASE("a network that is both f and g takes one step for both") {
  const SentenceCorpus corpus = corpus_of(toy_text(120));
  for (const EncoderKind encoder : {EncoderKind::kBag, EncoderKind::kGru}) {
    SentenceModel model(corpus.vocabulary(), {TokenMode::kSpace, 16, true, encoder});
    start_model(model, 1);
    const SentenceSettings settings = toy_settings();
    SentenceTask task(corpus, settings, model);
    CHECK(task.parameters().size() == (encoder == EncoderKind::kBag ? 2 : 4));
    const double before = train(task, 1, 1e-9);
    CHECK(train(task, 20, 0.01) < 0.9 * before);
  }
}

TEST_CASE("held-out documents are evaluated and not learned from") {
  const SentenceCorpus corpus = corpus_of(toy_text(120));
  SentenceModel model(corpus.vocabulary(), {TokenMode::kSpace, 16, false});
  start_model(model, 1);
  SentenceSettings settings = toy_settings();
  settings.heldout = 0.2;
  SentenceTask task(corpus, settings, model);
  CHECK(task.units() < corpus.sentences());
  CHECK(task.units() > corpus.sentences() / 2);
  const Evaluation before = *task.evaluate();
  train(task, 10, 0.05);
  CHECK(task.evaluate()->score < before.score);
}

TEST_CASE("neighbours are neighbours in whatever passages of a batch they are") {
  const SentenceCorpus corpus = corpus_of(toy_text(6));
  const auto first_loss = [&](int64_t passage) {
    SentenceModel model(corpus.vocabulary(), {TokenMode::kSpace, 16, false});
    start_model(model, 1);
    SentenceSettings settings = toy_settings();
    settings.passage = passage;
    SentenceTask task(corpus, settings, model);
    CHECK(task.pieces() == 1);  // all 48 sentences are in one batch
    return train(task, 1, 1e-9);
  };
  const double whole = first_loss(8);
  for (const int64_t passage : {1, 2, 4}) {
    CAPTURE(passage);
    CHECK(first_loss(passage) == doctest::Approx(whole).epsilon(1e-5));
  }
}

TEST_CASE("a sentence without a neighbour is a candidate and takes no step of its own") {
  const auto trained = [](const std::string& text) {
    const SentenceCorpus corpus = corpus_of(text);
    SentenceModel model(corpus.vocabulary(), {TokenMode::kSpace, 16, false});
    start_model(model, 1);
    SentenceModel before(corpus.vocabulary(), model.shape);
    start_model(before, 1);
    const SentenceSettings settings = toy_settings();
    SentenceTask task(corpus, settings, model);
    train(task, 3, 0.05);
    const auto moved = [&](const Matrix& now, const Matrix& then, const char* word) {
      int32_t id = 0;
      while (corpus.vocabulary().word(id) != word) ++id;
      return !std::equal(now.row(id), now.row(id) + 17, then.row(id));
    };
    return std::vector<bool>{moved(model.f.rows, before.f.rows, "alone"),
                             moved(model.g().rows, before.g().rows, "alone"),
                             moved(model.f.rows, before.f.rows, "a")};
  };
  CHECK(trained("a b\nb c\nc d\n\nalone\n") == std::vector<bool>{false, true, true});
  CHECK(trained("a\n\nb\n\nalone\n") == std::vector<bool>{false, false, false});
}

TEST_CASE("a snapshot is the model of its moment, centred, as often as one is written") {
  const TemporaryFolder folder;
  const SentenceCorpus corpus = corpus_of(toy_text(20));
  SentenceModel model(corpus.vocabulary(), {TokenMode::kSpace, 8, false});
  start_model(model, 1);
  const SentenceSettings settings = toy_settings();
  SentenceTask task(corpus, settings, model);
  for (int epochs = 1; epochs <= 2; ++epochs) {
    train(task, epochs, 0.01);
    task.write_snapshot(folder.path("model"));
    const SentenceModel read = read_sentence_model(folder.path("model"));
    std::fill(model.centre.begin(), model.centre.end(), 0.0F);
    centre(corpus, 1, model);
    CHECK(read.centre == model.centre);
    CHECK(read.centre[0] != 0);
  }
}

}  // namespace acevec
