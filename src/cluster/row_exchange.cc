#include "cluster/row_exchange.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <thread>
#include <utility>

#include "base/progress.h"
#include "cluster/checkpoint_parts.h"
#include "cluster/collectives.h"
#include "cluster/run_note.h"
#include "kernels/hogwild.h"
#include "math/aligned.h"

namespace acevec {
namespace {

constexpr int64_t kBatch = 256;  // rows that are read or changed together

bool is_exchanged(const Parameter& parameter) {
  return parameter.role != Role::kMemory && parameter.matrix->rows() > 0;
}

// What an owner makes of its rows, of which each process has sent some.
Rows combined_rows(std::span<const Rows> sent, const Combining& way) {
  Rows result{sent.front().width, {}, {}};
  std::vector<size_t> next(sent.size());
  std::vector<const float*> changes;
  for (;;) {
    int32_t id = std::numeric_limits<int32_t>::max();
    for (size_t i = 0; i < sent.size(); ++i) {
      if (next[i] < sent[i].ids.size()) id = std::min(id, sent[i].ids[next[i]]);
    }
    if (id == std::numeric_limits<int32_t>::max()) return result;
    changes.clear();
    for (size_t i = 0; i < sent.size(); ++i) {
      if (next[i] == sent[i].ids.size() || sent[i].ids[next[i]] != id) continue;
      changes.push_back(sent[i].row(next[i]++));
    }
    result.ids.push_back(id);
    result.values.resize(result.values.size() + static_cast<size_t>(result.width));
    combine(way, changes, result.width, result.row(result.ids.size() - 1));
  }
}

int64_t bytes_to_others(const std::vector<Bytes>& parcels, const Peers& peers) {
  int64_t bytes = 0;
  for (size_t i = 0; i < parcels.size(); ++i) {
    if (i != static_cast<size_t>(peers.rank())) bytes += static_cast<int64_t>(parcels[i].size());
  }
  return bytes;
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
  return round_ < rounds_ && static_cast<double>(done) / static_cast<double>(own_units_) >=
                                 static_cast<double>(round_ + 1) / static_cast<double>(rounds_);
}

void RowExchange::start(const RunNote& own) {
  ++round_;
  std::vector<std::vector<int32_t>> rows;
  for (const Shared& shared : shared_) rows.push_back(shared.schedule.due(round_));
  give_away(rows, settings_.wire, own);
}

// In parts, so that it takes little memory.
void RowExchange::complete() {
  constexpr int64_t kPart = 1 << 15;
  int64_t most = 0;
  for (const Shared& shared : shared_) most = std::max(most, shared.matrix->rows());
  for (int64_t begin = 0; begin < most; begin += kPart) {
    std::vector<std::vector<int32_t>> rows;
    for (const Shared& shared : shared_) {
      const int64_t end = std::clamp(begin + kPart, begin, std::max(begin, shared.matrix->rows()));
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
  wire_ = wire;
  std::vector<Bytes> parcels(static_cast<size_t>(peers_.count()));
  for (Bytes& parcel : parcels) put_note(parcel, own);
  std::vector<int64_t> widths;
  sent_.clear();
  for (size_t i = 0; i < shared_.size(); ++i) {
    sent_.push_back(changes(shared_[i], rows[i], wire));
    widths.push_back(shared_[i].matrix->columns());
    for (size_t owner = 0; owner < parcels.size(); ++owner) {
      put_rows(parcels[owner], sent_[i][owner], wire);
    }
  }
  const auto deal = [&peers = peers_,
                     way = Combining{settings_.combine, peers_.count(), settings_.rate_times}, wire,
                     widths](std::vector<Bytes> own_parcels) {
    Combined combined{{}, {}, bytes_to_others(own_parcels, peers)};
    std::vector<std::vector<Rows>> received(widths.size());  // [matrix][process]
    bool first = true;
    for (const Bytes& bytes : peers.trade(std::move(own_parcels))) {
      BytesReader reader(bytes);
      const RunNote note = get_note(reader);
      if (std::exchange(first, false)) {
        combined.note = note;
      } else {
        add_note(note, combined.note);
      }
      for (size_t i = 0; i < widths.size(); ++i) {
        received[i].push_back(get_rows(reader, widths[i], wire));
      }
    }
    Bytes result;
    for (std::vector<Rows>& sent : received) {
      Rows rows_combined = combined_rows(sent, way);
      sent.clear();
      round_to(wire, rows_combined.values);
      put_rows(result, rows_combined, wire);
    }
    combined.bytes += static_cast<int64_t>(result.size()) * (peers.count() - 1);
    combined.rows = gather(peers, result);
    return combined;
  };
  // Not std::async: if training fails here, the process must come to its end without the others.
  std::promise<Combined> promise;
  result_ = promise.get_future();
  std::thread([deal, out = std::move(promise), all = std::move(parcels)]() mutable {
    try {
      out.set_value(deal(std::move(all)));
    } catch (...) {
      out.set_exception(std::current_exception());
    }
  }).detach();
}

// How these rows differ from the base, for each owner; rows that do not are left out.
std::vector<Rows> RowExchange::changes(const Shared& shared, const std::vector<int32_t>& ids,
                                       Wire wire) const {
  const int64_t width = shared.matrix->columns();
  const int64_t stride = shared.matrix->stride();
  std::vector<Rows> changed(static_cast<size_t>(peers_.count()), Rows{width, {}, {}});
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
      Rows& own = changed[static_cast<size_t>(ids[i]) % changed.size()];
      own.ids.push_back(ids[i]);
      own.values.insert(own.values.end(), change.begin(), change.end());
    }
  }
  for (Rows& own : changed) round_to(wire, own.values);
  return changed;
}

RunNote RowExchange::finish() {
  const Stopwatch watch;
  result_.wait();
  cost_.waiting += watch.seconds();
  const Combined combined = result_.get();
  const Timer timer(&cost_.packing);
  for (size_t owner = 0; owner < combined.rows.size(); ++owner) {
    BytesReader reader(combined.rows[owner]);
    for (size_t i = 0; i < shared_.size(); ++i) {
      take_in(get_rows(reader, shared_[i].matrix->columns(), wire_), sent_[i][owner], shared_[i]);
    }
  }
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
    add_rows(*shared.matrix, combined.ids.data() + begin, static_cast<int64_t>(end - begin),
             changes.data(), std::numeric_limits<float>::infinity());
  }
}

std::optional<Evaluation> RowExchange::mean(const std::optional<Evaluation>& own) {
  Bytes bytes;
  put(bytes, own ? own->weight : 0.0);
  put(bytes, own ? own->score : 0.0);
  put_all(bytes, std::span<const double>(own ? own->columns : std::vector<double>{}));
  Evaluation all{0, {}, 0};
  for (const Bytes& one : gather(peers_, bytes)) {
    BytesReader reader(one);
    const auto weight = reader.get<double>();
    const auto score = reader.get<double>();
    const std::vector<double> columns = reader.get_all<double>();
    if (weight == 0) continue;
    all.weight += weight;
    all.score += weight * score;
    all.columns.resize(columns.size());
    for (size_t i = 0; i < columns.size(); ++i) all.columns[i] += weight * columns[i];
  }
  if (all.weight == 0) return std::nullopt;
  all.score /= all.weight;
  for (double& column : all.columns) column /= all.weight;
  return all;
}

void RowExchange::write_checkpoint(const std::string& path, const Save& save) {
  write_part(path, round_, save, peers_);
}

void RowExchange::save(CheckpointWriter& file) const {
  file.put("exchange", Position{round_, rounds_, total_});
  for (const Shared& shared : shared_) shared.base.save("base", file);
}

void RowExchange::load(CheckpointReader& file) {
  const auto before = file.get<Position>("exchange");
  // The run stands at the point of the next exchange, and this is how often such points come now.
  const double more = (static_cast<double>(rounds_) / static_cast<double>(total_)) /
                      (static_cast<double>(before.rounds) / static_cast<double>(before.total));
  const auto next = static_cast<int64_t>(static_cast<double>(before.round + 1) * more);
  round_ = std::clamp<int64_t>(next - 1, 0, rounds_);
  for (Shared& shared : shared_) shared.base.load("base", file);
}

}  // namespace acevec
