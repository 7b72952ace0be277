#include "tasks/sentence/step.h"

#include <algorithm>
#include <utility>

#include "base/parallel.h"

namespace acevec {
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
  const int64_t together = std::min(passages_in_batch(settings), std::ssize(passages));
  return {together * settings.passage, sum_of_largest(std::move(tokens), together)};
}

BatchLimits of_both(const BatchLimits& most) {
  return {2 * most.sentences, 2 * most.rows};
}

SentenceStep::SentenceStep(const SentenceCorpus& corpus, const SentenceSettings& settings,
                           const SentenceShape& shape, std::vector<TrainedNetwork> networks,
                           const BatchLimits& most, SentenceAdversaryState* adversary)
    : corpus_(corpus),
      settings_(settings),
      g_(networks.size() - 1),
      batch_(make_batch(shape, std::move(networks), of_both(most), settings.threads)),
      scores_(static_cast<size_t>(most.sentences * most.sentences)),
      marks_(scores_.size()) {
  if (adversary != nullptr) {
    adversary_.emplace(*adversary, most.sentences, most.sentences, settings.threads);
  }
}

ContrastSum SentenceStep::learn(std::span<const Passage> batch, int64_t number, float rate,
                                Random& random) {
  gather(batch);
  const ContrastSum sum = compare(number, random);
  if (sum.rows > 0) batch_->backward(number, rate);
  return sum;
}

ContrastSum SentenceStep::look(std::span<const Passage> batch, Random& random) {
  gather(batch);
  return compare(0, random);
}

// f gets only sentences that have a target: the others would take steps of nothing.
void SentenceStep::gather(std::span<const Passage> batch) {
  passages_.assign(batch.begin(), batch.end());
  std::sort(passages_.begin(), passages_.end(),
            [](const Passage& a, const Passage& b) { return a.first < b.first; });
  sentences_.clear();
  for (const Passage& passage : passages_) {
    for (int64_t s = passage.first; s < passage.last; ++s) sentences_.push_back(s);
  }
  batch_->clear();
  asking_.clear();
  const size_t n = sentences_.size();
  for (size_t i = 0; i < n; ++i) {
    // In the order of the text neighbours stand beside each other.
    if ((i == 0 || !are_neighbours(i - 1, i)) && (i + 1 == n || !are_neighbours(i, i + 1))) {
      continue;
    }
    asking_.push_back(i);
    batch_->add(0, corpus_.sentence(sentences_[i]));
  }
  for (const int64_t s : sentences_) batch_->add(g_, corpus_.sentence(s));
}

// Leaves the gradients of the batch's vectors for step `number`; 0: none is taken.
ContrastSum SentenceStep::compare(int64_t number, Random& random) {
  const int64_t rows = std::ssize(asking_), n = std::ssize(sentences_);
  if (rows == 0) return {};
  batch_->forward();
  const ContrastSum sum =
      find_losses({scores_.data(), marks_.data(), nullptr, rows, n}, number, random);
  if (number == 0) return sum;
  in_blocks(settings_.threads, n, kRowsTogether, [&](int64_t begin, int64_t end) {
    pass_down({scores_.data() + begin, 1, n}, {batch_->vector(0), rows}, rows + begin, rows + end);
  });
  return sum;
}

// Scores and losses; then the gradients of scores stand in their place, and what asks has its own.
ContrastSum SentenceStep::find_losses(ScoreTable table, int64_t number, Random& random) {
  const int threads = settings_.threads;
  const int64_t rows = table.rows;
  const uint64_t seed = random();
  const auto score_some = [&](int64_t begin, int64_t end) { score(table.part(begin, end), begin); };
  const auto pick_some = [&](int64_t begin, int64_t end) {
    return pick(table.part(begin, end), begin, seed);
  };
  if (number == 0 || !adversary_) {  // a block goes from vectors to gradients at once
    return sum_in_blocks(threads, rows, kRowsTogether, [&](int64_t begin, int64_t end) {
      score_some(begin, end);
      return pick_some(begin, end);
    });
  }
  in_blocks(threads, rows, kRowsTogether, score_some);
  batch_->must_finish();
  table.weights =
      adversary_->weigh(table, batch_->vector(0), batch_->vector(rows), batch_->width(), number);
  return sum_in_blocks(threads, rows, kRowsTogether, pick_some);
}

// Scores the part's rows; row 0 of the part is row `first` of the table.
void SentenceStep::score(const ScoreTable& part, int64_t first) {
  const int64_t rows = std::ssize(asking_), n = part.candidates;
  score_rows({batch_->vector(first), part.rows}, {batch_->vector(rows), n}, batch_->width(),
             {part.scores, n});
  for (int64_t i = 0; i < part.rows; ++i) mark(first + i, marks_.data() + (first + i) * n);
}

// Sentences beside one are its targets, also when a batch has them from another passage.
void SentenceStep::mark(int64_t row, Mark* marks) const {
  const size_t n = sentences_.size(), self = asking_[static_cast<size_t>(row)];
  std::fill_n(marks, n, Mark::kOther);
  for (size_t j = self; j > 0 && are_neighbours(j - 1, self); --j) marks[j - 1] = Mark::kTarget;
  for (size_t j = self + 1; j < n && are_neighbours(self, j); ++j) marks[j] = Mark::kTarget;
  marks[self] = Mark::kLeftOut;
}

bool SentenceStep::are_neighbours(size_t a, size_t b) const {
  return sentences_[b] - sentences_[a] <= settings_.context &&
         corpus_.document(sentences_[a]) == corpus_.document(sentences_[b]);
}

// Replaces scores by their gradients, and computes those of the sentences that ask.
ContrastSum SentenceStep::pick(const ScoreTable& part, int64_t first, uint64_t seed) {
  const int64_t block = settings_.block;
  Random random(seed, Stream::kStepBlock, first / kRowsTogether);
  const ContrastSum sum = block > 0 ? compare_blocks(part, block, random) : pick_targets(part);
  pass_down({part.scores, part.candidates, 1},
            {batch_->vector(std::ssize(asking_)), part.candidates}, first, first + part.rows);
  return sum;
}

// The gradients of some of the batch's vectors, from those of their scores with others.
void SentenceStep::pass_down(Weights slopes, RowBlock others, int64_t begin, int64_t end) {
  mix_rows(slopes, end - begin, others, batch_->width(), batch_->gradient(begin), false);
  for (int64_t i = begin; i < end; ++i) batch_->take_gradient(i);
}

}  // namespace acevec
