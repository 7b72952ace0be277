#include "tasks/sentence/task.h"

#include <algorithm>

#include "base/parallel.h"
#include "tasks/sentence/encoder.h"

namespace acevec {

BatchTask::BatchTask(const SentenceSettings& settings, SentenceModel& model, const Batches& batches)
    : settings_(settings),
      model_(model),
      f_moments_(model.f),
      together_(batches.together),
      equal_(batches.equal) {
  if (model.second) g_moments_.emplace(*model.second);
  if (settings.adversary) adversary_.emplace(*settings.adversary, model.shape.size, settings.seed);
  for (int64_t item = 0; item < batches.items; ++item) {
    Random random(settings.seed, Stream::kSentenceHeldOut, batches.group_of(item));
    const bool held_out = random.uniform() < static_cast<float>(settings.heldout);
    (held_out ? heldout_ : trained_).push_back(item);
  }
  order_ = trained_;
}

std::vector<TrainedNetwork> BatchTask::networks() {
  std::vector<TrainedNetwork> networks{{model_.f, f_moments_}};
  if (model_.second) networks.push_back({*model_.second, *g_moments_});
  return networks;
}

int64_t BatchTask::first_of(int64_t piece) const {
  return equal_ ? items() * piece / pieces() : StepTask::first_of(piece);
}

Sums BatchTask::learn(const Piece& piece, int64_t first, int64_t last, Random& random,
                      Clock& clock) {
  const auto batch =
      std::span(order_).subspan(static_cast<size_t>(first), static_cast<size_t>(last - first));
  Sums sums = learn_items(batch, piece.step + 1, static_cast<float>(clock.rate()), random);
  clock.advance(units_of(batch));
  return sums;
}

void BatchTask::begin_epoch(int64_t epoch) {
  order_ = trained_;
  Random random(settings_.seed, Stream::kSentenceShuffle, epoch);
  shuffle(order_, random);
}

std::vector<Parameter> BatchTask::parameters() {
  std::vector<Parameter> parameters;
  std::string name = "f";
  for (const auto& [network, moments] : networks()) {
    parameters.push_back({name, &network.rows, Role::kResult});
    parameters.push_back({name + " moments", &moments.rows, Role::kMemory});
    if (!model_.shape.has_weights()) {
      parameters.push_back({name + " gates", &network.gates, Role::kResult});
      parameters.push_back({name + " gates' moments", &moments.gates, Role::kMemory});
    }
    name = "g";
  }
  if (adversary_) adversary_->list(parameters);
  return parameters;
}

void BatchTask::write_snapshot(const std::string& path) const {
  CheckpointWriter file(path);
  write_sentence_model(model_, file);
  file.commit();
}

void centre(const SentenceCorpus& corpus, int threads, SentenceModel& model) {
  constexpr int64_t kMost = 100000;
  const int64_t distance = (corpus.sentences() + kMost - 1) / kMost;
  const int64_t count = (corpus.sentences() + distance - 1) / distance;
  std::fill(model.centre.begin(), model.centre.end(), 0.0F);  // what encoders take off
  std::vector<std::vector<float>> sums(
      static_cast<size_t>((count + kEncodedTogether - 1) / kEncodedTogether));
  in_blocks(threads, count, kEncodedTogether, [&](int64_t begin, int64_t end) {
    SentenceEncoder encoder(model);
    std::vector<std::vector<int32_t>> sentences;
    for (int64_t i = begin; i < end; ++i) {
      const std::span<const int32_t> sentence = corpus.sentence(i * distance);
      sentences.emplace_back(sentence.begin(), sentence.end());
    }
    Matrix vectors(std::ssize(sentences), model.columns());
    encoder.encode(sentences, vectors, 0);
    std::vector<float>& sum = sums[static_cast<size_t>(begin / kEncodedTogether)];
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
  const int64_t encoded =
      shape.has_weights()
          ? kEncodedTogether * padded(shape.columns())
          : kGatedVectors * (kEncodedSteps + int64_t{kLongestSentence}) * padded(shape.size);
  MemoryPlan plan = network_memory(shape, words, words, keep_best);
  plan.advice = "lower -size or -batch";
  plan.parts.insert(
      plan.parts.end(),
      {{"passages", 4 * std::ssize(passages) * static_cast<int64_t>(sizeof(Passage))},
       {"a step", batch_bytes(shape, words, of_both(most)) + cells * (kFloatSize + 1)},
       {"encoding", settings.threads * encoded * kFloatSize}});
  if (settings.adversary) {
    plan.parts.push_back({"adversary", SentenceAdversary::bytes(most.sentences, most.sentences)});
  }
  return plan;
}

SentenceTask::SentenceTask(const SentenceCorpus& corpus, const SentenceSettings& settings,
                           SentenceModel& model, std::vector<Passage> passages)
    : BatchTask(
          settings, model,
          {std::ssize(passages), passages_in_batch(settings), false,
           [&](int64_t i) { return corpus.document(passages[static_cast<size_t>(i)].first); }}),
      corpus_(corpus),
      passages_(std::move(passages)),
      step_(corpus, settings, model.shape, networks(), step_limits(corpus, passages_, settings),
            adversary()) {}

int64_t SentenceTask::units_of(std::span<const int64_t> passages) const {
  int64_t sentences = 0;
  for (const int64_t i : passages) {
    const Passage& passage = passages_[static_cast<size_t>(i)];
    sentences += passage.last - passage.first;
  }
  return sentences;
}

Sums SentenceTask::learn_items(std::span<const int64_t> passages, int64_t number, float rate,
                               Random& random) {
  batch_.clear();
  for (const int64_t i : passages) batch_.push_back(passages_[static_cast<size_t>(i)]);
  const ContrastSum sum = step_.learn(batch_, number, rate, random);
  return sums_of(sum, step_.take_report());
}

std::optional<Evaluation> SentenceTask::evaluate() {
  if (heldout().empty()) return std::nullopt;
  Random random(settings_.seed, Stream::kSentenceHeldOut, -1);
  // In order, a batch would have one document only, so held-out passages are taken at equal
  // distances. So many tell the loss to a hundredth, and more would take longer than the training
  // between.
  constexpr int64_t kMostPassages = 4096;
  const auto held_out = std::ssize(heldout());
  const int64_t count = std::min(held_out, kMostPassages);
  const int64_t batches = std::max<int64_t>(1, count / passages_in_batch(settings_));
  ContrastSum sum;
  for (int64_t b = 0; b < batches; ++b) {
    batch_.clear();
    for (int64_t i = b; i < count && std::ssize(batch_) < passages_in_batch(settings_);
         i += batches) {
      const int64_t passage = heldout()[static_cast<size_t>(i * held_out / count)];
      batch_.push_back(passages_[static_cast<size_t>(passage)]);
    }
    sum += step_.look(batch_, random);
  }
  if (sum.rows == 0) return std::nullopt;
  const double loss = sum.loss / static_cast<double>(sum.rows);
  return Evaluation{loss, {loss, static_cast<double>(sum.hits) / static_cast<double>(sum.rows)}};
}

void SentenceTask::write_snapshot(const std::string& path) const {
  centre(corpus_, settings_.threads, model_);  // of which training knows nothing
  BatchTask::write_snapshot(path);
}

}  // namespace acevec
