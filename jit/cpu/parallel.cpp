// The thread sanitizer does not look into this file (see CMakeLists.txt): oneTBB itself is built
// without it, so that each task would seem to race with whoever made it.
#include "jit/cpu/parallel.h"

#include "lang/base/address_space.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <chrono>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>
#ifdef SINTER_SANITIZE_THREADS
#include <sanitizer/tsan_interface.h>
#endif

namespace sinter::jit {

namespace {

/// Tells the thread sanitizer of an order that is kept here: what a thread did until it said
/// `before` is done when another says `after`.
class ThreadOrder {
public:
#ifdef SINTER_SANITIZE_THREADS
  void before() {
    __tsan_release(this);
  }
  void after() {
    __tsan_acquire(this);
  }
#else
  void before() {}
  void after() {}
#endif
};

/// Where addresses are short, oneTBB fails when a thread needs them.
unsigned usable_cores() {
  const auto cores = static_cast<unsigned>(tbb::info::default_concurrency());
  return static_cast<unsigned>(
      std::min<std::size_t>(cores, threads_with_addresses().value_or(cores)));
}

/// For another thread's word: it comes soon, or that thread needs this one's processor.
class Waiting {
public:
  using Clock = std::chrono::steady_clock;
  void wait() {
    constexpr unsigned soon = 4000;
    if (++turns_ < soon)
      __builtin_ia32_pause();
    else
      std::this_thread::yield();
  }
  bool is_shorter_than(Clock::duration limit) {
    constexpr unsigned turns_per_look = 64;
    __builtin_ia32_pause();
    if (turns_++ % turns_per_look != 0) return true;
    const Clock::time_point now = Clock::now();
    if (turns_ == 1) began_ = now;
    return now - began_ < limit;
  }

private:
  unsigned turns_ = 0;
  Clock::time_point began_;
};

/// What a thread has to do with one loop after another.  What passes between two threads lies in as
/// few cache lines as can be: each takes as long to pass as a hundred instructions.
struct Seat {
  using Share = std::uint64_t; ///< the indices that are left: where they begin, and end

  // Written by who begins a loop; of the share anybody takes an index, in one step.
  alignas(64) std::atomic<Share> share{0};
  std::optional<LoopBody> body; ///< may be read behind that step only, while the loop cannot end
  // Written by who sits there.
  alignas(64) std::atomic<std::uint32_t> done{0}; ///< indices in all loops so far; wraps around
  alignas(64) std::atomic<bool> is_taken{false};  ///< by a helper

  static Share pack(std::uint32_t begin, std::uint32_t end) { return Share{begin} << 32 | end; }
  static std::uint32_t begin(Share share) { return static_cast<std::uint32_t>(share >> 32); }
  static std::uint32_t end(Share share) { return static_cast<std::uint32_t>(share); }
  static bool is_empty(Share share) { return begin(share) >= end(share); }

  /// Its owner takes the first index, others the last one.
  std::optional<std::uint32_t> take(Share left, bool is_own) {
    while (!is_empty(left)) {
      const Share rest =
          is_own ? pack(begin(left) + 1, end(left)) : pack(begin(left), end(left) - 1);
      if (share.compare_exchange_weak(left, rest, std::memory_order_acq_rel))
        return is_own ? begin(left) : end(left) - 1;
    }
    return std::nullopt;
  }
};

/// A loop that several threads run: the one who asks for it, and helpers; then the next one.  A
/// helper that has nothing to do stands by for a while, as launches follow each other: to wake it
/// takes longer than many a launch.  One that comes late finds nothing.
class SharedLoop {
public:
  explicit SharedLoop(unsigned threads) : seats_(threads) {}

  /// Begins the loop, does its part of it and waits for the others; `call` is told how many helpers
  /// are missing.
  template <typename Call>
  void run(std::uint32_t count, LoopBody body, Call&& call) {
    begun_.before();
    for (std::size_t thread = seats_.size(); thread-- > 0;) {
      seats_[thread].body = body;
      seats_[thread].share.store(
          Seat::pack(begin_of_share(count, thread), begin_of_share(count, thread + 1)),
          std::memory_order_release);
    }
    const unsigned wanted = std::min(static_cast<unsigned>(seats_.size()), count) - 1;
    std::atomic_thread_fence(std::memory_order_seq_cst); // a helper leaves, or sees the loop
    const unsigned there = helpers_.load(std::memory_order_relaxed);
    if (there < wanted) {
      helpers_.fetch_add(wanted - there, std::memory_order_relaxed);
      call(wanted - there);
    }
    all_ += count;
    run_own(0);
    run_others(0);
    Waiting waiting;
    while (done() != all_)
      waiting.wait();
    ended_.after();
  }

  /// What a helper does that was called.
  void help() {
    for (;;) {
      const bool had_seat = sit_down();
      helpers_.fetch_sub(1, std::memory_order_seq_cst);
      // Who has begun a loop meanwhile has counted on this one.
      if (!had_seat || !is_there_work()) return;
      helpers_.fetch_add(1, std::memory_order_relaxed);
    }
  }

private:
  std::uint32_t begin_of_share(std::uint32_t count, std::size_t thread) const {
    return static_cast<std::uint32_t>(std::uint64_t{count} * thread / seats_.size());
  }
  std::uint32_t done() const {
    std::uint32_t sum = 0;
    for (const Seat& seat : seats_)
      sum += seat.done.load(std::memory_order_acquire);
    return sum;
  }

