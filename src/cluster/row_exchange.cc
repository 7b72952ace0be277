#include "cluster/row_exchange.h"

#include <algorithm>
#include <csignal>
#include <functional>
#include <limits>
#include <numeric>
#include <thread>
#include <utility>

#include "base/progress.h"
#include "cluster/checkpoint_parts.h"
#include "cluster/combine.h"
#include "kernels/hogwild.h"
#include "math/aligned.h"

namespace acevec {
namespace {

bool is_exchanged(const Parameter& parameter) {
  return parameter.role != Role::kMemory && parameter.matrix->rows() > 0;
}

// The notes of all processes together.
RunNote note_of_all(const RunNote& own, Peers& peers) {
  struct Said {
    int64_t done;
    Mean loss;
    bool evaluate, checkpoint;
    int signal;
  };
  const std::vector<Said> said =
      gather(peers, Said{own.done, own.sums.loss, own.evaluate, own.checkpoint, own.signal});
  RunNote all;
  all.evaluate = said.front().evaluate;
  all.checkpoint = said.front().checkpoint;
  for (const Said& each : said) {
    all.done += each.done;
    all.sums.loss += each.loss;
    all.signal = std::max(all.signal, each.signal);
  }
  for (auto& means : gather_lists(peers, own.sums.means)) all.sums += {{}, std::move(means)};
  return all;
}

}  // namespace

RowExchange::RowExchange(const Parts& parts)
    : peers_(parts.peers), settings_(parts.settings), own_units_(parts.own_units) {
  at_.total = peers_.allreduce_sum(own_units_);
  const int64_t together = peers_.allreduce_sum(std::min(settings_.every, at_.total));
  // Only after a piece is there something to exchange.
  const std::vector<int64_t> pieces = gather(peers_, parts.own_pieces);
  const int64_t most = *std::max_element(pieces.begin(), pieces.end());
  at_.rounds = std::max(parts.epochs, std::min((at_.total + together - 1) / together, most));
  std::vector<double> changes = parts.frequencies;
  const double units =
      static_cast<double>(at_.total) / peers_.count() / static_cast<double>(at_.rounds);
  for (double& change : changes) change *= units;
  const int64_t rarest = std::max<int64_t>(1, at_.rounds / parts.epochs / settings_.times_in_epoch);
  for (const Parameter& parameter : parts.parameters) {
    if (!is_exchanged(parameter)) continue;
    Matrix& matrix = *parameter.matrix;
    const bool of_words = matrix.rows() >= static_cast<int64_t>(changes.size());
    shared_.push_back({&matrix, Matrix(matrix.rows(), matrix.columns()),
                       RowSchedule(matrix.rows(), of_words ? changes : std::vector<double>{},
                                   settings_.changes, rarest)});
    std::copy(matrix.row(0), matrix.row(matrix.rows()), shared_.back().base.row(0));
  }
}

bool RowExchange::due(int64_t done) const {
  return at_.round < points_passed(done);
}

// The points that this process has passed; they are the same shares of each process's run.
int64_t RowExchange::points_passed(int64_t done) const {
  return static_cast<int64_t>(static_cast<double>(done) * static_cast<double>(at_.rounds) /
                              static_cast<double>(own_units_));
}

void RowExchange::start(const RunNote& own) {
  at_.round = std::max(at_.round + 1, at_.passed);
  ++at_.number;
  std::vector<std::vector<int32_t>> rows;
  for (const Shared& shared : shared_) rows.push_back(shared.schedule.due(at_.number));
  give_away(rows, settings_.wire, own);
}

// In parts, so that it takes little memory.
void RowExchange::complete() {
  constexpr int64_t kRowsAtOnce = 1 << 15;
  int64_t most = 0;
  for (const Shared& shared : shared_) most = std::max(most, shared.matrix->rows());
  for (int64_t begin = 0; begin < most; begin += kRowsAtOnce) {
    std::vector<std::vector<int32_t>> rows;
    for (const Shared& shared : shared_) {
      std::vector<int32_t>& ids = rows.emplace_back();
      const int64_t end = std::min(begin + kRowsAtOnce, shared.matrix->rows());
      for (int64_t id = begin; id < end; ++id) ids.push_back(static_cast<int32_t>(id));
    }
    give_away(rows, Wire::kFloat, {});
    finish();
  }
}

// Sends the changes of these rows of each matrix, and has a thread of its own do the rest.
void RowExchange::give_away(const std::vector<std::vector<int32_t>>& rows, Wire wire,
                            const RunNote& own) {
  const Timer timer(&cost_.packing);
  auto sent = std::make_shared<std::vector<Rows>>();
  for (size_t i = 0; i < shared_.size(); ++i) {
    sent->push_back(changes(shared_[i], rows[i], wire));
  }
  sent_ = sent;
  const auto deal = [&peers = peers_, sent = sent_, wire, times = settings_.rate_times, own,
                     passed = points_passed(own.done)] {
    Combined combined{note_of_all(own, peers), std::ranges::min(gather(peers, passed)), {}, 0};
    for (const Rows& own_changes : *sent) {
      const Rows changes = send_rows(own_changes, To::kEach, wire, peers, combined.bytes);
      combined.rows.push_back(
          send_rows(combine(changes, times), To::kAll, wire, peers, combined.bytes));
    }
    return combined;
  };
  // Not std::async: if training fails here, the process must come to its end without the others.
  std::promise<Combined> promise;
  result_ = promise.get_future();
  std::thread([deal, out = std::move(promise)]() mutable {
    try {
      out.set_value(deal());
    } catch (...) {
      out.set_exception(std::current_exception());
    }
  }).detach();
}

// How these rows differ from the base, for each owner; rows that do not are left out.
Rows RowExchange::changes(const Shared& shared, std::vector<int32_t> ids, Wire wire) const {
  const int64_t width = shared.matrix->columns();
  const auto owner = [&](int32_t id) { return id % peers_.count(); };
  std::ranges::stable_sort(ids, {}, owner);
  Rows changed{width, std::vector<int>(static_cast<size_t>(peers_.count())), {}, {}};
  AlignedFloats now(shared.matrix->stride());
  for (const int32_t id : ids) {
    gather_rows(*shared.matrix, &id, 1, now.data());
    const float* const base = shared.base.row(id);
    if (std::equal(base, base + width, now.data())) continue;
    ++changed.counts[static_cast<size_t>(owner(id))];
    changed.ids.push_back(id);
    std::transform(now.data(), now.data() + width, base, std::back_inserter(changed.values),
                   std::minus<>());
  }
  round_to(wire, changed.values);
  return changed;
}

RunNote RowExchange::finish() {
  const Stopwatch watch;
  result_.wait();
  cost_.waiting += watch.seconds();
  const Combined combined = result_.get();
  const Timer timer(&cost_.packing);
  for (size_t i = 0; i < shared_.size(); ++i) take_in(combined.rows[i], (*sent_)[i], shared_[i]);
  at_.passed = combined.passed;
  cost_.bytes += combined.bytes;
  ++cost_.rounds;
  return combined.note;
}

// Adds what came of an exchange to the base, and to the matrix less what was sent of it.
void RowExchange::take_in(const Rows& combined, const Rows& sent, Shared& shared) const {
  AlignedFloats change(shared.matrix->stride());
  size_t at = 0;  // in what was sent
  for (size_t i = 0; i < combined.ids.size(); ++i) {
    const int32_t id = combined.ids[i];
    const bool sent_too = at < sent.ids.size() && sent.ids[at] == id;
    const float* const own = sent_too ? sent.row(at++) : nullptr;
    float* const base = shared.base.row(id);
    for (int64_t k = 0; k < combined.width; ++k) {
      base[k] += combined.row(i)[k];
      change.data()[k] = combined.row(i)[k] - (own != nullptr ? own[k] : 0);
    }
    scatter_add(*shared.matrix, &id, 1, change.data(), std::numeric_limits<float>::infinity());
  }
}

std::optional<Evaluation> RowExchange::mean(const std::optional<Evaluation>& own) {
  std::vector<double> numbers{0, 0};  // weight, weighted score, weighted columns
  if (own && own->weight > 0) {
    numbers = {own->weight, own->weight * own->score};
    for (const double column : own->columns) numbers.push_back(own->weight * column);
  }
  std::vector<double> sums(2);
  for (const std::vector<double>& each : gather_lists(peers_, numbers)) {
    sums.resize(std::max(sums.size(), each.size()));
    std::transform(each.begin(), each.end(), sums.begin(), sums.begin(), std::plus<>());
  }
  const double weight = sums[0];
  if (weight == 0) return std::nullopt;
  for (double& sum : sums) sum /= weight;
  return Evaluation{sums[1], {sums.begin() + 2, sums.end()}, weight};
}

void RowExchange::write_checkpoint(const std::string& path, const Save& save) {
  write_part(path, ++at_.checkpoints, save, peers_);
}

void RowExchange::save(CheckpointWriter& file) const {
  file.put("exchange", at_);
  for (const Shared& shared : shared_) shared.base.save("base", file);
}

void RowExchange::load(CheckpointReader& file) {
  const auto before = file.get<Position>("exchange");
  at_.checkpoints = before.checkpoints;
  at_.number = before.number;
  // The run stands at the point of the next exchange, and this is how often such points come now.
  const double more = (static_cast<double>(at_.rounds) / static_cast<double>(at_.total)) /
                      (static_cast<double>(before.rounds) / static_cast<double>(before.total));
  const auto next = static_cast<int64_t>(static_cast<double>(before.round + 1) * more);
  at_.round = std::clamp<int64_t>(next - 1, 0, at_.rounds);
  at_.passed = static_cast<int64_t>(static_cast<double>(before.passed) * more);
  for (Shared& shared : shared_) shared.base.load("base", file);
}

}  // namespace acevec
