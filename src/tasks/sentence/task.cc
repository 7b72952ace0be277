#include "tasks/sentence/task.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"
#include "tasks/sentence/encoder.h"

namespace acevec {

BatchTask::BatchTask(const SentenceSettings& settings, SentenceModel& model, const Batches& batches)
    : settings_(settings),
      model_(model),
      f_moments_(model.f),
      batch_size_(batches.batch_size),
      equal_(batches.equal) {
  if (model.second) g_moments_.emplace(*model.second);
  for (int64_t item = 0; item < batches.items; ++item) {
    Random random(settings.seed, Stream::kSentenceHeldOut, batches.group_of(item));
    const bool held_out = random.uniform() < static_cast<float>(settings.heldout);
    (held_out ? heldout_ : trained_).push_back(item);
  }
  order_ = trained_;
}

Sums BatchTask::learn(const Piece& piece, int64_t first, int64_t last, Random& random,
                      Clock& clock) {
  const auto batch =
      std::span(order_).subspan(static_cast<size_t>(first), static_cast<size_t>(last - first));
  Sums sums = learn_items(batch, piece.step + 1, static_cast<float>(clock.rate()), random);
  clock.advance(units_of(batch));
  if (adversary_) {
    const PolicyReport report = adversary_->take_report();
    sums.means.push_back({report.entropy, report.conditions});
    sums.means.push_back({report.reward, report.conditions});
  }
  return sums;
}

void BatchTask::begin_epoch(int64_t epoch) {
  order_ = trained_;
  Random random(settings_.seed, Stream::kSentenceShuffle, epoch);
  shuffle(order_, random);
}

std::vector<Parameter> BatchTask::parameters() {
  std::vector<Parameter> parameters;
  const char* letter = "f";
  for (const auto& [network, moments] : networks()) {
    const std::string name = letter;
    parameters.push_back({name, &network.rows, Role::kResult});
    parameters.push_back({name + " moments", &moments.rows, Role::kMemory});
    if (!model_.shape.has_weights()) {
      parameters.push_back({name + " gates", &network.gates, Role::kResult});
      parameters.push_back({name + " gates' moments", &moments.gates, Role::kMemory});
    }
    letter = "g";
  }
  if (adversary_) adversary_->list(parameters);
  return parameters;
}

std::vector<Passage> passages_of(const SentenceCorpus& corpus, int64_t longest) {
  std::vector<Passage> passages;
  for (int64_t i = 0; i < corpus.sentences();) {
    int64_t end = i + 1;
    while (end < corpus.sentences() && end - i < longest &&
           corpus.document(end) == corpus.document(i)) {
      ++end;
    }
    passages.push_back({i, end});
    i = end;
  }
  return passages;
}

int64_t passages_in_batch(const SentenceSettings& settings) {
  return std::max<int64_t>(1, settings.batch / settings.passage);
}

BatchLimits step_limits(const SentenceCorpus& corpus, const std::vector<Passage>& passages,
                        const SentenceSettings& settings) {
  std::vector<int64_t> tokens;
  tokens.reserve(passages.size());
  for (const Passage& passage : passages) {
    int64_t sum = 0;
    for (int64_t i = passage.first; i < passage.last; ++i) sum += std::ssize(corpus.sentence(i));
    tokens.push_back(sum);
  }
  const int64_t batch_size = std::min(passages_in_batch(settings), std::ssize(passages));
  return {batch_size * settings.passage, sum_of_largest(std::move(tokens), batch_size)};
}

void centre(const SentenceCorpus& corpus, int threads, SentenceModel& model) {
  constexpr int64_t kMost = 100000;
  const int64_t distance = (corpus.sentences() + kMost - 1) / kMost;
  const int64_t count = (corpus.sentences() + distance - 1) / distance;
  std::fill(model.centre.begin(), model.centre.end(), 0.0F);  // encoders subtract it
  const int64_t blocks = (count + kEncodedPerBlock - 1) / kEncodedPerBlock;
  std::vector<std::vector<float>> sums(static_cast<size_t>(blocks));
  std::vector<SentenceEncoder> encoders;  // one for each thread, since their buffers are large
  for (int i = 0; i < std::max(threads, 1); ++i) encoders.emplace_back(model);
  for_each_piece(threads, blocks, [&](int thread, int64_t block) {
    const int64_t first = block * kEncodedPerBlock;
    std::vector<std::vector<int32_t>> sentences;
    for (int64_t i = first; i < std::min(count, first + kEncodedPerBlock); ++i) {
      const std::span<const int32_t> sentence = corpus.sentence(i * distance);
      sentences.emplace_back(sentence.begin(), sentence.end());
    }
    Matrix vectors(std::ssize(sentences), model.columns());
    encoders[static_cast<size_t>(thread)].encode(sentences, vectors, 0);
    std::vector<float>& sum = sums[static_cast<size_t>(block)];
    sum.resize(model.centre.size());
    for (int64_t i = 0; i < vectors.rows(); ++i) {
      for (size_t k = 0; k < sum.size(); ++k) sum[k] += vectors.row(i)[k];
    }
  });
  // Summed in a fixed order, so that the number of threads does not matter.
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

SentenceTask::SentenceTask(const SentenceCorpus& corpus, const SentenceSettings& settings,
                           SentenceModel& model, std::vector<Passage> passages)
    : BatchTask(
          settings, model,
          {std::ssize(passages), passages_in_batch(settings), false,
           [&](int64_t i) { return corpus.document(passages[static_cast<size_t>(i)].first); }}),
      corpus_(corpus),
      passages_(std::move(passages)) {
  const BatchLimits most = step_limits(corpus, passages_, settings);
  // Each sentence counts twice: as a candidate and as a query.
  batch_ =
      make_batch(model.shape, networks(), {2 * most.sentences, 2 * most.rows}, settings.threads);
  scores_.resize(static_cast<size_t>(most.sentences * most.sentences));
  marks_.resize(scores_.size());
  make_adversary(most.sentences, most.sentences);
}

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
  gather({passages.begin(), passages.end()});
  Sums sums = compute_loss(number, random);
  if (sums.loss.count > 0) batch_->backward(number, rate);
  return sums;
}

// Gathers the sentences of a step. f gets only those with a target: the others have no gradient.
void SentenceTask::gather(std::vector<int64_t> passages) {
  std::sort(passages.begin(), passages.end());
  sentences_.clear();
  for (const int64_t i : passages) {
    const auto [first, last] = passages_[static_cast<size_t>(i)];
    for (int64_t s = first; s < last; ++s) sentences_.push_back(s);
  }
  batch_->clear();
  queries_.clear();
  const size_t n = sentences_.size();
  for (size_t i = 0; i < n; ++i) {
    // In text order neighbours are adjacent.
    if ((i == 0 || !are_neighbours(i - 1, i)) && (i + 1 == n || !are_neighbours(i, i + 1))) {
      continue;
    }
    queries_.push_back(i);
    batch_->add(0, corpus_.sentence(sentences_[i]));
  }
  const size_t g = model_.second ? 1 : 0;
  for (const int64_t s : sentences_) batch_->add(g, corpus_.sentence(s));
}

// Computes the gradients of the batch's vectors for step `number`; 0: only the loss.
Sums SentenceTask::compute_loss(int64_t number, Random& random) {
  const int64_t rows = std::ssize(queries_), n = std::ssize(sentences_);
  if (rows == 0) return {{}, {Mean{}}};
  batch_->forward();
  Sums sum = find_losses({{scores_.data(), n}, marks_.data(), nullptr, rows, n}, number, random);
  if (number == 0) return sum;
  in_blocks(settings_.threads, n, kRowsPerBlock, [&](int64_t begin, int64_t end) {
    backpropagate({scores_.data() + begin, 1, n}, {batch_->vector(0), rows}, rows + begin,
                  rows + end);
  });
  return sum;
}

// Computes scores and losses; replaces scores by their gradients; computes those of the queries.
Sums SentenceTask::find_losses(ScoreTable table, int64_t number, Random& random) {
  const int threads = settings_.threads;
  const int64_t rows = table.rows;
  const uint64_t seed = random();
  const auto score_block = [&](int64_t begin, int64_t end) {
    score(table.part(begin, end), begin);
  };
  const auto gradients_of_block = [&](int64_t begin, int64_t end) {
    return compute_gradients(table.part(begin, end), begin, seed);
  };
  if (number == 0 || !adversary_) {  // scores and gradients in one pass
    return sum_in_blocks(threads, rows, kRowsPerBlock, [&](int64_t begin, int64_t end) {
      score_block(begin, end);
      return gradients_of_block(begin, end);
    });
  }
  in_blocks(threads, rows, kRowsPerBlock, score_block);
  batch_->forbid_interruption();
  table.weights = adversary_->compute_weights(table, batch_->vector(0), batch_->vector(rows),
                                              batch_->width(), number);
  return sum_in_blocks(threads, rows, kRowsPerBlock, gradients_of_block);
}

// Scores the part's rows; row 0 of the part is row `first` of the table.
void SentenceTask::score(const ScoreTable& part, int64_t first) {
  const int64_t rows = std::ssize(queries_), n = part.candidates;
  score_rows({batch_->vector(first), part.rows}, {batch_->vector(rows), n}, batch_->width(),
             part.scores);
  for (int64_t i = 0; i < part.rows; ++i) mark(first + i, marks_.data() + (first + i) * n);
}

// A sentence's neighbours are its targets, even if they come from another passage of the batch.
void SentenceTask::mark(int64_t row, Mark* marks) const {
  const size_t n = sentences_.size(), self = queries_[static_cast<size_t>(row)];
  std::fill_n(marks, n, Mark::kOther);
  for (size_t j = self; j > 0 && are_neighbours(j - 1, self); --j) marks[j - 1] = Mark::kTarget;
  for (size_t j = self + 1; j < n && are_neighbours(self, j); ++j) marks[j] = Mark::kTarget;
  marks[self] = Mark::kLeftOut;
}

// Replaces scores by their gradients, and computes those of the queries.
Sums SentenceTask::compute_gradients(const ScoreTable& part, int64_t first, uint64_t seed) {
  const int64_t block = settings_.block;
  Random random(seed, Stream::kStepBlock, first / kRowsPerBlock);
  Sums sum = block > 0 ? block_loss(part, block, random) : softmax_loss(part);
  backpropagate({part.scores.data, part.scores.stride, 1},
                {batch_->vector(std::ssize(queries_)), part.candidates}, first, first + part.rows);
  return sum;
}

// Computes the gradients of some of the batch's vectors from those of their scores with `others`.
void SentenceTask::backpropagate(Weights slopes, RowBlock others, int64_t begin, int64_t end) {
  mix_rows(slopes, end - begin, others, batch_->width(), batch_->gradient(begin), false);
  for (int64_t i = begin; i < end; ++i) batch_->take_gradient(i);
}

std::optional<Evaluation> SentenceTask::evaluate() {
  if (heldout().empty()) return std::nullopt;
  Random random(settings_.seed, Stream::kSentenceHeldOut, -1);
  // Held-out passages are taken at equal distances, since consecutive ones would put one document
  // in a batch. So many fix the loss to within a hundredth; more would take longer than training.
  constexpr int64_t kMostPassages = 4096;
  const auto held_out = std::ssize(heldout());
  const int64_t count = std::min(held_out, kMostPassages);
  const int64_t batches = std::max<int64_t>(1, count / passages_in_batch(settings_));
  Sums sum;
  for (int64_t b = 0; b < batches; ++b) {
    std::vector<int64_t> passages;
    for (int64_t i = b; i < count && std::ssize(passages) < passages_in_batch(settings_);
         i += batches) {
      passages.push_back(heldout()[static_cast<size_t>(i * held_out / count)]);
    }
    gather(std::move(passages));
    sum += compute_loss(0, random);
  }
  if (sum.loss.count == 0) return std::nullopt;
  return Evaluation{sum.loss.value(), {sum.loss.value(), sum.means[0].value()}};
}

// At the end each thread encodes sentences, of which a gated unit keeps all states.
int64_t SentenceTask::later_bytes() const {
  if (model_.shape.has_weights()) return 0;
  const auto steps = kEncodedSteps + static_cast<int64_t>(kLongestSentence);
  return settings_.threads * kGatedVectors * steps * padded(model_.shape.size) * kFloatSize;
}

void SentenceTask::write_snapshot(const std::string& path) const {
  centre(corpus_, settings_.threads, model_);  // training does not update it
  BatchTask::write_snapshot(path);
}

}  // namespace acevec
