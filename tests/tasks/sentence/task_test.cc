// Tests of sentence/task: a toy text whose documents can be told apart perfectly, and what
// sentences are made of.

#include "tasks/sentence/task.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tasks/sentence/encoder.h"
#include "tasks/sentence/model_file.h"
#include "tasks/sentence/toy_text.h"
#include "temporary_folder.h"
#include "train/clock.h"

namespace acevec {
namespace {

SentenceCorpus read_toy(const std::string& path, bool split = false) {
  Source source(path);
  return {source, {TextFormat::kText, TokenMode::kSpace, split, 1, 0}};
}

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

TEST_CASE("documents of a toy text are told apart perfectly") {
  const TemporaryFolder folder;
  const std::string path = folder.path("toy.txt");
  write_toy_text(path, 120);
  const SentenceCorpus corpus = read_toy(path);
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
    if (c.ace) settings.adversary = SentenceAdversarySettings{0.7, 1, 8, 4, {}, {}};
    SentenceTask task(corpus, settings, model, [](const std::string&) {});
    const double before = train(task, 1, 1e-9);
    CHECK(train(task, 30, gru ? 0.005 : 0.05) < before);
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

TEST_CASE("held-out documents are evaluated and not learned from") {
  const TemporaryFolder folder;
  const std::string path = folder.path("toy.txt");
  write_toy_text(path, 120);
  const SentenceCorpus corpus = read_toy(path);
  SentenceModel model(corpus.vocabulary(), {TokenMode::kSpace, 16, false});
  start_model(model, 1);
  SentenceSettings settings = toy_settings();
  settings.heldout = 0.2;
  SentenceTask task(corpus, settings, model, [](const std::string&) {});
  CHECK(task.trained() < corpus.sentences());
  CHECK(task.trained() > corpus.sentences() / 2);
  const Evaluation before = *task.evaluate();
  train(task, 10, 0.05);
  CHECK(task.evaluate()->score < before.score);
}

TEST_CASE("neighbours are neighbours in whatever passages of a batch they are") {
  const TemporaryFolder folder;
  const std::string path = folder.path("toy.txt");
  write_toy_text(path, 6);
  const SentenceCorpus corpus = read_toy(path);
  const auto first_loss = [&](int64_t passage) {
    SentenceModel model(corpus.vocabulary(), {TokenMode::kSpace, 16, false});
    start_model(model, 1);
    SentenceSettings settings = toy_settings();
    settings.passage = passage;
    SentenceTask task(corpus, settings, model, [](const std::string&) {});
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
  const TemporaryFolder folder;
  const auto trained = [&](const std::string& text) {
    const SentenceCorpus corpus = read_toy(folder.write("text", text));
    SentenceModel model(corpus.vocabulary(), {TokenMode::kSpace, 16, false});
    start_model(model, 1);
    SentenceModel before(corpus.vocabulary(), model.shape);
    start_model(before, 1);
    const SentenceSettings settings = toy_settings();
    SentenceTask task(corpus, settings, model, [](const std::string&) {});
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

TEST_CASE("an empty line ends a document, and words seen rarely leave") {
  const TemporaryFolder folder;
  const std::string path = folder.write("text", "\n\na b\nb rare a\n\n \nrare2\na\n\nb b");
  Source source(path);
  const SentenceCorpus corpus(source, {TextFormat::kText, TokenMode::kSpace, false, 2, 0});
  REQUIRE(corpus.sentences() == 4);
  CHECK(corpus.without() == 1);
  CHECK(corpus.sentence(1).size() == 2);
  CHECK(corpus.document(0) == corpus.document(1));
  CHECK(corpus.document(1) != corpus.document(2));
  CHECK(corpus.document(2) != corpus.document(3));
  CHECK(corpus.vocabulary().size() == 2);
}

TEST_CASE("paragraphs are split into sentences") {
  const TemporaryFolder folder;
  const std::string path = folder.write("text", "It is 3.14. Is it? Yes!\nSo \xff it is.\n");
  const SentenceCorpus corpus = read_toy(path, true);
  CHECK(corpus.sentences() == 4);
  CHECK(corpus.documents() == 1);
}

TEST_CASE("a model is read as it was written, and a damaged one is refused") {
  const TemporaryFolder folder;
  const std::string text = folder.path("toy.txt");
  write_toy_text(text, 12);
  const SentenceCorpus corpus = read_toy(text);
  SentenceModel model(corpus.vocabulary(), {TokenMode::kSpace, 7, false});
  start_model(model, 1);
  const std::string path = folder.path("model");
  {
    CheckpointWriter file(path);
    write_sentence_model(model, file);
    file.commit();
  }
  const SentenceModel same = read_sentence_model(path);
  CHECK(encode(same, "t1_1 w1 t1_2") == encode(model, "t1_1 w1 t1_2"));
  CHECK(same.columns() == 14);
  std::ifstream in(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  for (size_t at = 0; at < bytes.size(); at += bytes.size() / 40) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    CHECK_THROWS_AS(read_sentence_model(folder.write("damaged", damaged)), Error);
    CHECK_THROWS_AS(read_sentence_model(folder.write("cut", bytes.substr(0, at))), Error);
  }
}

TEST_CASE("a model with a centre that is not finite is refused") {
  const TemporaryFolder folder;
  const std::string text = folder.path("toy.txt");
  write_toy_text(text, 12);
  SentenceModel model(read_toy(text).vocabulary(), {TokenMode::kSpace, 7, false});
  start_model(model, 1);
  const std::string path = folder.path("model");
  for (const float number : {1.0F, std::numeric_limits<float>::quiet_NaN()}) {
    model.centre[1] = number;
    {
      CheckpointWriter file(path);
      write_sentence_model(model, file);
      file.commit();
    }
    if (number == 1.0F) CHECK_NOTHROW(read_sentence_model(path));
  }
  CHECK_THROWS_AS(read_sentence_model(path), Error);
}

}  // namespace acevec