  void run(LoopBody body, std::uint32_t index, std::size_t thread) {
    begun_.after();
    body(index, static_cast<unsigned>(thread));
    ended_.before();
  }
  void say_done(std::size_t thread, std::uint32_t count) {
    std::atomic<std::uint32_t>& done = seats_[thread].done;
    done.store(done.load(std::memory_order_relaxed) + count, std::memory_order_release);
  }

  /// Whether there was something.
  bool run_own(std::size_t thread) {
    Seat& seat = seats_[thread];
    // (Asking so, the cache line is here alone already when there is something to be taken.)
    Seat::Share share = seat.share.fetch_or(0, std::memory_order_acquire);
    std::uint32_t count = 0;
    while (const std::optional<std::uint32_t> index = seat.take(share, true)) {
      run(*seat.body, *index, thread);
      ++count;
      share = seat.share.load(std::memory_order_acquire);
    }
    if (count > 0) say_done(thread, count);
    return count > 0;
  }
  void run_others(std::size_t thread) {
    for (std::size_t next = 1; next < seats_.size(); ++next) {
      Seat& seat = seats_[(thread + next) % seats_.size()];
      while (const std::optional<std::uint32_t> index =
                 seat.take(seat.share.load(std::memory_order_acquire), false)) {
        run(*seat.body, *index, thread);
        say_done(thread, 1);
      }
    }
  }

  bool is_there_work() const {
    return std::ranges::any_of(seats_, [](const Seat& seat) {
      return !Seat::is_empty(seat.share.load(std::memory_order_acquire));
    });
  }

  /// Whether there was a place to stand by at.
  bool sit_down() {
    for (std::size_t thread = 1; thread < seats_.size(); ++thread) {
      if (seats_[thread].is_taken.exchange(true, std::memory_order_acquire)) continue;
      stand_by(thread);
      seats_[thread].is_taken.store(false, std::memory_order_release);
      return true;
    }
    return false;
  }
  void stand_by(std::size_t thread) {
    constexpr std::chrono::microseconds patience{50};
    for (Waiting waiting; waiting.is_shorter_than(patience);) {
      if (!run_own(thread)) continue;
      run_others(thread);
      waiting = {};
    }
  }

  ThreadOrder begun_, ended_; ///< two, so that bodies stand in no order among themselves
  std::vector<Seat> seats_;   ///< by thread; the first one is the asker's
  std::uint32_t all_ = 0;     ///< indices of all loops so far; wraps around
  alignas(64) std::atomic<unsigned> helpers_{0}; ///< there, or called
};

/// What one caller needs at a time.
class Team {
public:
  explicit Team(unsigned threads)
      : arena_(static_cast<int>(threads)), loop_(std::make_shared<SharedLoop>(threads)) {}

  void run(std::uint32_t count, LoopBody body) {
    // (Helpers may come when nobody is interested any more.)
    loop_->run(count, body, [&](unsigned missing) {
      for (; missing > 0; --missing)
        arena_.enqueue([loop = loop_] { loop->help(); });
    });
  }

private:
  tbb::task_arena arena_;
  std::shared_ptr<SharedLoop> loop_;
};

} // namespace

/// Those that nobody runs a loop with, by their size.
class Workers::Teams {
public:
  unsigned cores() const { return cores_; }
  std::unique_ptr<Team> take(unsigned threads) {
    std::lock_guard lock(mutex_);
    std::vector<std::unique_ptr<Team>>& teams = free_[threads];
    if (teams.empty()) return std::make_unique<Team>(threads);
    std::unique_ptr<Team> team = std::move(teams.back());
    teams.pop_back();
    return team;
  }
  void give_back(unsigned threads, std::unique_ptr<Team> team) {
    std::lock_guard lock(mutex_);
    free_[threads].push_back(std::move(team));
  }

private:
  const unsigned cores_ = usable_cores();
  std::mutex mutex_;
  std::map<unsigned, std::vector<std::unique_ptr<Team>>> free_;
};

Workers::Workers() : teams_(std::make_unique<Teams>()) {}
Workers::~Workers() = default;

unsigned Workers::thread_limit(unsigned threads) const {
  return threads == 0 ? teams_->cores() : std::min(threads, teams_->cores());
}

void Workers::run_body(unsigned threads, std::int64_t count, LoopBody body) {
  threads = thread_limit(threads);
  if (threads <= 1 || count <= 1) {
    for (std::int64_t i = 0; i < count; ++i)
      body(i, 0);
    return;
  }
  assert(count <= std::numeric_limits<std::uint32_t>::max());
  std::unique_ptr<Team> team = teams_->take(threads);
  team->run(static_cast<std::uint32_t>(count), body);
  teams_->give_back(threads, std::move(team));
}

} // namespace sinter::jit
