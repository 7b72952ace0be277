// Tests of cluster/row_exchange: what processes come to know of each other's steps, and runs in
// several processes that are stopped and resumed.

#include "cluster/row_exchange.h"

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <limits>
#include <memory>
#include <mutex>
#include <string>

#include "base/error.h"
#include "cluster/checkpoint_parts.h"
#include "cluster/thread_peers.h"
#include "container.h"
#include "temporary_folder.h"
#include "train/run.h"
#include "train/toy_task.h"

namespace acevec {
namespace {

ExchangeSettings settings_with(Wire wire) {
  return {.every = 100, .changes = 0, .wire = wire};
}

std::vector<float> floats_of(const Matrix& matrix) {
  return {matrix.row(0), matrix.row(matrix.rows())};
}

// One process's run of the toy task, which begins anew or at a checkpoint.
struct ToyProcess {
  static constexpr int64_t kEpochs = 20;

  RunSettings settings;
  TaskDescription description = describe_toy();
  std::optional<CheckpointReader> checkpoint;
  RunFiles files;
  Progress progress{true};
  ToyTask task{5};
  RowExchange exchange;
  std::vector<Identity> identities;
  Run run;

  ToyProcess(Peers& peers, const RunSettings& wanted, const ExchangeSettings& how,
             const std::string& resumed = "")
      : settings(own_settings(peers, wanted)),
        checkpoint(open(resumed, peers)),
        files(settings, description, checkpoint ? checkpoint->path() : ""),
        exchange({peers,
                  how,
                  task.parameters(),
                  {},
                  kEpochs * task.units(),
                  kEpochs * task.pieces(),
                  kEpochs}),
        run({task, description, settings, identities, files, progress, &exchange}) {
    if (!checkpoint) return;
    checkpoint->get<CheckpointPart>("process");
    std::string skipped;
    checkpoint->get("command", skipped);
    checkpoint->get<int64_t>("options");
  }

  static RunSettings own_settings(const Peers& peers, RunSettings settings) {
    settings.plan = {1, 3, kEpochs, {0.1, 0.001}};
    settings.plan.first_piece = peers.rank() * ToyTask::kRows;
    if (settings.checkpoint_every.part == 0) settings.checkpoint_every = {.part = 0.13};
    settings.debug = 0;
    settings.checkpoint_suffix = part_suffix(peers);
    return settings;
  }
  static std::optional<CheckpointReader> open(const std::string& resumed, Peers& peers) {
    if (resumed.empty()) return std::nullopt;
    return std::optional<CheckpointReader>(std::in_place, part_to_resume(resumed, peers));
  }

