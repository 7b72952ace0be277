// The exchange of a run's parameters, a row at a time.
//
// Each process holds the base, the rows that all processes last agreed on, beside the rows that it
// trains. At an exchange it sends the changed rows that are due, as their difference from the base,
// to the rows' owners. An owner combines the differences of a row and sends the result to all
// processes. Each process adds the result to the base, and the result minus its own contribution to
// the rows that it trains. So steps taken in the meantime are kept, and rounding errors are sent
// with the next exchange.
//
// An exchange may take longer than the threads train until the point of the next. When all
// processes have passed further points, the next exchange stands for all of these, so it does not
// fall behind.
#pragma once

#include <cstdint>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "cluster/peers.h"
#include "kernels/hogwild.h"
#include "optim/optimizer.h"
#include "train/exchange.h"

namespace acevec {

// Each row is sent about as often as it changes.
class RowSchedule {
 public:
  // `changes`: for each row, about how often it changes from one exchange to the next; empty: all
  // `rows` rows always do. A row takes part in every 2^k-th exchange, k the least with which it
  // changes at least `wanted` times in between, but in every `rarest`-th at least.
  RowSchedule(int64_t rows, const std::vector<double>& changes, double wanted, int64_t rarest);

  // The rows of exchange number `round`, in increasing order. Of the rows that take part in every
  // 2^k-th exchange, an equal share comes each time.
  std::vector<int32_t> due(int64_t round) const;

 private:
  std::vector<std::vector<int32_t>> levels_;  // [k]: the rows of every 2^k-th exchange
};

// The format of numbers on the wire.
enum class Wire {
  kFloat,
  kBfloat16,  // the upper half of a float, 8 bits of precision: half the bytes
};

// Changes of rows, as they travel.
struct Rows {
  int64_t width;  // numbers of a row
  Wire wire;
  Items<uint16_t> items;  // a group is a row: its id and its numbers; counts[p] are for, or from,
                          // process p

  // The process that combines the changes of a row.
  int owner(int32_t id) const { return id % static_cast<int>(items.counts.size()); }

  // Appends a row; rows come in the order of their owners.
  void add(int32_t id, const float* values);

  size_t group() const;  // items of a row
  size_t size() const { return items.items.size() / group(); }
  int32_t id(size_t i) const;
  void read(size_t i, float* values) const;  // as rounded for the wire

  // Send each row to its owner, or all rows to all. Return the rows that came to this process. Add
  // the bytes that went to others.
  Rows to_owners(Peers& peers, int64_t& bytes) const;
  Rows to_all(Peers& peers, int64_t& bytes) const;
};

// Combines the processes' changes δ_i of each row to
// Σ δ_i · min(1 / times, Σ |δ_i|² / |Σ δ_i|²), where each process's learning rate is `times` that
// of one alone. Rare rows change little and in different directions: there the sum is the change
// that one process would have made. Frequent rows of all processes go the same way, as far as in
// one process alone: there this is the average. The result is for all processes.
Rows combine(const Rows& changes, double times);

struct ExchangeSettings {
  int64_t every{};              // units that a process trains from one exchange to the next
  double changes{};             // about the number of changes of a row between its exchanges
  int64_t times_in_epoch = 4;   // the least number of exchanges of a row that changes
  Wire wire = Wire::kBfloat16;  // the last exchange sends floats
  double rate_times = 1;        // the learning rate of a process, divided by that of one alone
};

class RowExchange : public Exchange {
 public:
  // Inputs; peers and matrices must outlive the exchange.
  struct Parts {
    Peers& peers;
    ExchangeSettings settings;
    std::vector<Parameter> parameters;  // of which those without Role::kMemory are exchanged
    // About how often each word occurs in a unit. In matrices with that many rows or more, frequent
    // rows are exchanged often and rare ones rarely. Rows of others are exchanged each time.
    std::vector<double> frequencies;
    int64_t own_units;   // of this process's run
    int64_t own_pieces;  // of it; there are at most as many exchanges as a process has pieces
    int64_t epochs;
  };

  // To be made before training, while all processes have the same parameters.
  explicit RowExchange(const Parts& parts);

  int64_t total() const override { return at_.total; }
  bool due(int64_t done) const override;
  void start(const RunNote& own) override;
  bool under_way() const override { return result_.valid(); }
  RunNote finish() override;
  void complete() override;
  std::optional<Evaluation> mean(const std::optional<Evaluation>& own) override;
  void write_checkpoint(const std::string& path, const Save& save) override;
  void save(CheckpointWriter& file) const override;
  void load(CheckpointReader& file) override;

  // The cost so far.
  struct Cost {
    int64_t rounds = 0;
    int64_t bytes = 0;   // sent to other processes
    double packing = 0;  // processor seconds for changes going out and coming in
    double waiting = 0;  // and for the network
  };
  const Cost& cost() const { return cost_; }

 private:
  struct Shared {  // a matrix
    void prefetch(int32_t id) const {
      prefetch_rows(*matrix, &id, 1);
      prefetch_rows(base, &id, 1);
    }
    Matrix* matrix;
    Matrix base;
    RowSchedule schedule;
  };
  struct Position {       // in the run, as checkpoints hold it
    int64_t round;        // the point of the last exchange
    int64_t rounds;       // in the whole run
    int64_t total;        // units
    int64_t checkpoints;  // written so far
    int64_t number;       // of exchanges: fewer than points, when these came too fast
    int64_t passed;       // points, by all processes when it began, as far as is known
  };
  struct Combined {  // the result of an exchange
    RunNote note;
    int64_t passed;                // points, by all processes
    std::vector<Rows> sent, rows;  // of each matrix: from here, and combined from all owners
    int64_t bytes = 0;
  };

  int64_t points_passed(int64_t done) const;
  void give_away(const std::function<std::vector<int32_t>(const Shared&)>& rows, Wire wire,
                 const RunNote& own);
  Rows changes(const Shared& shared, std::vector<int32_t> ids, Wire wire) const;
  void take_in(const Rows& combined, const Rows& sent, Shared& shared) const;

  Peers& peers_;
  ExchangeSettings settings_;
  int64_t own_units_;
  Position at_{};
  std::vector<Shared> shared_;
  std::future<Combined> result_;  // of the exchange under way
  Cost cost_;
};

}  // namespace acevec
