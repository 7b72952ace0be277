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
#include "cluster/rows.h"
#include "kernels/hogwild.h"
#include "optim/optimizer.h"
#include "train/exchange.h"

namespace acevec {

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
