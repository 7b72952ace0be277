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

constexpr int64_t kBatch = 256;  // rows that are read or changed together

bool is_exchanged(const Parameter& parameter) {
  return parameter.role != Role::kMemory && parameter.matrix->rows() > 0;
}

// What an owner makes of its rows, of which each process has sent some.
Rows combined_rows(const Rows& sent, double times) {
  constexpr int32_t kNone = std::numeric_limits<int32_t>::max();
  std::vector<size_t> next, end;  // of each process
  for (const int count : sent.counts) {
    next.push_back(end.empty() ? 0 : end.back());
    end.push_back(next.back() + static_cast<size_t>(count));
  }
  Rows result{sent.width, {}, {}, {}};
  std::vector<const float*> changes;
  for (;;) {
    int32_t id = kNone;
    for (size_t i = 0; i < next.size(); ++i) {
      if (next[i] < end[i]) id = std::min(id, sent.ids[next[i]]);
    }
    if (id == kNone) break;
    changes.clear();
    for (size_t i = 0; i < next.size(); ++i) {
      if (next[i] < end[i] && sent.ids[next[i]] == id) changes.push_back(sent.row(next[i]++));
    }
    result.ids.push_back(id);
    result.values.resize(result.values.size() + static_cast<size_t>(result.width));
    combine(changes, times, result.width, result.row(result.ids.size() - 1));
  }
  result.counts.assign(next.size(), static_cast<int>(result.ids.size()));
  return result;
}

// The ids of process 0's rows, then of process 1's, and so on, increasing as before.
std::vector<int32_t> by_owner(const std::vector<int32_t>& ids, int processes) {
  const auto owner = [&](int32_t id) { return static_cast<size_t>(id % processes); };
  std::vector<size_t> next(static_cast<size_t>(processes) + 1);
  for (const int32_t id : ids) ++next[owner(id) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<int32_t> sorted(ids.size());
  for (const int32_t id : ids) sorted[next[owner(id)]++] = id;
  return sorted;
}

// Number by number over all processes, in the order of the ranks, so that all have the same to the
// bit; missing ones are 0.
std::vector<double> sums(Peers& peers, const std::vector<double>& own) {
  const Items<double> all = gather_all(peers, own);
  std::vector<double> sums(static_cast<size_t>(*std::ranges::max_element(all.counts)));
  const double* next = all.items.data();
  for (const int count : all.counts) {
    for (int i = 0; i < count; ++i) sums[static_cast<size_t>(i)] += *next++;
  }
  return sums;
}

// The notes of all processes together.
RunNote note_of_all(const RunNote& own, Peers& peers) {
  std::vector<double> numbers{static_cast<double>(own.done),
                              is_first(peers) && own.evaluate ? 1.0 : 0.0,
                              is_first(peers) && own.checkpoint ? 1.0 : 0.0,
                              own.signal == SIGINT ? 1.0 : 0.0,
                              own.signal == SIGTERM ? 1.0 : 0.0,
                              own.sums.loss.sum,
                              own.sums.loss.count};
  const size_t fixed = numbers.size();
  for (const Mean& mean : own.sums.means) numbers.insert(numbers.end(), {mean.sum, mean.count});
  numbers = sums(peers, numbers);
  RunNote all{static_cast<int64_t>(numbers[0]),
              {{numbers[5], numbers[6]}, {}},
              numbers[1] > 0,
              numbers[2] > 0,
              numbers[4] > 0   ? SIGTERM
              : numbers[3] > 0 ? SIGINT
                               : 0};
  for (size_t i = fixed; i < numbers.size(); i += 2) {
    all.sums.means.push_back({numbers[i], numbers[i + 1]});
  }
  return all;
}

}  // namespace

RowExchange::RowExchange(const Parts& parts)
    : peers_(parts.peers), settings_(parts.settings), own_units_(parts.own_units) {
  total_ = sum(peers_, own_units_);
  const int64_t together = sum(peers_, std::min(settings_.every, total_));
  // Only after a piece is there something to exchange.
  const std::vector<int64_t> pieces = gather(peers_, parts.own_pieces);
  const int64_t most = *std::max_element(pieces.begin(), pieces.end());
  rounds_ = std::max(parts.epochs, std::min((total_ + together - 1) / together, most));
  std::vector<double> changes = parts.frequencies;
  const double units = static_cast<double>(total_) / peers_.count() / static_cast<double>(rounds_);
  for (double& change : changes) change *= units;
  const int64_t rarest = std::max<int64_t>(1, rounds_ / parts.epochs / settings_.times_in_epoch);
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
  return round_ < points_passed(done);
}

// The points that this process has passed; they are the same shares of each process's run.
int64_t RowExchange::points_passed(int64_t done) const {
  return static_cast<int64_t>(static_cast<double>(done) * static_cast<double>(rounds_) /
                              static_cast<double>(own_units_));
}

