// The thread sanitizer does not look into this file (see CMakeLists.txt): oneTBB itself is built
// without it, so that each task would seem to race with whoever made it.
#include "jit/cpu/parallel.h"

#include "lang/base/address_space.h"
#include "lang/base/spin_wait.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <chrono>
#include <cstring>
#include <limits>
#include <mutex>
#include <optional>
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

/// Of who stands by.
class Patience {
public:
  using Clock = std::chrono::steady_clock;
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
/// few cache lines as can be, each of which takes as long to pass as a hundred instructions, and
/// none of them says where the next one is: they come at the same time.
struct Seat {
  using Share = std::uint64_t; ///< the indices that are left: where they begin, and end
  static constexpr std::size_t line = 64;

  /// The bell: written last by who begins a loop; anybody takes an index of it, in one step.  No
  /// other word is in its line, which who sits there looks at all the time.
  alignas(2 * line) std::atomic<Share> share{0};
  // Written by who begins a loop, too.  May be read behind that step only, while the loop cannot
  // end.  (What of it is never read passes to nobody.)
  alignas(line) LoopBody::Call call = nullptr;
  std::array<std::byte, LoopBody::most_bytes> body{};
  // Written by who sits there.
  alignas(2 * line) std::atomic<std::uint32_t> done{0}; ///< indices in all loops; wraps around
  alignas(line) std::atomic<bool> is_taken{false};      ///< by a helper

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

  void put(const LoopBody& loop) {
    std::memcpy(body.data(), loop.bytes().data(), loop.bytes().size());
    call = loop.call();
  }
  bool run(std::uint32_t index, std::size_t thread) const {
    return call(body.data(), index, static_cast<unsigned>(thread));
  }
};

/// A loop that several threads run: the one who asks for it, and helpers; then the next one.  A
/// helper that has nothing to do stands by for a while, as launches follow each other: to wake it
/// takes longer than many a launch.  One that comes late finds nothing.
class SharedLoop {
public:
  explicit SharedLoop(unsigned threads) : seats_(threads) {}
  SharedLoop(const SharedLoop&) = delete;
  SharedLoop& operator=(const SharedLoop&) = delete;
  /// (A helper may be the last one who knows of it.)
  ~SharedLoop() {
    begun_.after();
    ended_.after();
  }

  /// Begins the loop, does its part of it and waits for the others; `call` is told how many helpers
  /// are missing.
  template <typename Call>
  void run(std::uint32_t count, const LoopBody& body, Call&& call) {
    const auto threads = static_cast<std::uint32_t>(seats_.size());
    // With an index for each thread, its asker takes the first one without a word to anybody.
    const bool has_one_each = count <= threads;
    const std::uint32_t first = has_one_each ? 1 : 0, last = std::min(threads, count);
    if (stopped_.load(std::memory_order_relaxed) != nowhere)
      stopped_.store(nowhere, std::memory_order_relaxed);
    for (std::uint32_t thread = first; thread < last; ++thread)
      seats_[thread].put(body);
    begun_.before();
    for (std::uint32_t thread = last; thread-- > first;)
      seats_[thread].share.store(
          Seat::pack(begin_of_share(count, thread), begin_of_share(count, thread + 1)),
          std::memory_order_release);
    // (To be sure that no helper leaves just now, this thread would have to wait until its words
    // are there.  Instead who leaves looks for them a little longer.)
    call_missing(last - 1, call);
    all_ += count;
    if (has_one_each) {
      if (!body(0, 0)) stop_after(0);
      say_done(0, 1);
    } else {
      run_own(0, [&] {
        std::atomic_thread_fence(std::memory_order_seq_cst); // a helper leaves, or sees the loop
        call_missing(last - 1, call);
      });
    }
    run_others(0, true);
    SpinWait waiting;
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
      if (!had_seat || !will_be_work()) return;
      helpers_.fetch_add(1, std::memory_order_relaxed);
    }
  }

private:
  static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

  /// Where there are fewer indices than threads, the first threads have one each.
  std::uint32_t begin_of_share(std::uint32_t count, std::uint32_t thread) const {
    if (count <= seats_.size()) return std::min(thread, count);
    return static_cast<std::uint32_t>(std::uint64_t{count} * thread / seats_.size());
  }
  std::uint32_t done() const {
    std::uint32_t sum = 0;
    for (const Seat& seat : seats_)
      sum += seat.done.load(std::memory_order_acquire);
    return sum;
  }
  template <typename Call>
  void call_missing(std::uint32_t wanted, Call& call) {
    const std::uint32_t there = helpers_.load(std::memory_order_relaxed);
    if (there >= wanted) return;
    helpers_.fetch_add(wanted - there, std::memory_order_relaxed);
    call(wanted - there);
  }

