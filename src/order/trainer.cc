#include "order/trainer.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/parallel.h"
#include "base/random.h"
#include "order/penalty.h"
#include "order/split.h"

namespace acevec {
namespace {

// Of the coordinates' distribution at the start, in units of which half is cut off. A pair of
// concepts is then out of order by far more than the margin. From small vectors, which are nearly
// in order whichever way, training does not find out: a false pair in perfect order has no slope.
constexpr float kInitialScale = 0.5F;

OptimizerSettings adam(float rate, float decay) {
  OptimizerSettings settings{OptimizerKind::kAdam, rate};
  settings.beta1 = 0;
  settings.by_time = true;
  settings.weight_decay = decay;
  return settings;
}

// State that the threads of one run share.
class Run {
 public:
  Run(const std::vector<OrderPair>& train, const OrderSettings& settings, Matrix& vectors,
      const std::function<void(const OrderState&)>& report)
      : settings_(settings),
        vectors_(vectors),
        report_(report),
        optimizer_(adam(settings.rate, settings.decay)),
        moments_(Optimizer::moments_for(optimizer_, vectors.rows(), vectors.stride())),
        order_(train) {
    if (settings.mask_noise) observed_.emplace(generals_of(vectors.rows(), train));
    if (!settings.adversary) return;
    adversary_.emplace(*settings.adversary, train, vectors, settings.margin, settings.seed);
  }

  void run() {
    const auto pairs = static_cast<int64_t>(order_.size());
    batches_ = (pairs + settings_.batch - 1) / settings_.batch;
    std::vector<Worker> workers;
    workers.reserve(static_cast<size_t>(settings_.threads));
    for (int i = 0; i < settings_.threads; ++i) workers.emplace_back(*this);
    for (int64_t epoch = 0; epoch < settings_.epochs; ++epoch) {
      Random random(settings_.seed, Stream::kOrderShuffle, epoch);
      shuffle(order_, random);
      for (int64_t begin = 0; begin < batches_; begin += settings_.report_every) {
        const int64_t end = std::min(begin + settings_.report_every, batches_);
        for_each_piece(settings_.threads, end - begin, [&](int thread, int64_t piece) {
          workers[static_cast<size_t>(thread)].train(epoch, begin + piece);
        });
        OrderState state{epoch * pairs + std::min(end * settings_.batch, pairs),
                         settings_.epochs * pairs,
                         {},
                         {}};
        for (Worker& worker : workers) worker.hand_over(state);
        report_(state);
      }
    }
  }

 private:
  int64_t steps() const { return settings_.epochs * batches_; }

  // What one thread keeps from batch to batch.
  class Worker {
   public:
    explicit Worker(Run& run)
        : run_(run),
          steps_(run.vectors_, run.moments_, run.optimizer_, run.settings_.margin,
                 most_pairs(run)) {
      if (run.adversary_) adversary_.emplace(*run.adversary_);
    }

    // One batch of the epoch.
    void train(int64_t epoch, int64_t batch) {
      const int64_t number = epoch * run_.batches_ + batch;
      Random random(run_.settings_.seed, Stream::kOrderBatch, number);
      const int64_t first = batch * run_.settings_.batch;
      const int64_t last =
          std::min(first + run_.settings_.batch, static_cast<int64_t>(run_.order_.size()));
      positives_.assign(run_.order_.begin() + first, run_.order_.begin() + last);
      draw_noise(random);
      if (adversary_) adversary_->next(last - first, random, hard_);
      // The rate falls in a line to 0, so that vectors come to rest.
      const float rate = run_.settings_.rate * static_cast<float>(run_.steps() - number) /
                         static_cast<float>(run_.steps());
      loss_ += steps_.step(number + 1, rate, positives_, noise_, hard_);
    }

    // Adds what was counted since the last time.
    void hand_over(OrderState& state) {
      state.loss += loss_;
      loss_ = {};
      if (!adversary_) return;
      state.adversary += adversary_->take_report();
    }

   private:
    static int64_t most_pairs(const Run& run) {
      const double hard = run.settings_.adversary ? run.settings_.adversary->negatives : 0;
      return run.settings_.batch *
             (1 + run.settings_.negatives + static_cast<int64_t>(std::ceil(hard)));
    }

    void draw_noise(Random& random) {
      noise_.clear();
      for (const OrderPair& positive : positives_) {
        for (int64_t i = 0; i < run_.settings_.negatives; ++i) {
          const OrderPair pair =
              corrupted(positive, run_.vectors_.rows(), run_.settings_.specific_share, random);
          if (run_.observed_ && run_.observed_->contains(pair.specific, pair.general)) continue;
          noise_.push_back(pair);
        }
      }
    }