  void train() {
    run.start(checkpoint);
    run.train();
  }
  std::vector<float> result() {
    std::vector<float> all = floats_of(*task.parameters()[0].matrix);
    const std::vector<float> more = floats_of(*task.parameters()[1].matrix);
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

}  // namespace

TEST_CASE("after an exchange all have what was sent, and steps taken meanwhile are kept") {
  for (const Wire wire : {Wire::kFloat, Wire::kBfloat16}) {
    among_peers(3, [&](Peers& peers) {
      Matrix matrix(300, 5);
      Matrix memory(300, 5);
      RowExchange exchange({peers,
                            settings_with(wire),
                            {{"m", &matrix, Role::kResult}, {"memory", &memory, Role::kMemory}},
                            {},
                            1000,
                            10,
                            1});
      CHECK(exchange.total() == 3000);
      // Row 0 is changed by all, each in its own direction, row 1 + rank by one, the others by
      // none.
      const auto rank = peers.rank();
      matrix.row(0)[rank] = 1;
      matrix.row(1 + rank)[4] = 0.5F;
      memory.row(7)[0] = static_cast<float>(rank);
      RunNote own;
      own.done = 10 * rank;
      exchange.start(own);
      matrix.row(0)[rank] += 0.25F;  // meanwhile
      matrix.row(299)[rank] = 1;
      const RunNote note = exchange.finish();
      CHECK(note.done == 30);
      for (int k = 0; k < 3; ++k) {
        CHECK(matrix.row(0)[k] == (k == rank ? 1.25F : 1));
        CHECK(matrix.row(299)[k] == (k == rank ? 1 : 0));
        CHECK(matrix.row(1 + k)[4] == 0.5F);
      }
      CHECK(memory.row(7)[0] == static_cast<float>(rank));
      exchange.complete();
      for (int k = 0; k < 3; ++k) {
        CHECK(matrix.row(0)[k] == 1.25F);
        CHECK(matrix.row(299)[k] == 1);
      }
      CHECK(exchange.cost().bytes > 0);
    });
  }
}

TEST_CASE("what rounding leaves out is sent with the next exchange") {
  among_peers(2, [&](Peers& peers) {
    Matrix matrix(1, 1);
    RowExchange exchange(
        {peers, settings_with(Wire::kBfloat16), {{"m", &matrix, Role::kResult}}, {}, 1000, 10, 1});
    constexpr float kStep = 1.00123F;  // no bfloat16
    for (int i = 0; i < 100; ++i) {
      if (peers.rank() == 0) matrix.row(0)[0] += kStep;
      exchange.start({});
      exchange.finish();
    }
    CHECK(matrix.row(0)[0] == doctest::Approx(100 * kStep).epsilon(0.001));
    exchange.complete();
    CHECK(matrix.row(0)[0] == doctest::Approx(100 * kStep).epsilon(1e-5));
  });
}

namespace {

// How many exchanges a process of three has whose run has 1000, 2000 or 3000 units, as many pieces
// as that divided by `piece`, and an exchange after `every` units.
int rounds_of(Peers& peers, int64_t every, int64_t piece) {
  Matrix matrix(1, 1);
  const int64_t own = 1000 * (1 + peers.rank());
  ExchangeSettings settings = settings_with(Wire::kFloat);
  settings.every = every;
  RowExchange exchange({peers, settings, {{"m", &matrix, Role::kResult}}, {}, own, own / piece, 1});
  int rounds = 0;
  CHECK_FALSE(exchange.due(0));
  for (int64_t done = 0; done <= own; done += piece) {
    while (exchange.due(done)) {
      exchange.start({});
      exchange.finish();
      ++rounds;
    }
  }
  return rounds;
}

}  // namespace

TEST_CASE("processes come to their points as often, however long their texts are") {
  // 6000 units, 3 × 100 at once.
  among_peers(3, [&](Peers& peers) { CHECK(rounds_of(peers, 100, 100) == 20); });
}

TEST_CASE("there are no more exchanges than the process with the most pieces has pieces") {
  among_peers(3, [&](Peers& peers) { CHECK(rounds_of(peers, 1, 500) == 6); });
}

TEST_CASE("an interval of any length is one exchange an epoch") {
  among_peers(3, [&](Peers& peers) {
    CHECK(rounds_of(peers, std::numeric_limits<int64_t>::max(), 100) == 1);
  });
}

TEST_CASE("exchanges that take longer than the threads do not fall behind") {
  const TemporaryFolder folder;
  among_peers(3, [&](Peers& peers) {
    Matrix matrix(1, 1);
    const auto make = [&] {
      return std::make_unique<RowExchange>(RowExchange::Parts{
          peers, settings_with(Wire::kFloat), {{"m", &matrix, Role::kResult}}, {}, 1000, 1000, 1});
    };
    const auto exchange_at = [](RowExchange& exchange, int64_t done) {
      CHECK(exchange.due(done));
      RunNote own;
      own.done = done;
      exchange.start(own);
      exchange.finish();
    };
    auto exchange = make();  // a point after every 100
    exchange_at(*exchange,
                500 + 100 * peers.rank());  // of 5 points that all have passed, the first
    const std::string path = folder.path("ck" + std::to_string(peers.rank()));
    exchange->write_checkpoint(path, [&](CheckpointWriter& file) { exchange->save(file); });
    for (const bool resumed : {false, true}) {
      if (resumed) {
        CheckpointReader file(path);
        file.get<CheckpointPart>("process");
        exchange = make();
        exchange->load(file);
      }
      exchange_at(*exchange, 800);  // the 2nd to the 5th
      CHECK(exchange->due(600));
      CHECK_FALSE(exchange->due(599));
      exchange_at(*exchange, 1000);
      CHECK_FALSE(exchange->due(899));
      exchange_at(*exchange, 1000);
      CHECK_FALSE(exchange->due(1000));
    }
  });
}

TEST_CASE("a place in the run that cannot be is refused") {
  const TemporaryFolder folder;
  among_peers(1, [&](Peers& peers) {
    Matrix matrix(1, 1);
    RowExchange exchange(
        {peers, settings_with(Wire::kFloat), {{"m", &matrix, Role::kResult}}, {}, 1000, 1000, 1});
    CheckpointWriter file(folder.path("ck"));
    exchange.save(file);
    file.commit();
    const std::string bytes = folder.read("ck");
    for (size_t place = 0; place < 6; ++place) {
      for (const int64_t value : {int64_t{-1}, std::numeric_limits<int64_t>::max()}) {
        CheckpointReader read(folder.write("read", forged(bytes, "exchange", place, value)));
        CHECK_THROWS_AS(exchange.load(read), Error);
      }
    }
  });
}

TEST_CASE("a run that goes on with other threads has the exchanges that are left of it") {
  const TemporaryFolder folder;
  struct Case {
    int64_t every;  // units, before that 100 in a run of 3 × 1000
    int64_t stops;  // own units at the checkpoint, a point at which it has not exchanged yet
    int rounds;     // still to come
  };
  for (const Case& other : {Case{100, 600, 5}, Case{200, 600, 3}, Case{200, 500, 4},
                            Case{50, 600, 9}, Case{1000, 600, 1}, Case{300, 900, 2}}) {
    CAPTURE(other.every);
    CAPTURE(other.stops);
    among_peers(3, [&](Peers& peers) {
      Matrix matrix(1, 1);
      const auto exchange_after = [&](int64_t every) {
        ExchangeSettings settings = settings_with(Wire::kFloat);
        settings.every = every;
        return std::make_unique<RowExchange>(RowExchange::Parts{
            peers, settings, {{"m", &matrix, Role::kResult}}, {}, 1000, 1000, 1});
      };
      const auto exchanges = [](RowExchange& exchange, int64_t done) {
        int rounds = 0;
        for (; exchange.due(done); ++rounds) {
          exchange.start({});
          exchange.finish();
        }
        return rounds;
      };
      const std::string path = folder.path("ck" + std::to_string(peers.rank()));
      const auto before = exchange_after(100);
      CHECK(exchanges(*before, other.stops - 1) == (other.stops - 1) / 100);
      before->write_checkpoint(path, [&](CheckpointWriter& file) { before->save(file); });
      CheckpointReader file(path);
      file.get<CheckpointPart>("process");
      const auto after = exchange_after(other.every);
      after->load(file);
      int rounds = 0;
      for (int64_t done = other.stops; done <= 1000; done += 10) rounds += exchanges(*after, done);
      CHECK(rounds == other.rounds);
      after->write_checkpoint(path, [&](CheckpointWriter& more) { after->save(more); });
      CHECK(CheckpointReader(path).get<CheckpointPart>("process").number == 2);
    });
  }
}

TEST_CASE("evaluations are averaged by their weights, and of some there may be none") {
  among_peers(3, [&](Peers& peers) {
    Matrix matrix(1, 1);
    RowExchange exchange(
        {peers, settings_with(Wire::kFloat), {{"m", &matrix, Role::kResult}}, {}, 10, 1, 1});
    CHECK_FALSE(exchange.mean(std::nullopt));
    std::optional<Evaluation> own;
    if (peers.rank() > 0)
      own = Evaluation{4.0 * peers.rank(), {1.0 * peers.rank()}, 3.0 - peers.rank()};
    const std::optional<Evaluation> mean = exchange.mean(own);
    REQUIRE(mean);
    CHECK(mean->score == doctest::Approx((2 * 4.0 + 8.0) / 3));
    CHECK(mean->columns.at(0) == doctest::Approx((2 * 1.0 + 2.0) / 3));
    CHECK(mean->weight == 3);
  });
}

TEST_CASE("a toy task is learned by several processes") {
  std::mutex mutex;
  std::vector<std::vector<float>> results;
  among_peers(3, [&](Peers& peers) {
    ToyProcess toy(peers, {}, settings_with(Wire::kFloat));
    toy.train();
    CHECK(toy.task.evaluate()->score < 10);
    const std::lock_guard lock(mutex);
    results.push_back(toy.result());
  });
  for (const std::vector<float>& result : results) {
    double difference = 0;
    for (size_t i = 0; i < result.size(); ++i) {
      difference = std::max(difference, std::abs(double{result[i]} - results[0][i]));
    }
    CHECK(difference < 1e-5);
  }
}

TEST_CASE("processes that are stopped and resumed end with the same bytes") {
  constexpr int kPeers = 3;
  const ExchangeSettings how = settings_with(Wire::kBfloat16);
  std::vector<std::vector<float>> whole(kPeers);
  among_peers(kPeers, [&](Peers& peers) {
    ToyProcess toy(peers, {}, how);
    toy.train();
    whole[static_cast<size_t>(peers.rank())] = toy.result();
  });
  const TemporaryFolder folder;
  RunSettings settings;
  settings.checkpoint = folder.path("ck");
  // Each stop loses what came after a checkpoint.
  struct Stopped {};
  bool begun = false;
  for (const int pieces : {200, 300, 450, 100000}) {
    std::atomic<int> ended{0};
    among_peers(kPeers, [&](Peers& peers) {
      ToyProcess toy(peers, settings, how, begun ? settings.checkpoint : "");
      toy.task.at_piece = [&, left = pieces]() mutable {
        // All at once, and at no exchange, since threads cannot be killed.
        if (--left == 0) throw Stopped();
      };
      try {
        toy.train();
        ++ended;
        CHECK(toy.result() == whole[static_cast<size_t>(peers.rank())]);
      } catch (const Stopped&) {
        if (toy.exchange.under_way()) toy.exchange.finish();
      }
    });
    CHECK(ended == (pieces == 100000 ? kPeers : 0));
    begun = true;
  }
  CHECK(std::filesystem::exists(folder.path("ck.2.previous")));

  // A set of which some processes have the newest file and others the one before it.
  std::filesystem::remove(folder.path("ck.1"));
  among_peers(kPeers, [&](Peers& peers) {
    ToyProcess toy(peers, settings, how, settings.checkpoint);
    toy.train();
    CHECK(toy.result() == whole[static_cast<size_t>(peers.rank())]);
  });

  // A checkpoint among the last exchanges, when all has been trained.
  for (const int piece : {780, 795, 796, 797, 798, 799}) {
    CAPTURE(piece);
    RunSettings late;
    late.checkpoint = folder.path("late" + std::to_string(piece));
    late.checkpoint_every = {.part = piece / 800.0};
    for (const bool resumes : {false, true}) {
      if (resumes) {  // as if the end's checkpoint had not been written any more
        for (const char* rank : {"0", "1", "2"}) {
          const std::string path = late.checkpoint + "." + rank;
          if (std::filesystem::exists(path + ".previous")) {
            std::filesystem::rename(path + ".previous", path);
          }
        }
      }
      among_peers(kPeers, [&](Peers& peers) {
        ToyProcess toy(peers, late, how, resumes ? late.checkpoint : "");
        toy.train();
        CHECK(toy.result() == whole[static_cast<size_t>(peers.rank())]);
      });
    }
  }

  for (const int other : {1, 2, 4}) {
    CHECK_THROWS_AS(
        among_peers(other, [&](Peers& peers) { part_to_resume(settings.checkpoint, peers); }),
        Error);
  }
}

}  // namespace acevec