  void run(const Seat& seat, std::uint32_t index, std::size_t thread) {
    if (index > stopped_.load(std::memory_order_relaxed)) return;
    begun_.after();
    const bool goes_on = seat.run(index, thread);
    ended_.before();
    if (!goes_on) stop_after(index);
  }
  void stop_after(std::uint32_t index) {
    std::uint32_t least = stopped_.load(std::memory_order_relaxed);
    while (index < least &&
           !stopped_.compare_exchange_weak(least, index, std::memory_order_relaxed))
      ;
  }
  void say_done(std::size_t thread, std::uint32_t count) {
    std::atomic<std::uint32_t>& done = seats_[thread].done;
    done.store(done.load(std::memory_order_relaxed) + count, std::memory_order_release);
  }

  /// How much there was; `after_first` is called when the first index is done.
  template <typename AfterFirst>
  std::uint32_t run_own(std::size_t thread, AfterFirst&& after_first) {
    Seat& seat = seats_[thread];
    // (Asking so, the cache line is here alone already when there is something to be taken.)
    Seat::Share share = seat.share.fetch_or(0, std::memory_order_acquire);
    const std::uint32_t all = Seat::end(share) - Seat::begin(share);
    std::uint32_t count = 0;
    while (const std::optional<std::uint32_t> index = seat.take(share, true)) {
      run(seat, *index, thread);
      if (count++ == 0) after_first();
      share = seat.share.load(std::memory_order_acquire);
    }
    if (count > 0) say_done(thread, count);
    return count > 0 ? all : 0;
  }
  void run_others(std::size_t thread, bool with_first) {
    for (std::size_t next = 1; next < seats_.size(); ++next) {
      const std::size_t other = (thread + next) % seats_.size();
      if (other == 0 && !with_first) continue;
      Seat& seat = seats_[other];
      while (const std::optional<std::uint32_t> index =
                 seat.take(seat.share.load(std::memory_order_acquire), false)) {
        run(seat, *index, thread);
        say_done(thread, 1);
      }
    }
  }

  bool is_there_work() const {
    return std::ranges::any_of(seats_, [](const Seat& seat) {
      return !Seat::is_empty(seat.share.load(std::memory_order_acquire));
    });
  }

  /// The same, of a loop that has been begun, but whose words may be on their way.
  bool will_be_work() const {
    constexpr int turns = 64;
    for (int turn = 0; turn < turns; ++turn) {
      if (is_there_work()) return true;
      __builtin_ia32_pause();
    }
    return false;
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
    for (Patience waiting; waiting.is_shorter_than(patience);) {
      const std::uint32_t indices = run_own(thread, [] {});
      if (indices == 0) continue;
      // (Of a single one, the asker has no more; it has begun it.)
      run_others(thread, indices > 1);
      waiting = {};
    }
  }

  ThreadOrder begun_, ended_; ///< two, so that bodies stand in no order among themselves
  std::vector<Seat> seats_;   ///< by thread; the first one is the asker's
  std::uint32_t all_ = 0;     ///< indices of all loops so far; wraps around
  /// Greater indices of this loop need not be met.  Written where a loop goes wrong only, so that
  /// it lies in everybody's cache.
  alignas(2 * Seat::line) std::atomic<std::uint32_t> stopped_{nowhere};
  alignas(2 * Seat::line) std::atomic<unsigned> helpers_{0}; ///< there, or called
};

/// What one caller needs at a time.
class Team {
public:
  explicit Team(unsigned threads)
      : arena_(static_cast<int>(threads)), loop_(std::make_shared<SharedLoop>(threads)) {}

  void run(std::uint32_t count, const LoopBody& body) {
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
    std::vector<std::unique_ptr<Team>>& teams = free_.at(threads);
    if (teams.empty()) return std::make_unique<Team>(threads);
    std::unique_ptr<Team> team = std::move(teams.back());
    teams.pop_back();
    return team;
  }
  void give_back(unsigned threads, std::unique_ptr<Team> team) {
    std::lock_guard lock(mutex_);
    free_.at(threads).push_back(std::move(team));
  }

private:
  const unsigned cores_ = usable_cores();
  std::mutex mutex_;
  std::vector<std::vector<std::unique_ptr<Team>>> free_{cores_ + std::size_t{1}};
};

Workers::Workers() : teams_(std::make_unique<Teams>()) {}
Workers::~Workers() = default;

unsigned Workers::thread_limit(unsigned threads) const {
  return threads == 0 ? teams_->cores() : std::min(threads, teams_->cores());
}

void Workers::run_body(unsigned threads, std::int64_t count, LoopBody body) {
  threads = thread_limit(threads);
  if (threads <= 1 || count <= 1) {
    for (std::int64_t i = 0; i < count && body(i, 0); ++i)
      ;
    return;
  }
  assert(count <= std::numeric_limits<std::uint32_t>::max());
  std::unique_ptr<Team> team = teams_->take(threads);
  team->run(static_cast<std::uint32_t>(count), body);
  teams_->give_back(threads, std::move(team));
}

} // namespace sinter::jit
