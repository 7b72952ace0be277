#include "tasks/sentence/task.h"

#include <algorithm>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "tasks/sentence/encoder.h"
#include "tasks/sentence/model.h"

namespace acevec {

void centre(const SentenceCorpus& corpus, int threads, SentenceModel& model) {
  constexpr int64_t kMost = 100000;
  const int64_t distance = (corpus.sentences() + kMost - 1) / kMost;
  const int64_t count = (corpus.sentences() + distance - 1) / distance;
  const int64_t pieces = (count + kEncodedTogether - 1) / kEncodedTogether;
  std::fill(model.centre.begin(), model.centre.end(), 0.0F);  // what encoders take off
  std::vector<std::vector<float>> sums(static_cast<size_t>(pieces));
  for_each_piece(threads, pieces, [&](int, int64_t piece) {
    SentenceEncoder encoder(model);
    std::vector<std::vector<int32_t>> sentences;
    for (int64_t i = piece * kEncodedTogether; i < std::min(count, (piece + 1) * kEncodedTogether);
         ++i) {
      const std::span<const int32_t> sentence = corpus.sentence(i * distance);
      sentences.emplace_back(sentence.begin(), sentence.end());
    }
    Matrix vectors(std::ssize(sentences), model.columns());
    encoder.encode(sentences, vectors, 0);
    std::vector<float>& sum = sums[static_cast<size_t>(piece)];
    sum.resize(model.centre.size());
    for (int64_t i = 0; i < vectors.rows(); ++i) {
      for (size_t k = 0; k < sum.size(); ++k) sum[k] += vectors.row(i)[k];
    }
  });
  // In one order, so that the number of threads does not matter.
  for (size_t k = 0; k < model.centre.size(); ++k) {
    double mean = 0;
    for (const std::vector<float>& sum : sums) mean += static_cast<double>(sum[k]);
    model.centre[k] = static_cast<float>(mean / static_cast<double>(count));
  }
}

TaskDescription describe_sentences(const SentenceSettings& settings) {
  TaskDescription description{.unit = "sentences",
                              .means = {"neighbour_accuracy"},
                              .score = "held-out loss",
                              .evaluation = {"heldout_loss", "heldout_accuracy"}};
  if (settings.adversary) {
    description.means.insert(description.means.end(), {"ace_entropy", "ace_reward"});
  }
  return description;
}

MemoryPlan sentence_memory(const SentenceCorpus& corpus, const SentenceShape& shape,
                           const SentenceSettings& settings, bool keep_best) {
  const int64_t words = corpus.vocabulary().size();
  const std::vector<Passage> passages = passages_of(corpus, settings.passage);
  const BatchLimits most = step_limits(corpus, passages, settings);
  const int64_t cells = most.sentences * most.sentences;
  // Sentences that threads encode together, where gated units keep all states.
  const int64_t encoded = shape.has_weights() ? kEncodedTogether : 9 * kEncodedSteps;
  MemoryPlan plan = network_memory(shape, words, words, keep_best);
  plan.advice = "lower -size or -batch";
  plan.parts.insert(
      plan.parts.end(),
      {{"passages", 4 * std::ssize(passages) * static_cast<int64_t>(sizeof(Passage))},
       {"a step", batch_bytes(shape, words, of_both(most)) + cells * (kFloatSize + 1)},
       {"encoding", settings.threads * encoded * padded(shape.columns()) * kFloatSize}});
  if (settings.adversary) {
    plan.parts.push_back({"adversary", SentenceAdversary::bytes(most.sentences, most.sentences)});
  }
  return plan;
}

// It keeps nothing from step to step.
class SentenceTask::SentenceWorker : public Worker {
 public:
  explicit SentenceWorker(SentenceTask& task) : task_(task) {}

  Sums learn(const Piece& piece, Random& random, Clock& clock) override {
    const std::span<const Passage> batch = task_.batch(piece.index);
    const ContrastSum sum =
        task_.step_->learn(batch, piece.step + 1, static_cast<float>(clock.rate()), random);
    for (const Passage& passage : batch) clock.advance(passage.last - passage.first);
    return sums_of(sum, task_.step_->take_report());
  }

