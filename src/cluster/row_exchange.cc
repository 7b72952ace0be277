#include "cluster/row_exchange.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <numeric>
#include <thread>
#include <utility>

#include "base/progress.h"
#include "cluster/checkpoint_parts.h"
#include "kernels/bfloat16.h"
#include "math/aligned.h"

namespace acevec {
namespace {

constexpr size_t kIdHalves = sizeof(int32_t) / sizeof(uint16_t);

// Several independent sums, to avoid waiting for each addition.
double square(const std::vector<float>& row) {
  constexpr size_t kSums = 8;
  double sums[kSums] = {};
  for (size_t k = 0; k < row.size(); ++k) sums[k % kSums] += static_cast<double>(row[k]) * row[k];
  return std::accumulate(std::begin(sums), std::end(sums), 0.0);
}

constexpr size_t kAhead = 8;  // rows prefetched ahead

// Summed in rank order, so that all processes have identical results.
Sums sums_of_all(const Sums& own, Peers& peers) {
  std::vector<Mean> means{own.loss};
  means.insert(means.end(), own.means.begin(), own.means.end());
  Sums all;
  for (const auto& each : gather_lists(peers, means)) {
    all += {each.front(), {each.begin() + 1, each.end()}};
  }
  return all;
}

// The combined note of all processes.
RunNote note_of_all(const RunNote& own, Peers& peers) {
  const std::vector<Due> due = gather(peers, own.due);
  RunNote all{peers.allreduce_sum(own.done), sums_of_all(own.sums, peers), due[0]};
  all.due.signal = std::ranges::max(due, {}, &Due::signal).signal;
  return all;
}

}  // namespace

RowSchedule::RowSchedule(int64_t rows, const std::vector<double>& changes, double wanted,
                         int64_t rarest)
    : levels_(1) {
  for (int64_t row = 0; row < rows; ++row) {
    // Rows without a frequency are treated like the last one.
    const int64_t known = std::min(row, std::ssize(changes) - 1);
    double expected = changes.empty() ? wanted : changes[static_cast<size_t>(known)];
    size_t level = 0;
    for (int64_t period = 2; period <= rarest && expected < wanted; period *= 2) {
      ++level;
      expected *= 2;
    }
    levels_.resize(std::max(levels_.size(), level + 1));
    levels_[level].push_back(static_cast<int32_t>(row));
  }
}

std::vector<int32_t> RowSchedule::due(int64_t round) const {
  std::vector<int32_t> rows;
  for (size_t level = 0; level < levels_.size(); ++level) {
    const std::vector<int32_t>& all = levels_[level];
    const size_t period = size_t{1} << level;
    for (size_t i = static_cast<size_t>(round) % period; i < all.size(); i += period) {
      rows.push_back(all[i]);
    }
  }
  std::ranges::sort(rows);
  return rows;
}

size_t Rows::group() const {
  return kIdHalves + static_cast<size_t>(width) * (wire == Wire::kFloat ? 2 : 1);
}

void Rows::add(int32_t id, const float* values) {
  ++items.counts[static_cast<size_t>(owner(id))];
  const size_t end = items.items.size();
  items.items.resize(end + group());
  uint16_t* const to = items.items.data() + end;
  std::memcpy(to, &id, sizeof id);
  if (wire == Wire::kFloat) {
    std::memcpy(to + kIdHalves, values, static_cast<size_t>(width) * sizeof(float));
  } else {
    for (int64_t k = 0; k < width; ++k)
      to[kIdHalves + static_cast<size_t>(k)] = to_bfloat16(values[k]);
  }
}

int32_t Rows::id(size_t i) const {
  int32_t id = 0;
  std::memcpy(&id, items.items.data() + i * group(), sizeof id);
  return id;
}

void Rows::read(size_t i, float* values) const {
  const uint16_t* const from = items.items.data() + i * group() + kIdHalves;
  if (wire == Wire::kFloat) {
    std::memcpy(values, from, static_cast<size_t>(width) * sizeof(float));
  } else {
    for (int64_t k = 0; k < width; ++k) values[k] = from_bfloat16(from[k]);
  }
}

Rows Rows::to_owners(Peers& peers, int64_t& bytes) const {
  const auto own = static_cast<size_t>(items.counts[static_cast<size_t>(peers.rank())]);
  bytes += static_cast<int64_t>((size() - own) * group() * sizeof(uint16_t));
  return {width, wire, all_to_all(peers, items, group())};
}

Rows Rows::to_all(Peers& peers, int64_t& bytes) const {
  bytes += static_cast<int64_t>(items.items.size() * sizeof(uint16_t)) * (peers.count() - 1);
  return {width, wire, gather_all(peers, items.items, group())};
}

Rows combine(const Rows& changes, double times) {
  const auto id_of = [&](size_t i) { return changes.id(i); };
  std::vector<size_t> order(changes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, id_of);  // stable: rows with equal ids stay in rank order
  Rows result{changes.width, changes.wire, {std::vector<int>(changes.items.counts.size()), {}}};
  std::vector<float> row(static_cast<size_t>(changes.width)), change(row.size());
  for (auto at = order.begin(); at != order.end();) {
    const int32_t id = id_of(*at);
    std::ranges::fill(row, 0.0F);
    double sum_of_squares = 0;
    for (; at != order.end() && id_of(*at) == id; ++at) {
      changes.read(*at, change.data());
      for (size_t k = 0; k < row.size(); ++k) row[k] += change[k];
      sum_of_squares += square(change);
    }
    const double square_of_sum = square(row), most = 1 / times;  // square_of_sum may be 0
    const auto scale = static_cast<float>(
        square_of_sum * most > sum_of_squares ? sum_of_squares / square_of_sum : most);
    for (float& number : row) number *= scale;
    result.add(id, row.data());
  }
  return result;
}

RowExchange::RowExchange(const Parts& parts)
    : peers_(parts.peers), settings_(parts.settings), own_units_(parts.own_units) {
  at_.total = peers_.allreduce_sum(own_units_);
  const int64_t units_between = peers_.allreduce_sum(std::min(settings_.every, at_.total));
  // Exchanges take place only after pieces.
  const int64_t most = std::ranges::max(gather(peers_, parts.own_pieces));
  at_.rounds =
      std::max(parts.epochs, std::min((at_.total + units_between - 1) / units_between, most));
  const double units =
      static_cast<double>(at_.total) / peers_.count() / static_cast<double>(at_.rounds);
  const int64_t rarest = std::max<int64_t>(1, at_.rounds / parts.epochs / settings_.times_in_epoch);
  for (const Parameter& parameter : parts.parameters) {
    Matrix& matrix = *parameter.matrix;
    if (parameter.role == Role::kMemory || matrix.rows() == 0) continue;
    const bool of_words = matrix.rows() >= std::ssize(parts.frequencies);
    shared_.push_back(
        {&matrix, Matrix(matrix.rows(), matrix.columns()),
         RowSchedule(matrix.rows(), of_words ? parts.frequencies : std::vector<double>{},
                     settings_.changes / units, rarest)});
    std::copy(matrix.row(0), matrix.row(matrix.rows()), shared_.back().base.row(0));
  }
}

// The number of points that this process has passed; points are at the same fraction of each
// process's run.
int64_t RowExchange::points_passed(int64_t done) const {
  return static_cast<int64_t>(static_cast<double>(done) * static_cast<double>(at_.rounds) /
                              static_cast<double>(own_units_));
}

void RowExchange::start(const RunNote& own) {
  at_.round = std::max(at_.round + 1, at_.passed);
  ++at_.number;
  start_exchange([&](const Shared& shared) { return shared.schedule.due(at_.number); },
                 settings_.wire, own);
}

// In parts, to limit memory.
void RowExchange::complete() {
  constexpr int64_t kRowsAtOnce = 1 << 15;
  int64_t most = 0;
  for (const Shared& shared : shared_) most = std::max(most, shared.matrix->rows());
  for (int64_t begin = 0; begin < most; begin += kRowsAtOnce) {
    const auto next = [&](const Shared& shared) {
      const int64_t left = std::max<int64_t>(0, shared.matrix->rows() - begin);
      std::vector<int32_t> ids(static_cast<size_t>(std::min(kRowsAtOnce, left)));
      std::iota(ids.begin(), ids.end(), static_cast<int32_t>(begin));
      return ids;
    };
    start_exchange(next, Wire::kFloat, {});
    finish();
  }
}

// Computes the changes of the given rows of each matrix, and starts a thread that exchanges them.
void RowExchange::start_exchange(const std::function<std::vector<int32_t>(const Shared&)>& rows,
                                 Wire wire, const RunNote& own) {
  const Stopwatch watch;
  std::vector<Rows> sent;
  for (const Shared& shared : shared_) sent.push_back(changes(shared, rows(shared), wire));
  cost_.packing += watch.seconds();
  std::packaged_task<Combined()> task([&peers = peers_, sent = std::move(sent), own,
                                       times = settings_.rate_times,
                                       passed = points_passed(own.done)]() mutable {
    Combined all{note_of_all(own, peers), std::ranges::min(gather(peers, passed)), {}, {}};
    for (const Rows& own_rows : sent) {
      const Rows changes = own_rows.to_owners(peers, all.bytes);
      all.rows.push_back(combine(changes, times).to_all(peers, all.bytes));
    }
    all.sent = std::move(sent);
    return all;
  });
  result_ = task.get_future();
  // Not std::async: if training fails here, the process must end without the others. The thread
  // uses nothing of this object, and peers() are never destroyed; abort_job() ends it with the
  // process.
  std::thread(std::move(task)).detach();
}

// The differences of these rows from the base, in the order of owners, without unchanged rows.
Rows RowExchange::changes(const Shared& shared, std::vector<int32_t> ids, Wire wire) const {
  const int64_t width = shared.matrix->columns();
  Rows changed{width, wire, {std::vector<int>(static_cast<size_t>(peers_.count())), {}}};
  std::ranges::stable_sort(ids, {}, [&](int32_t id) { return changed.owner(id); });
  changed.items.items.reserve(ids.size() * changed.group());
  AlignedFloats row(shared.matrix->stride());
  for (size_t i = 0; i < ids.size(); ++i) {
    if (i + kAhead < ids.size()) shared.prefetch(ids[i + kAhead]);
    const int32_t id = ids[i];
    gather_rows(*shared.matrix, &id, 1, row.data());
    float* const end = row.data() + width;
    if (std::equal(row.data(), end, shared.base.row(id))) continue;
    std::transform(row.data(), end, shared.base.row(id), row.data(), std::minus<>());
    changed.add(id, row.data());
  }
  return changed;
}

RunNote RowExchange::finish() {
  const Stopwatch watch;
  result_.wait();
  const double waited = watch.seconds();
  const Combined combined = result_.get();
  for (size_t i = 0; i < shared_.size(); ++i) {
    apply(combined.rows[i], combined.sent[i], shared_[i]);
  }
  cost_.waiting += waited;
  cost_.packing += watch.seconds() - waited;
  at_.passed = combined.passed;
  cost_.bytes += combined.bytes;
  ++cost_.rounds;
  return combined.note;
}

// Adds the result of an exchange to the base, and the result minus the sent rows to the matrix.
void RowExchange::apply(const Rows& combined, const Rows& sent, Shared& shared) const {
  const int64_t width = shared.matrix->columns();
  AlignedFloats change(shared.matrix->stride()), own(width);
  size_t at = 0;  // index in `sent`
  for (size_t i = 0; i < combined.size(); ++i) {
    if (i + kAhead < combined.size()) shared.prefetch(combined.id(i + kAhead));
    const int32_t id = combined.id(i);
    float* const agreed = change.data();
    combined.read(i, agreed);
    std::transform(agreed, agreed + width, shared.base.row(id), shared.base.row(id), std::plus<>());
    if (at < sent.size() && sent.id(at) == id) {
      sent.read(at++, own.data());
      std::transform(agreed, agreed + width, own.data(), agreed, std::minus<>());
    }
    scatter_add(*shared.matrix, &id, 1, change.data(), std::numeric_limits<float>::infinity());
  }
}

std::optional<Evaluation> RowExchange::mean(const std::optional<Evaluation>& own) {
  Sums sums;  // weighted score and columns
  if (own && own->weight > 0) {
    const auto weighted = [&](double value) { return Mean{own->weight * value, own->weight}; };
    sums.loss = weighted(own->score);
    std::ranges::transform(own->columns, std::back_inserter(sums.means), weighted);
  }
  sums = sums_of_all(sums, peers_);
  if (sums.loss.count == 0) return std::nullopt;
  Evaluation mean{sums.loss.value(), {}, sums.loss.count};
  for (const Mean& column : sums.means) mean.columns.push_back(column.value());
  return mean;
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
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max() / 2;  // leaves room to grow
  const auto is_within = [](int64_t value, int64_t most) { return value >= 0 && value <= most; };
  file.require("exchange",
               before.rounds > 0 && before.rounds <= before.total && before.total <= at_.total &&
                   is_within(before.round, before.rounds) &&
                   is_within(before.passed, before.rounds) &&
                   is_within(before.checkpoints, kMost) && is_within(before.number, kMost));
  at_.checkpoints = before.checkpoints;
  at_.number = before.number;
  // The run is at the point of the next exchange; `more` rescales points to their present number.
  const double more = (static_cast<double>(at_.rounds) / static_cast<double>(at_.total)) /
                      (static_cast<double>(before.rounds) / static_cast<double>(before.total));
  const auto next = static_cast<int64_t>(static_cast<double>(before.round + 1) * more);
  at_.round = std::clamp<int64_t>(next - 1, 0, at_.rounds);
  at_.passed = static_cast<int64_t>(static_cast<double>(before.passed) * more);
  for (Shared& shared : shared_) shared.base.load("base", file);
}

}  // namespace acevec
