#include "base/parallel.h"

#include <hwy/cache_control.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/progress.h"

namespace acevec {
namespace {

// A thread polls this long before it sleeps: longer than the gap between two phases of a step, but
// negligible where a core is shared.
constexpr std::chrono::microseconds kPollTime{50};

using SteadyClock = std::chrono::steady_clock;

// Polls until `found` is true or kPollTime has passed. Returns the last result.
template <class Found>
bool look(const Found& found) {
  constexpr int kLooks = 32;  // polls per reading of the clock
  const auto end = SteadyClock::now() + kPollTime;
  do {
    for (int i = 0; i < kLooks; ++i) {
      if (found()) return true;
      hwy::Pause();
    }
  } while (SteadyClock::now() < end);
  return found();
}

// True while a piece runs on this thread; nested calls then run here too.
thread_local bool inside = false;

// See replace_teams().
StandIn stand_in = nullptr;
int stand_in_threads = 0;

// See TeamLimit.
thread_local int team_limit = std::numeric_limits<int>::max();

// Runs all pieces on this thread, in order.
void run_here(const TeamWork& work) {
  std::exception_ptr failure;
  for (int64_t piece = 0; piece < work.count; ++piece) {
    try {
      work.body(0, piece);
    } catch (...) {
      if (!work.continue_on_error) throw;
      if (!failure) failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

// The helpers of one calling thread.
//
// Each thread gets a share of the pieces, so that similar pieces of two works run on the same core,
// whose caches hold their data. A thread that has finished its share takes pieces from the ends of
// other shares. A piece is taken by one atomic operation on a word that holds the rest of the share
// and the number of threads that may take from it. However late it looks, a thread thus takes only
// pieces of the current work, which stays current until they are done.
class Team {
 public:
  static constexpr int kMost = 255;  // threads

  Team() : shares_(std::make_unique<Share[]>(kMost)) {}

  ~Team() {
    {
      const std::lock_guard lock(mutex_);
      ends_ = true;
    }
    for (const auto& helper : helpers_) helper->work_there.notify_one();
    for (const auto& helper : helpers_) helper->thread.join();
  }

  // Starts helpers until the team has `threads` threads, including the calling one. Throws Error.
  void grow(int threads) {
    while (static_cast<int>(helpers_.size()) + 1 < threads) {
      const int number = static_cast<int>(helpers_.size()) + 1;
      try {
        auto helper = std::make_unique<Helper>();
        Helper& self = *helper;
        self.thread = std::thread([this, &self, number] { help(self, number); });
        helpers_.push_back(std::move(helper));
      } catch (const std::system_error&) {
        throw Error(
            format("the system gives this process %s, not %d; lower -threads, or raise the limit "
                   "(ulimit -u, ulimit -v, or the container's)",
                   counted(number, "thread").c_str(), threads));
      }
    }
  }

  void run(int threads, const TeamWork& work) {
    const auto start = SteadyClock::now();
    // The bodies of in_parallel() take all there is to do, which is too much for one thread.
    if (start < alone_until_ && !work.continue_on_error) return run_here(work);
    grow(threads);
    work_ = work;
    unit_ = work.count / kMostUnits + 1;
    const int64_t units = (work.count + unit_ - 1) / unit_;
    failed_ = false;
    unfinished_ = units;
    threads_ = threads;
    for (int i = 0; i < threads; ++i) {
      shares_[static_cast<size_t>(i)].range =
          Range{static_cast<uint16_t>(i * units / threads),
                static_cast<uint16_t>((i + 1) * units / threads), static_cast<uint16_t>(threads)};
    }
    ++works_;
    wake(threads);
    work_on(0);
    if (unfinished_ != 0) wait_for_helpers(start);
    if (failed_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  // Units next .. end − 1. A unit is one piece, or several where there are very many.
  struct alignas(uint64_t) Range {
    uint16_t next = 0, end = 0;
    uint16_t threads = 0;
    uint16_t unused = 0;  // explicit padding, which the atomic exchange compares too
  };
  static_assert(std::atomic<Range>::is_always_lock_free);
  static constexpr int64_t kMostUnits = 60000;
  struct alignas(64) Share {  // one per cache line
    std::atomic<Range> range{};
  };
  struct Helper {
    std::thread thread;
    bool sleeps = false;
    std::condition_variable work_there;
  };

  // If a helper takes much longer for its last piece than this thread took for all its own, it has
  // lost its core to another process. Work then runs without helpers for as long as this thread
  // waited.
  void wait_for_helpers(SteadyClock::time_point start) {
    const auto finished = [&] { return unfinished_ == 0; };
    const auto own_end = SteadyClock::now();
    if (!look(finished)) {
      std::unique_lock lock(mutex_);
      caller_sleeps_ = true;
      all_done_.wait(lock, finished);
      caller_sleeps_ = false;
    }
    const auto end = SteadyClock::now();
    const auto waited = end - own_end;
    if (waited > 2 * kPollTime && waited > 2 * (own_end - start)) alone_until_ = end + waited;
  }

  // Wakes the sleeping helpers among the first `threads` threads.
  void wake(int threads) {
    if (sleepers_ == 0) return;
    const std::lock_guard lock(mutex_);  // a helper about to sleep now sleeps or has seen the work
    for (size_t i = 0; i + 1 < static_cast<size_t>(threads); ++i) {
      if (helpers_[i]->sleeps) helpers_[i]->work_there.notify_one();
    }
  }

  void help(Helper& self, int thread) {
    inside = true;
    for (uint64_t seen = 0; wait_for_work(self, seen);) work_on(thread);
  }

  // Waits for a work newer than `seen`. Returns false when the team ends.
  bool wait_for_work(Helper& self, uint64_t& seen) {
    const auto found = [&] { return works_ != seen || ends_; };
    if (!look(found)) {
      std::unique_lock lock(mutex_);
      ++sleepers_;
      self.sleeps = true;
      self.work_there.wait(lock, found);
      self.sleeps = false;
      --sleepers_;
    }
    seen = works_;
    return !ends_;
  }

  // Runs the thread's own share, then what is left of the others'.
  void work_on(int thread) {
    int64_t units = 0;
    const int threads = threads_;
    for (int i = 0; i < threads; ++i) {
      for (int64_t unit; take(thread, (thread + i) % threads, unit); ++units) do_unit(thread, unit);
    }
    if (units > 0) done(units);
  }

  bool take(int thread, int from, int64_t& unit) {
    std::atomic<Range>& share = shares_[static_cast<size_t>(from)].range;
    Range left = share, rest{};
    do {
      if (left.next >= left.end || static_cast<int>(left.threads) <= thread) return false;
      rest = left;
      unit = static_cast<int64_t>(from == thread ? rest.next++ : --rest.end);
    } while (!share.compare_exchange_weak(left, rest));
    return true;
  }

  void do_unit(int thread, int64_t unit) {
    const int64_t end = std::min(work_.count, (unit + 1) * unit_);
    for (int64_t piece = unit * unit_; piece < end; ++piece) {
      try {
        work_.body(thread, piece);
      } catch (...) {
        fail();
        if (!work_.continue_on_error) return;
      }
    }
  }

  void done(int64_t units) {
    if (unfinished_.fetch_sub(units) != units || !caller_sleeps_) return;
    { const std::lock_guard lock(mutex_); }
    all_done_.notify_one();
  }

  // Keeps the first exception; unless the work goes on, no further piece begins.
  void fail() {
    {
      const std::lock_guard lock(mutex_);
      if (!failed_.exchange(true)) failure_ = std::current_exception();
    }
    if (work_.continue_on_error) return;
    for (int i = 0; i < threads_; ++i) {
      const Range left = shares_[static_cast<size_t>(i)].range.exchange({});
      unfinished_ -= static_cast<int64_t>(left.end - left.next);
    }
  }

  std::vector<std::unique_ptr<Helper>> helpers_;  // helper i is thread i + 1
  std::unique_ptr<Share[]> shares_;               // one per thread
  TeamWork work_{};
  int64_t unit_ = 1;                                // pieces per unit
  std::atomic<int> threads_{0};                     // of the current work; a hint for late helpers
  alignas(64) std::atomic<uint64_t> works_{0};      // number of works so far
  alignas(64) std::atomic<int64_t> unfinished_{0};  // units
  std::atomic<bool> failed_{false}, ends_{false};
  std::atomic<int> sleepers_{0};
  std::atomic<bool> caller_sleeps_{false};
  std::mutex mutex_;  // guards sleeping threads and failure_
  std::condition_variable all_done_;
  std::exception_ptr failure_;
  SteadyClock::time_point alone_until_;
};

Team& team() {
  thread_local Team own;
  return own;
}

}  // namespace

int machine_threads() {
  static const auto threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return stand_in == nullptr ? threads : stand_in_threads;
}

void require_threads(int threads) {
  team().grow(threads);
}

TeamLimit::TeamLimit(int threads) {
  team_limit = threads;
}

TeamLimit::~TeamLimit() {
  team_limit = std::numeric_limits<int>::max();
}

void replace_teams(int machine_threads, StandIn run) {
  stand_in_threads = machine_threads;
  stand_in = run;
}

void run_on_team(int threads, const TeamWork& work) {
  const auto some =
      static_cast<int>(std::min<int64_t>({threads, team_limit, Team::kMost, work.count}));
  if (some <= 1 || inside) return run_here(work);
  inside = true;
  struct Outside {
    ~Outside() { inside = false; }
  } const outside;
  // The bodies of in_parallel() are not pieces: the first takes all that there is.
  if (stand_in != nullptr && !work.continue_on_error) {
    return stand_in(static_cast<int>(std::min<int64_t>(threads, work.count)), work);
  }
  team().run(some, work);
}

void in_order(int threads, int64_t count, const std::function<std::string(int64_t)>& make,
              const std::function<void(const std::string&)>& use) {
  std::atomic<int64_t> next{0};
  std::mutex mutex;  // held while a piece is used
  std::condition_variable changed;
  int64_t turn = 0;  // the next piece to use
  bool failed = false;
  in_parallel(threads, [&](int) {
    for (int64_t i; (i = next++) < count; changed.notify_all()) {
      try {
        const std::string piece = make(i);
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return failed || i == turn; });
        if (failed) return;
        use(piece);
        ++turn;
      } catch (...) {
        const std::lock_guard lock(mutex);
        failed = true;
        changed.notify_all();
        throw;
      }
    }
  });
}

}  // namespace acevec