void RowExchange::start(const RunNote& own) {
  round_ = std::max(round_ + 1, passed_);
  ++number_;
  std::vector<std::vector<int32_t>> rows;
  for (const Shared& shared : shared_) rows.push_back(shared.schedule.due(number_));
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
      const int64_t end =
          std::clamp(begin + kRowsAtOnce, begin, std::max(begin, shared.matrix->rows()));
      rows.emplace_back(static_cast<size_t>(end - begin));
      std::iota(rows.back().begin(), rows.back().end(), static_cast<int32_t>(begin));
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
    std::vector<Rows> results;
    for (const Rows& received : send_rows(*sent, To::kEach, wire, peers, combined.bytes)) {
      results.push_back(combined_rows(received, times));
      round_to(wire, results.back().values);
    }
    combined.rows = send_rows(results, To::kAll, wire, peers, combined.bytes);
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
Rows RowExchange::changes(const Shared& shared, const std::vector<int32_t>& due, Wire wire) const {
  const int64_t width = shared.matrix->columns();
  const int64_t stride = shared.matrix->stride();
  const auto owners = static_cast<size_t>(peers_.count());
  Rows changed{width, std::vector<int>(owners), {}, {}};
  const std::vector<int32_t> ids = by_owner(due, peers_.count());
  AlignedFloats rows(kBatch * stride);
  std::vector<float> change(static_cast<size_t>(width));
  for (size_t begin = 0; begin < ids.size(); begin += kBatch) {
    const size_t end = std::min(begin + kBatch, ids.size());
    gather_rows(*shared.matrix, ids.data() + begin, static_cast<int64_t>(end - begin), rows.data());
    for (size_t i = begin; i < end; ++i) {
      const float* const now = rows.data() + static_cast<int64_t>(i - begin) * stride;
      const float* const base = shared.base.row(ids[i]);
      if (std::equal(now, now + width, base)) continue;
      std::transform(now, now + width, base, change.begin(), std::minus<>());
      ++changed.counts[static_cast<size_t>(ids[i]) % owners];
      changed.ids.push_back(ids[i]);
      changed.values.insert(changed.values.end(), change.begin(), change.end());
    }
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
  passed_ = combined.passed;
  cost_.bytes += combined.bytes;
  ++cost_.rounds;
  return combined.note;
}

// Adds what came of an exchange to the base, and to the matrix less what was sent of it.
void RowExchange::take_in(const Rows& combined, const Rows& sent, Shared& shared) const {
  const int64_t stride = shared.matrix->stride();
  AlignedFloats changes(kBatch * stride);
  size_t at = 0;  // in what was sent
  for (size_t begin = 0; begin < combined.ids.size(); begin += kBatch) {
    const size_t end = std::min(begin + kBatch, combined.ids.size());
    for (size_t i = begin; i < end; ++i) {
      const int32_t id = combined.ids[i];
      const bool own = at < sent.ids.size() && sent.ids[at] == id;
      float* const change = changes.data() + static_cast<int64_t>(i - begin) * stride;
      float* const base = shared.base.row(id);
      for (int64_t k = 0; k < combined.width; ++k) {
        base[k] += combined.row(i)[k];
        change[k] = combined.row(i)[k] - (own ? sent.row(at)[k] : 0);
      }
      if (own) ++at;
    }
    scatter_add(*shared.matrix, combined.ids.data() + begin, static_cast<int64_t>(end - begin),
                changes.data(), std::numeric_limits<float>::infinity());
  }
}

std::optional<Evaluation> RowExchange::mean(const std::optional<Evaluation>& own) {
  std::vector<double> numbers{0, 0};  // weight, weighted score, weighted columns
  if (own && own->weight > 0) {
    numbers = {own->weight, own->weight * own->score};
    for (const double column : own->columns) numbers.push_back(own->weight * column);
  }
  numbers = sums(peers_, numbers);
  const double weight = numbers[0];
  if (weight == 0) return std::nullopt;
  for (double& number : numbers) number /= weight;
  return Evaluation{numbers[1], {numbers.begin() + 2, numbers.end()}, weight};
}

void RowExchange::write_checkpoint(const std::string& path, const Save& save) {
  write_part(path, ++checkpoints_, save, peers_);
}

void RowExchange::save(CheckpointWriter& file) const {
  file.put("exchange", Position{round_, rounds_, total_, checkpoints_, number_, passed_});
  for (const Shared& shared : shared_) shared.base.save("base", file);
}

void RowExchange::load(CheckpointReader& file) {
  const auto before = file.get<Position>("exchange");
  checkpoints_ = before.checkpoints;
  number_ = before.number;
  // The run stands at the point of the next exchange, and this is how often such points come now.
  const double more = (static_cast<double>(rounds_) / static_cast<double>(total_)) /
                      (static_cast<double>(before.rounds) / static_cast<double>(before.total));
  const auto next = static_cast<int64_t>(static_cast<double>(before.round + 1) * more);
  round_ = std::clamp<int64_t>(next - 1, 0, rounds_);
  passed_ = static_cast<int64_t>(static_cast<double>(before.passed) * more);
  for (Shared& shared : shared_) shared.base.load("base", file);
}

}  // namespace acevec