    Run& run_;
    OrderSteps steps_;
    std::optional<OrderAdversary> adversary_;
    std::vector<OrderPair> positives_, noise_, hard_;
    OrderLoss loss_;
  };

  const OrderSettings& settings_;
  Matrix& vectors_;
  const std::function<void(const OrderState&)>& report_;
  OptimizerSettings optimizer_;
  Matrix moments_;
  std::vector<OrderPair> order_;  // the pairs, shuffled
  std::optional<ExactPairs> observed_;
  std::optional<OrderAdversaryState> adversary_;
  int64_t batches_ = 0;  // in an epoch
};

}  // namespace

OrderLoss& OrderLoss::operator+=(const OrderLoss& other) {
  positive += other.positive;
  noise += other.noise;
  adversarial += other.adversarial;
  positives += other.positives;
  noises += other.noises;
  adversarials += other.adversarials;
  return *this;
}

Matrix initial_order_vectors(const std::vector<OrderPair>& train, int64_t concepts, int64_t size,
                             uint64_t seed) {
  std::vector<char> is_general(static_cast<size_t>(concepts));
  for (const OrderPair& pair : train) is_general[static_cast<size_t>(pair.general)] = 1;
  Matrix vectors(concepts, size);
  Random random(seed, Stream::kOrderStart);
  for (int64_t i = 0; i < concepts; ++i) {
    // A leaf needs what its generals demand and no more; what it had besides nothing would take
    // away from it, and it could not be above a concept that it was not seen with.
    if (is_general[static_cast<size_t>(i)] == 0) continue;
    for (int64_t k = 0; k < size; ++k) {
      // Box and Muller's transform; 1 − u is never 0.
      const float radius = std::sqrt(-2 * std::log(1 - random.uniform()));
      const float angle = 2 * std::numbers::pi_v<float> * random.uniform();
      vectors.row(i)[k] = std::max(0.0F, kInitialScale * radius * std::cos(angle));
    }
  }
  return vectors;
}

OrderSteps::OrderSteps(Matrix& vectors, Matrix& moments, const OptimizerSettings& optimizer,
                       float margin, int64_t most_pairs)
    : rows_(vectors, moments, optimizer, 2 * most_pairs), margin_(margin) {}

OrderLoss OrderSteps::step(int64_t number, float rate, const std::vector<OrderPair>& positives,
                           const std::vector<OrderPair>& noise,
                           const std::vector<OrderPair>& adversarial) {
  for (const auto* pairs : {&positives, &noise, &adversarial}) {
    for (const OrderPair& pair : *pairs) {
      rows_.place(pair.specific);
      rows_.place(pair.general);
    }
  }
  rows_.gather();
  OrderLoss loss;
  loss.positive = add_pairs(positives, true);
  loss.noise = add_pairs(noise, false);
  loss.adversarial = add_pairs(adversarial, false);
  loss.positives = static_cast<double>(positives.size());
  loss.noises = static_cast<double>(noise.size());
  loss.adversarials = static_cast<double>(adversarial.size());
  rows_.optimize(number, rate);
  // No coordinate falls below 0.
  for (int64_t k = 0; k < rows_.count() * rows_.width(); ++k) {
    rows_.changes()[k] = std::max(rows_.changes()[k], -rows_.values()[k]);
  }
  rows_.add();
  return loss;
}

// Adds the gradients of the pairs' losses and returns their sum.
double OrderSteps::add_pairs(const std::vector<OrderPair>& pairs, bool positive) {
  double sum = 0;
  for (const OrderPair& pair : pairs) {
    const int64_t x = rows_.place(pair.specific);
    const int64_t y = rows_.place(pair.general);
    const float penalty = order_penalty(rows_.values() + x, rows_.values() + y, rows_.width());
    const float loss = positive ? positive_loss(penalty) : negative_loss(penalty, margin_);
    sum += static_cast<double>(loss);
    if (!(loss > 0)) continue;
    add_penalty_gradient(rows_.values() + x, rows_.values() + y, rows_.width(),
                         positive ? 1.0F : -1.0F, rows_.changes() + x, rows_.changes() + y);
  }
  return sum;
}

void train_order(const std::vector<OrderPair>& train, const OrderSettings& settings,
                 Matrix& vectors, const std::function<void(const OrderState&)>& report) {
  Run(train, settings, vectors, report).run();
}

}  // namespace acevec
