// The exchange of a run's parameters, row by row.
//
// Each process has the base, the rows on which all processes last agreed, in addition to the rows
// that it trains. At an exchange it sends the changed rows that are due, as differences from the
// base, to the rows' owners. An owner combines the differences of a row and sends the result to all
// processes. Each process adds the result to the base, and the result minus its own contribution to
// the rows that it trains. So steps taken in the meantime are kept, and rounding errors are sent
// with the next exchange.
//
// An exchange may take longer than training up to the next point. If all processes have passed
// further points, the next exchange replaces those of all of them, so exchanges do not fall behind.
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

// Sends each row about as often as it changes.
class RowSchedule {
 public:
  // `changes`: approximate number of changes of each row between exchanges; empty: all `rows` rows
  // always change. A row takes part in every 2^k-th exchange, with the smallest k for which it
  // changes at least `wanted` times in between, but at least in every `rarest`-th.
  RowSchedule(int64_t rows, const std::vector<double>& changes, double wanted, int64_t rarest);

  // The rows of exchange number `round`, in increasing order. Rows that take part in every 2^k-th
  // exchange are spread evenly over the exchanges.
  std::vector<int32_t> due(int64_t round) const;

 private:
  std::vector<std::vector<int32_t>> levels_;  // [k]: the rows of every 2^k-th exchange
};

// The format of numbers on the wire.
enum class Wire {
  kFloat,
  kBfloat16,  // the upper half of a float, 8 significant bits: half the bytes
};

// Changes of rows in the format of messages.
struct Rows {
  int64_t width;  // numbers in a row
  Wire wire;
  Items<uint16_t> items;  // a group is a row, its id and its numbers; counts[p] are for, or from,
                          // process p

  // The process that combines the changes of a row.
  int owner(int32_t id) const { return id % static_cast<int>(items.counts.size()); }

  // Appends a row; rows must be appended in the order of their owners.
  void add(int32_t id, const float* values);

  size_t group() const;  // items of a row
  size_t size() const { return items.items.size() / group(); }
  int32_t id(size_t i) const;
  void read(size_t i, float* values) const;  // as rounded for the wire

  // Send each row to its owner, or all rows to all. Return the rows that this process received. Add
  // the number of bytes sent to others to `bytes`.
  Rows to_owners(Peers& peers, int64_t& bytes) const;
  Rows to_all(Peers& peers, int64_t& bytes) const;
};

// Combines the processes' changes δ_i of each row to Σ δ_i · min(1 / times, Σ |δ_i|² / |Σ δ_i|²),
// where `times` is the ratio of a process's learning rate to that of a single process. Changes of
// rare rows are small and in different directions: the result is their sum, the change that a
// single process would have made. Changes of frequent rows are alike in all processes and as long
// as in a single one: the result is their average. It is addressed to all processes.
Rows combine(const Rows& changes, double times);

struct ExchangeSettings {
  int64_t every{};              // units that a process trains between exchanges
  double changes{};             // approximate number of a row's changes between its exchanges
  int64_t times_in_epoch = 4;   // least number of exchanges per epoch of a row that changes
  Wire wire = Wire::kBfloat16;  // the last exchange sends floats
  double rate_times = 1;        // ratio of a process's learning rate to that of a single process
};

class RowExchange : public Exchange {
 public:
  // Inputs; peers and matrices must outlive the exchange.
  struct Parts {
    Peers& peers;
    ExchangeSettings settings;
    std::vector<Parameter> parameters;  // exchanged unless Role::kMemory
    // The approximate frequency of each word per unit. In matrices with at least this many rows,
    // frequent rows are exchanged often and rare ones rarely. Rows of other matrices are exchanged
    // each time.
    std::vector<double> frequencies;
    int64_t own_units;   // units of this process's run
    int64_t own_pieces;  // its pieces; there are at most as many exchanges as a process has pieces
    int64_t epochs;
  };

  // Must be constructed before training, while all processes have the same parameters.
  explicit RowExchange(const Parts& parts);

  int64_t total() const override { return at_.total; }
  bool due(int64_t done) const override { return at_.round < points_passed(done); }
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
    double packing = 0;  // seconds of packing and unpacking changes
    double waiting = 0;  // seconds of waiting for the network
  };
  const Cost& cost() const { return cost_; }

 private:
  struct Shared {  // an exchanged matrix
    void prefetch(int32_t id) const {
      prefetch_rows(*matrix, &id, 1);
      prefetch_rows(base, &id, 1);
    }
    Matrix* matrix;
    Matrix base;
    RowSchedule schedule;
  };
  struct Position {       // position in the run, as saved in checkpoints
    int64_t round;        // the point of the last exchange
    int64_t rounds;       // points in the whole run
    int64_t total;        // units
    int64_t checkpoints;  // written so far
    int64_t number;       // number of the last exchange; fewer than points if these come too fast
    int64_t passed;       // points known to be passed by all processes when it began
  };
  struct Combined {  // the result of an exchange
    RunNote note;
    int64_t passed;                // points passed by all processes
    std::vector<Rows> sent, rows;  // of each matrix: sent from here, and combined by all owners
    int64_t bytes = 0;
  };

  int64_t points_passed(int64_t done) const;
  void start_exchange(const std::function<std::vector<int32_t>(const Shared&)>& rows, Wire wire,
                      const RunNote& own);
  Rows changes(const Shared& shared, std::vector<int32_t> ids, Wire wire) const;
  void apply(const Rows& combined, const Rows& sent, Shared& shared) const;

  Peers& peers_;
  ExchangeSettings settings_;
  int64_t own_units_;
  Position at_{};
  std::vector<Shared> shared_;
  std::future<Combined> result_;  // result of the exchange under way
  Cost cost_;
};

}  // namespace acevec
