// Steps of the softmax over entities against its definition and finite differences.

#include "tasks/kg/softmax_steps.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include "instruction_sets.h"
#include "kernels/hogwild.h"

namespace acevec::softmax_steps_test {
namespace {

constexpr int64_t kSize = 12;
constexpr int32_t kEntities = 23;

KgModel start_of(ScoreKind kind) {
  return initial_model({kind, kSize}, kEntities, 2, 1);
}

const std::vector<int32_t> kAnswers{3, 7, 7, 0, 9, 22};
const std::vector<Question> kQuestions{
    {3, 0, {kAnswers.data(), 2}},      // the kept entity is an answer, too
    {5, 1, {kAnswers.data() + 2, 1}},  // answers meet
    {1, 1, {kAnswers.data() + 3, 3}}};

constexpr ScoreKind kProducts[] = {ScoreKind::kDistMult, ScoreKind::kComplEx};
constexpr ScoreKind kSoftmaxScores[] = {ScoreKind::kDistMult, ScoreKind::kComplEx,
                                        ScoreKind::kEuclideanTransE, ScoreKind::kEuclideanRotatE};

KgSettings settings_for(int64_t candidates, float n3 = 0) {
  KgSettings settings;
  settings.loss = KgLossKind::kSoftmax;
  settings.negatives = candidates;
  settings.n3 = n3;
  settings.optimizer = {OptimizerKind::kSgd, 1};
  settings.batch = 3;
  return settings;
}

// Takes a step from `model`; the same draws each time.
Mean step(KgModel& model, const KgSettings& settings, float rate,
          std::span<const float> shares = {}) {
  Matrix none = Optimizer::moments_for(settings.optimizer, 1, model.entities.stride());
  SoftmaxSteps steps(model, none, none, settings, shares);
  Random random(3);
  return steps.step(1, rate, kQuestions, random);
}

double logit(const KgModel& model, const Question& question, int32_t answer) {
  return -double{model.score->distance(model.entities.row(question.kept),
                                       model.relations.row(question.relation),
                                       model.entities.row(answer))};
}

double defined_loss(const KgModel& model) {
  double loss = 0;
  for (const Question& question : kQuestions) {
    double sum = 0;
    for (int32_t id = 0; id < kEntities; ++id) sum += std::exp(logit(model, question, id));
    for (const int32_t answer : question.answers) {
      loss += std::log(sum) - logit(model, question, answer);
    }
  }
  return loss;
}

double n3_of(ScoreKind kind, const float* row) {
  double sum = 0;
  for (int64_t k = 0; k < kSize; ++k) {
    if (traits_of(kind).is_complex && k % 2 == 1) continue;
    const double modulus = traits_of(kind).is_complex
                               ? std::hypot(double{row[k]}, double{row[k + 1]})
                               : std::abs(double{row[k]});
    sum += std::pow(modulus, 3);
  }
  return sum;
}

double defined_penalty(ScoreKind kind, const KgModel& model) {
  double sum = 0;
  for (const Question& question : kQuestions) {
    for (const int32_t answer : question.answers) {
      sum += n3_of(kind, model.entities.row(question.kept)) +
             n3_of(kind, model.entities.row(answer)) +
             n3_of(kind, model.relations.row(question.relation));
    }
  }
  return sum;
}

double relation_loss(const KgModel& model) {
  double loss = 0;
  for (const Question& question : kQuestions) {
    for (const int32_t answer : question.answers) {
      Question other = question;
      double sum = 0;
      for (other.relation = 0; other.relation < model.relations.rows(); ++other.relation) {
        sum += std::exp(logit(model, other, answer));
      }
      loss += std::log(sum) - logit(model, question, answer);
    }
  }
  return loss;
}

// The largest difference between what a step changed and minus the slope of `loss`.
template <class Loss>
double worst_step(ScoreKind kind, const KgSettings& settings, const Loss& loss,
                  std::span<const float> shares = {}) {
  KgModel model = start_of(kind);
  const KgModel before = start_of(kind);
  step(model, settings, 1, shares);
  KgModel at = start_of(kind);
  double worst = 0, most = 0;
  for (Matrix KgModel::*matrix : {&KgModel::entities, &KgModel::relations}) {
    for (int64_t i = 0; i < (at.*matrix).rows() * (at.*matrix).stride(); ++i) {
      if (i % padded(kSize) >= kSize) continue;
      float& value = (at.*matrix).row(0)[i];
      const float old = value;
      value = old + 2.5e-4F;
      const double above = loss(at);
      value = old - 2.5e-4F;
      const double below = loss(at);
      value = old;
      const double change = double{(model.*matrix).row(0)[i]} - double{(before.*matrix).row(0)[i]};
      worst = std::max(worst, std::abs(change + (above - below) / 5e-4));
      most = std::max(most, std::abs(change));
    }
  }
  CHECK(most > 0.1);
  return worst;
}

}  // namespace

TEST_CASE("a plain step goes down the softmax over all entities by its gradient") {
  for_each_instruction_set([] {
    for (const ScoreKind kind : kSoftmaxScores) {
      CAPTURE(std::string(traits_of(kind).name));
      KgModel model = start_of(kind);
      const Mean loss = step(model, settings_for(0), 0);
      CHECK(loss.count == 6);
      CHECK(loss.sum == doctest::Approx(defined_loss(model)).epsilon(1e-4));
      CHECK(worst_step(kind, settings_for(0), defined_loss) < 1e-2);
    }
  });
}

TEST_CASE("with products in bfloat16 a step is nearly the same") {
  for_each_instruction_set([] {
    for (const auto& [score, candidates] :
         {std::pair(ScoreKind::kComplEx, 0), std::pair(ScoreKind::kComplEx, 9),
          std::pair(ScoreKind::kEuclideanTransE, 9)}) {
      KgModel exact = start_of(score), rounded = start_of(score);
      const KgModel before = start_of(score);
      KgSettings settings = settings_for(candidates);
      const double loss = step(exact, settings, 1).sum;
      settings.precision = ProductPrecision::kBfloat16;
      CHECK(step(rounded, settings, 1).sum == doctest::Approx(loss).epsilon(0.01));
      double most = 0, worst = 0;
      for (int64_t i = 0; i < kEntities * before.entities.stride(); ++i) {
        const float at = exact.entities.row(0)[i];
        most = std::max(most, std::abs(double{at} - double{before.entities.row(0)[i]}));
        worst = std::max(worst, std::abs(double{at} - double{rounded.entities.row(0)[i]}));
      }
      CHECK(worst < 0.02 * most);
      CHECK(worst > 0);
    }
  });
}

TEST_CASE("the N3 penalty is part of the step and not of the loss") {
  for (const ScoreKind kind : kProducts) {
    constexpr float kN3 = 0.4F;
    KgModel model = start_of(kind);
    CHECK(step(model, settings_for(0, kN3), 0).sum ==
          doctest::Approx(defined_loss(model)).epsilon(1e-4));
    CHECK(worst_step(kind, settings_for(0, kN3), [&](const KgModel& at) {
            return defined_loss(at) + double{kN3} * defined_penalty(kind, at);
          }) < 1e-2);
  }
}

TEST_CASE("the distance of true triples is part of the step and not of the loss") {
  for (const ScoreKind kind : {ScoreKind::kEuclideanTransE, ScoreKind::kEuclideanRotatE}) {
    for (const int64_t candidates : {0, 8}) {
      KgSettings settings = settings_for(candidates);
      settings.distance_weight = 0.3F;
      const auto loss = [&](const KgModel& at) {
        KgModel copy = start_of(kind);
        copy_rows(at.entities, copy.entities);
        copy_rows(at.relations, copy.relations);
        double sum = step(copy, settings, 0).sum;
        for (const Question& question : kQuestions) {
          for (const int32_t answer : question.answers) sum -= 0.3 * logit(at, question, answer);
        }
        return sum;
      };
      KgModel model = start_of(kind);
      CHECK(step(model, settings, 0).sum == step(model, settings_for(candidates), 0).sum);
      CHECK(worst_step(kind, settings, loss) < 1e-2);
    }
  }
}

TEST_CASE("predicting relations is part of the step and not of the loss") {
  for_each_instruction_set([] {
    for (const ScoreKind kind : kProducts) {
      constexpr float kWeight = 1.5F;
      KgSettings settings = settings_for(0);
      settings.relation_weight = kWeight;
      KgModel model = start_of(kind);
      CHECK(step(model, settings, 0).sum == doctest::Approx(defined_loss(model)).epsilon(1e-4));
      CHECK(worst_step(kind, settings, [](const KgModel& at) {
              return defined_loss(at) + double{kWeight} * relation_loss(at);
            }) < 1e-2);
    }
  });
}

TEST_CASE("among drawn entities a step goes down the loss that it reports") {
  for (const ScoreKind kind : kSoftmaxScores) {
    CAPTURE(std::string(traits_of(kind).name));
    // By a step of rate 0, with the same draws.
    const auto loss = [&](const KgModel& at) {
      KgModel copy = start_of(kind);
      for (Matrix KgModel::*matrix : {&KgModel::entities, &KgModel::relations}) {
        std::copy_n((at.*matrix).row(0), (at.*matrix).rows() * (at.*matrix).stride(),
                    (copy.*matrix).row(0));
      }
      return step(copy, settings_for(8), 0).sum;
    };
    CHECK(worst_step(kind, settings_for(8), loss) < 1e-2);
  }
}

TEST_CASE("drawn entities stand for all of them") {
  // The mean of Z = exp(loss + logit) over draws is the sum over all.
  KgModel model = start_of(ScoreKind::kComplEx);
  const KgSettings settings = settings_for(5);
  Matrix none = Optimizer::moments_for(settings.optimizer, 1, model.entities.stride());
  SoftmaxSteps steps(model, none, none, settings);
  Random random(3);
  const std::vector<Question> one{{3, 0, {kAnswers.data() + 1, 1}}};
  double wanted = 0, mean = 0;
  for (int32_t id = 0; id < kEntities; ++id) wanted += std::exp(logit(model, one[0], id));
  constexpr int kTimes = 20000;
  for (int i = 0; i < kTimes; ++i) {
    mean += std::exp(steps.step(1, 0, one, random).sum + logit(model, one[0], 7)) / kTimes;
  }
  CHECK(mean == doctest::Approx(wanted).epsilon(5e-3));
}

TEST_CASE("in-batch, all entities stand for themselves where all are drawn") {
  const std::vector<float> shares(kEntities, 0.1F);
  KgSettings settings = settings_for(0);
  settings.in_batch = true;
  KgModel model = start_of(ScoreKind::kComplEx);
  CHECK(step(model, settings, 0, shares).sum == doctest::Approx(defined_loss(model)).epsilon(1e-4));
}

TEST_CASE("in-batch a step goes down the loss that it reports") {
  const std::vector<float> shares(kEntities, 0.1F);
  for (const ScoreKind kind : kSoftmaxScores) {
    KgSettings settings = settings_for(8);
    settings.in_batch = true;
    const auto loss = [&](const KgModel& at) {
      KgModel copy = start_of(kind);
      copy_rows(at.entities, copy.entities);
      copy_rows(at.relations, copy.relations);
      return step(copy, settings, 0, shares).sum;
    };
    CHECK(worst_step(kind, settings, loss, shares) < 1e-2);
  }
}

TEST_CASE("drawn entities and answers of other questions stand for all of them") {
  // One question with many answers, drawn by shares that are anything but equal. The mean of its
  // log Z is a little below the logarithm of the sum over all.
  constexpr size_t kQuestionsAtOnce = 40;
  KgModel model = start_of(ScoreKind::kComplEx);
  std::vector<float> shares(kEntities);
  std::vector<int32_t> ids;  // each as often as its share says
  for (int32_t id = 0; id < kEntities; ++id) ids.insert(ids.end(), id < 4 ? 20 : 1, id);
  for (const int32_t id : ids)
    shares[static_cast<size_t>(id)] += 1 / static_cast<float>(ids.size());
  KgSettings settings = settings_for(6);
  settings.in_batch = true;
  settings.batch = kQuestionsAtOnce;
  Matrix none = Optimizer::moments_for(settings.optimizer, 1, model.entities.stride());
  SoftmaxSteps steps(model, none, none, settings, shares);
  Random random(5);
  double sum = 0, mean = 0;
  for (int32_t id = 0; id < kEntities; ++id) {
    sum += std::exp(logit(model, {3, 0, {}}, id));
  }
  constexpr int kTimes = 2000;
  for (int i = 0; i < kTimes; ++i) {
    std::vector<int32_t> answers;
    for (size_t k = 0; k < kQuestionsAtOnce; ++k) {
      answers.push_back(ids[random.below(static_cast<uint32_t>(ids.size()))]);
    }
    std::vector<Question> questions;
    double logits = 0;
    for (const int32_t& answer : answers) {
      questions.push_back({3, 0, {&answer, 1}});
      logits += logit(model, questions.back(), answer);
    }
    mean += (steps.step(1, 0, questions, random).sum + logits) / (kQuestionsAtOnce * kTimes);
  }
  CHECK(mean == doctest::Approx(std::log(sum)).epsilon(0.01));
}

TEST_CASE("numbers that cannot be told apart or are huge give finite steps") {
  for (const float scale : {0.0F, 1e6F, 1e18F, -1e18F}) {
    KgModel model = start_of(ScoreKind::kComplEx);
    for (int64_t i = 0; i < model.entities.rows() * model.entities.stride(); ++i) {
      model.entities.row(0)[i] *= scale;
    }
    KgSettings settings = settings_for(0);
    settings.relation_weight = 1;
    if (scale < 0) settings.precision = ProductPrecision::kBfloat16;
    settings.optimizer.kind = OptimizerKind::kAdagrad;
    Matrix entity_moments =
        Optimizer::moments_for(settings.optimizer, kEntities, model.entities.stride());
    Matrix relation_moments =
        Optimizer::moments_for(settings.optimizer, model.relations.rows(), model.entities.stride());
    SoftmaxSteps steps(model, entity_moments, relation_moments, settings);
    Random random(3);
    CHECK(std::isfinite(steps.step(1, 0.1F, kQuestions, random).sum));
    CHECK(model.entities.finite());
    CHECK(model.relations.finite());
  }
}

}  // namespace acevec::softmax_steps_test
