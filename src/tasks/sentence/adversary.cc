#include "tasks/sentence/adversary.h"

#include <algorithm>

#include "kernels/policy_kernels.h"
#include "kernels/products.h"

namespace acevec {

SentenceAdversaryState::SentenceAdversaryState(const SentenceAdversarySettings& wanted,
                                               int64_t size, uint64_t seed)
    : settings(wanted), queries(0, 1), keys(0, 1), query_moments(0, 1), key_moments(0, 1) {
  settings.optimizer.ascend = true;
  Random random(seed, Stream::kSentenceQueries);
  queries = DenseLayer::parameters(size, settings.units, settings.units, random);
  keys = Matrix(size + 1, settings.units);
  query_moments = Optimizer::moments_for(settings.optimizer, queries.rows(), queries.stride());
  key_moments = Optimizer::moments_for(settings.optimizer, keys.rows(), keys.stride());
}

int64_t SentenceAdversaryState::bytes(const SentenceAdversarySettings& settings, int64_t size) {
  const int64_t width = padded(settings.units);
  return 2 * ((size + 1) * width * kFloatSize +
              Optimizer::moment_bytes(settings.optimizer, size + 1, width));
}

void SentenceAdversaryState::list(std::vector<Parameter>& parameters) {
  parameters.push_back({"queries", &queries, Role::kLearned});
  parameters.push_back({"query moments", &query_moments, Role::kMemory});
  parameters.push_back({"keys", &keys, Role::kLearned});
  parameters.push_back({"key moments", &key_moments, Role::kMemory});
}

SentenceAdversary::SentenceAdversary(SentenceAdversaryState& state, int64_t most_rows,
                                     int64_t most_candidates)
    : state_(state),
      queries_(state.queries, state.query_moments, state.settings.optimizer, most_rows),
      keys_(state.keys, state.key_moments, state.settings.optimizer, most_candidates),
      query_gradient_(most_rows * queries_.width()),
      key_gradient_(most_candidates * keys_.width()) {
  const auto cells = static_cast<size_t>(most_rows * most_candidates);
  masked_.reserve(cells);
  for (auto* const table : {&logits_, &g_, &weights_, &rewards_, &gradient_}) table->reserve(cells);
}

int64_t SentenceAdversary::bytes(const SentenceAdversarySettings& settings, int64_t size,
                                 int64_t most_rows, int64_t most_candidates) {
  const int64_t width = padded(settings.units);
  return most_rows * most_candidates * (5 * kFloatSize + 1) +
         2 * (most_rows + most_candidates) * width * kFloatSize +
         4 * (size + 1) * width * kFloatSize;
}

const float* SentenceAdversary::weigh(const ScoreTable& table, const float* f, const float* g,
                                      int64_t width, Random& random) {
  const auto cells = static_cast<size_t>(table.rows * table.candidates);
  masked_.resize(cells);
  for (size_t i = 0; i < cells; ++i) masked_[i] = table.marks[i] == Mark::kOther ? 0 : 1;
  logits_.resize(cells);
  g_.resize(cells);
  const float* const q = queries_.forward(f, width, table.rows);
  const float* const k = keys_.forward(g, width, table.candidates);
  score_rows({q, table.rows}, {k, table.candidates}, queries_.width(),
             {logits_.data(), table.candidates});
  for (size_t i = 0; i < cells; ++i) logits_[i] += state_.settings.beta * table.scores[i];
  if (calls_++ % state_.settings.every == 0) learn(table, f, g, width, random);
  softmax_rows(logits_.data(), 1, {masked_.data(), table.rows, table.candidates}, g_.data(),
               nullptr);
  weights_.resize(cells);
  const auto lambda = static_cast<float>(state_.settings.lambda);
  for (int64_t i = 0; i < table.rows; ++i) {
    const int64_t begin = i * table.candidates, end = begin + table.candidates;
    const auto others =
        static_cast<float>(std::count(masked_.begin() + begin, masked_.begin() + end, uint8_t{0}));
    // Where g could not be computed all weigh the same.
    const bool plays =
        std::any_of(g_.begin() + begin, g_.begin() + end, [](float p) { return p > 0; });
    for (auto at = static_cast<size_t>(begin); at < static_cast<size_t>(end); ++at) {
      weights_[at] = plays ? lambda + (1 - lambda) * others * g_[at] : 1;
    }
  }
  return weights_.data();
}

void SentenceAdversary::learn(const ScoreTable& table, const float* f, const float* g,
                              int64_t width, Random& random) {
  rewards_.resize(logits_.size());
  gradient_.resize(logits_.size());
  contrast_rewards(table, rewards_.data());
  const PolicyValue value =
      policy_gradient(state_.settings.policy, {masked_.data(), table.rows, table.candidates},
                      logits_.data(), rewards_.data(), random, {g_.data(), gradient_.data()});
  report_.conditions += static_cast<double>(table.rows);
  report_.entropy += value.entropy;
  report_.reward += value.reward;
  mix_rows({gradient_.data(), table.candidates, 1}, table.rows, {keys_.outputs(), table.candidates},
           keys_.width(), query_gradient_.data(), false);
  mix_rows({gradient_.data(), 1, table.candidates}, table.candidates,
           {queries_.outputs(), table.rows}, queries_.width(), key_gradient_.data(), false);
  queries_.backward(f, width, table.rows, query_gradient_.data(), nullptr);
  keys_.backward(g, width, table.candidates, key_gradient_.data(), nullptr);
}

}  // namespace acevec
