#include "tasks/sentence/adversary.h"

#include <algorithm>

#include "base/parallel.h"
#include "kernels/policy_kernels.h"
#include "kernels/products.h"

namespace acevec {
namespace {

// The initial Q.
Matrix start_of(const SentenceAdversarySettings& settings, int64_t size, uint64_t seed) {
  Random random(seed, Stream::kSentenceQueries);
  return DenseLayer::parameters(size, settings.units, settings.units, random);
}

}  // namespace

SentenceAdversary::SentenceAdversary(const SentenceAdversarySettings& settings, int64_t size,
                                     uint64_t seed, int64_t most_rows, int64_t most_candidates,
                                     int threads)
    : settings_(settings),
      threads_(threads),
      q_(start_of(settings, size, seed)),
      k_(size + 1, settings.units),
      q_moments_(Optimizer::moments_for(settings.optimizer, q_.rows(), q_.stride())),
      k_moments_(Optimizer::moments_for(settings.optimizer, k_.rows(), k_.stride())),
      queries_(q_, q_moments_, settings.optimizer, most_rows, Activation::kTanh, threads),
      keys_(k_, k_moments_, settings.optimizer, most_candidates, Activation::kTanh, threads),
      query_gradient_(most_rows * queries_.width()),
      key_gradient_(most_candidates * keys_.width()) {
  const auto cells = static_cast<size_t>(most_rows * most_candidates);
  masked_.resize(cells);
  for (auto* const table : {&logits_, &g_, &weights_, &rewards_, &gradient_}) table->resize(cells);
}

void SentenceAdversary::list(std::vector<Parameter>& parameters) {
  parameters.push_back({"queries", &q_, Role::kLearned});
  parameters.push_back({"query moments", &q_moments_, Role::kMemory});
  parameters.push_back({"keys", &k_, Role::kLearned});
  parameters.push_back({"key moments", &k_moments_, Role::kMemory});
}

const float* SentenceAdversary::compute_weights(const ScoreTable& table, const float* f,
                                                const float* g, int64_t width, int64_t number) {
  queries_.forward(f, width, table.rows);
  keys_.forward(g, width, table.candidates);
  const bool learns = (number - 1) % settings_.every == 0;
  report_ += sum_in_blocks(threads_, table.rows, kRowsPerBlock, [&](int64_t begin, int64_t end) {
    const ScoreTable part = table.part(begin, end);
    find_logits(part, begin);
    const PolicyReport report = learns ? find_gradient(part, begin) : PolicyReport{};
    find_weights(part, begin);
    return report;
  });
  if (learns) learn(table, f, g, width);
  return weights_.data();
}

// Computes the logits of a part's rows. Here and below, its row 0 is row `first` of the table.
void SentenceAdversary::find_logits(const ScoreTable& part, int64_t first) {
  const int64_t begin = first * part.candidates, cells = part.rows * part.candidates;
  std::transform(part.marks, part.marks + cells, masked_.begin() + begin,
                 [](Mark mark) { return mark == Mark::kOther ? uint8_t{0} : uint8_t{1}; });
  float* const logits = logits_.data() + begin;
  score_rows({queries_.outputs() + first * queries_.width(), part.rows},
             {keys_.outputs(), part.candidates}, queries_.width(), {logits, part.candidates});
  for (int64_t i = 0; i < cells; ++i) logits[i] += settings_.beta * part.scores.data[i];
}

// Computes the gradients of the rows' logits and queries.
PolicyReport SentenceAdversary::find_gradient(const ScoreTable& part, int64_t first) {
  const int64_t begin = first * part.candidates;
  float* const rewards = rewards_.data() + begin;
  float* const gradient = gradient_.data() + begin;
  contrast_rewards(part, rewards);
  Random unused(0, Stream::kUnnamed);  // the exact estimator draws nothing
  const PolicyReport report =
      policy_gradient(settings_.policy, {masked_.data() + begin, part.rows, part.candidates},
                      logits_.data() + begin, rewards, unused, {g_.data() + begin, gradient});
  mix_rows({gradient, part.candidates, 1}, part.rows, {keys_.outputs(), part.candidates},
           keys_.width(), query_gradient_.data() + first * queries_.width(), false);
  return report;
}

void SentenceAdversary::find_weights(const ScoreTable& part, int64_t first) {
  const auto lambda = static_cast<float>(settings_.lambda);
  for (int64_t i = first; i < first + part.rows; ++i) {
    const int64_t begin = i * part.candidates;
    const uint8_t* const masked = masked_.data() + begin;
    float* const g = g_.data() + begin;
    softmax_rows(logits_.data() + begin, 1, {masked, 1, part.candidates}, g, nullptr);
    const auto others =
        static_cast<float>(std::count(masked, masked + part.candidates, uint8_t{0}));
    // If g could not be computed, all weights are equal.
    const bool plays = std::any_of(g, g + part.candidates, [](float p) { return p > 0; });
    std::transform(g, g + part.candidates, weights_.begin() + begin,
                   [&](float p) { return plays ? lambda + (1 - lambda) * others * p : 1; });
  }
}

// Takes a step of the generator from the gradients of all rows.
void SentenceAdversary::learn(const ScoreTable& table, const float* f, const float* g,
                              int64_t width) {
  in_blocks(threads_, table.candidates, kRowsPerBlock, [&](int64_t begin, int64_t end) {
    mix_rows({gradient_.data() + begin, 1, table.candidates}, end - begin,
             {queries_.outputs(), table.rows}, queries_.width(),
             key_gradient_.data() + begin * keys_.width(), false);
  });
  queries_.backward(f, width, table.rows, query_gradient_.data(), nullptr);
  keys_.backward(g, width, table.candidates, key_gradient_.data(), nullptr);
}

}  // namespace acevec