 private:
  SentenceTask& task_;
};

SentenceTask::SentenceTask(const SentenceCorpus& corpus, const SentenceSettings& settings,
                           SentenceModel& model)
    : corpus_(corpus), settings_(settings), model_(model), f_moments_(model.f) {
  if (settings.adversary) adversary_.emplace(*settings.adversary, model.shape.size, settings.seed);
  const std::vector<Passage> all = passages_of(corpus, settings.passage);
  std::vector<TrainedNetwork> networks{{model.f, f_moments_}};
  if (model.second) networks.push_back({*model.second, g_moments_.emplace(*model.second)});
  step_.emplace(corpus, settings, model.shape, std::move(networks),
                step_limits(corpus, all, settings), adversary_ ? &*adversary_ : nullptr);
  int32_t document = -1;
  bool held_out = false;
  for (const Passage& passage : all) {
    if (corpus.document(passage.first) != document) {
      document = corpus.document(passage.first);
      held_out = Random(settings.seed, Stream::kSentenceHeldOut, document).uniform() <
                 static_cast<float>(settings.heldout);
    }
    (held_out ? heldout_ : passages_).push_back(passage);
    if (!held_out) trained_ += passage.last - passage.first;
  }
  order_ = passages_;
}

std::span<const Passage> SentenceTask::batch(int64_t piece) const {
  const auto in_batch = static_cast<size_t>(passages_in_batch(settings_));
  const size_t first = static_cast<size_t>(piece) * in_batch;
  return std::span(order_).subspan(first, std::min(in_batch, order_.size() - first));
}

int64_t SentenceTask::pieces() const {
  const auto passages = static_cast<int64_t>(passages_.size());
  const int64_t in_batch = passages_in_batch(settings_);
  return (passages + in_batch - 1) / in_batch;
}

void SentenceTask::begin_epoch(int64_t epoch) {
  order_ = passages_;
  Random random(settings_.seed, Stream::kSentenceShuffle, epoch);
  shuffle(order_, random);
}

std::unique_ptr<Worker> SentenceTask::make_worker(int /*thread*/, int64_t /*epoch*/) {
  return std::make_unique<SentenceWorker>(*this);
}

std::vector<Parameter> SentenceTask::parameters() {
  std::vector<Parameter> parameters;
  const auto list = [&](const std::string& name, Network& network, NetworkMoments& moments) {
    parameters.push_back({name, &network.rows, Role::kResult});
    parameters.push_back({name + " moments", &moments.rows, Role::kMemory});
    if (model_.shape.has_weights()) return;
    parameters.push_back({name + " gates", &network.gates, Role::kResult});
    parameters.push_back({name + " gates' moments", &moments.gates, Role::kMemory});
  };
  list("f", model_.f, f_moments_);
  if (g_moments_) list("g", model_.g(), *g_moments_);
  if (adversary_) adversary_->list(parameters);
  return parameters;
}

std::optional<Evaluation> SentenceTask::evaluate() {
  if (heldout_.empty()) return std::nullopt;
  Random random(settings_.seed, Stream::kSentenceHeldOut, -1);
  // As they come a batch would be of one document; held-out passages are taken at equal distances.
  // So many tell the loss to a hundredth, and more would take longer than the training between.
  constexpr int64_t kMostPassages = 4096;
  const auto held_out = static_cast<int64_t>(heldout_.size());
  const int64_t count = std::min(held_out, kMostPassages);
  const int64_t batches = std::max<int64_t>(1, count / passages_in_batch(settings_));
  ContrastSum sum;
  std::vector<Passage> batch;
  for (int64_t b = 0; b < batches; ++b) {
    batch.clear();
    for (int64_t i = b;
         i < count && static_cast<int64_t>(batch.size()) < passages_in_batch(settings_);
         i += batches) {
      batch.push_back(heldout_[static_cast<size_t>(i * held_out / count)]);
    }
    sum += step_->look(batch, random);
  }
  if (sum.rows == 0) return std::nullopt;
  const double loss = sum.loss / static_cast<double>(sum.rows);
  return Evaluation{loss, {loss, static_cast<double>(sum.hits) / static_cast<double>(sum.rows)}};
}

void SentenceTask::write_snapshot(const std::string& path) const {
  centre(corpus_, settings_.threads, model_);  // of which training knows nothing
  CheckpointWriter file(path);
  write_sentence_model(model_, file);
  file.commit();
}

}  // namespace acevec
