#include "jit/cpu/parallel.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

using namespace sinter::jit;

namespace {

/// How often each index of a loop is met, and whether a thread's number is ever another's too.
struct Met {
  explicit Met(std::int64_t count, unsigned threads)
      : times(static_cast<std::size_t>(count)), is_running(threads) {}
  void operator()(std::int64_t index, unsigned thread) {
    if (is_running[thread].exchange(true)) is_shared = true;
    ++times[static_cast<std::size_t>(index)];
    is_running[thread] = false;
  }
  bool all_once() const {
    for (const std::atomic<int>& count : times)
      if (count != 1) return false;
    return !is_shared;
  }
  std::vector<std::atomic<int>> times;
  std::vector<std::atomic<bool>> is_running;
  std::atomic<bool> is_shared{false};
};

bool meets_all(Workers& workers, unsigned threads, std::int64_t count) {
  Met met(count, std::max(workers.thread_limit(threads), 1u));
  workers.run(threads, count, [&](std::int64_t index, unsigned thread) { met(index, thread); });
  return met.all_once();
}

} // namespace

TEST_CASE("a loop meets each index once, whatever has run before it") {
  Workers workers;
  for (int round = 0; round < 300; ++round)
    for (const std::int64_t count : {0, 1, 2, 3, 7, 64, 1000})
      for (const unsigned threads : {0u, 1u, 2u, 3u})
        REQUIRE(meets_all(workers, threads, count));
}

TEST_CASE("a loop meets each index once where helpers come and go") {
  using namespace std::chrono_literals;
  Workers workers;
  for (int round = 0; round < 200; ++round) {
    REQUIRE(meets_all(workers, 0, 8));
    // (They stand by for about so long.)
    std::this_thread::sleep_for(std::chrono::microseconds(round % 100));
  }
}

TEST_CASE("several may run loops at the same time") {
  Workers workers;
  std::atomic<int> failures{0};
  {
    std::vector<std::jthread> callers;
    for (int caller = 0; caller < 4; ++caller)
      callers.emplace_back([&] {
        for (int round = 0; round < 300; ++round)
          failures += !meets_all(workers, 2, 10 + round % 7);
      });
  }
  CHECK(failures == 0);
}

TEST_CASE("who is done takes over from the others") {
  using namespace std::chrono_literals;
  Workers workers;
  if (workers.thread_limit(2) < 2) return;
  // The first half lasts as long as the second one is not done: nobody would get through alone.
  constexpr std::int64_t count = 64;
  std::atomic<std::int64_t> others{0};
  const auto limit = std::chrono::steady_clock::now() + 20s;
  workers.run(2, count, [&](std::int64_t index, unsigned) {
    if (index > 0) ++others;
    while (index == 0 && others < count - 1 && std::chrono::steady_clock::now() < limit)
      std::this_thread::yield();
  });
  CHECK(std::chrono::steady_clock::now() < limit);
}

namespace {

/// Bytes are all there is of it.
struct Sum {
  std::atomic<std::int64_t>* sum;
  std::int64_t factors[40];
  void operator()(std::int64_t index, unsigned) const { *sum += factors[index % 40] * index; }
};

} // namespace

TEST_CASE("a body that is copied is the one of its loop") {
  Workers workers;
  for (int round = 0; round < 2000; ++round)
    for (const std::int64_t count : {2, 3, 50}) {
      std::atomic<std::int64_t> sum{0};
      Sum body{&sum, {}};
      for (std::int64_t& factor : body.factors)
        factor = round;
      static_assert(std::is_trivially_copyable_v<Sum> && sizeof(Sum) <= LoopBody::most_bytes);
      workers.run(0, count, body);
      REQUIRE(sum == round * (count * (count - 1) / 2));
    }
}

TEST_CASE("where a body says so, greater indices are not met, and all lesser ones are") {
  Workers workers;
  for (int round = 0; round < 300; ++round)
    for (const std::int64_t count : {2, 7, 1000})
      for (const unsigned threads : {1u, 2u}) {
        const std::int64_t last = round % count;
        std::vector<std::atomic<int>> met(static_cast<std::size_t>(count));
        workers.run(threads, count, [&](std::int64_t index, unsigned) {
          ++met[static_cast<std::size_t>(index)];
          return index < last;
        });
        for (std::int64_t index = 0; index <= last; ++index)
          REQUIRE(met[static_cast<std::size_t>(index)] == 1);
        if (threads == 1)
          for (std::int64_t index = last + 1; index < count; ++index)
            REQUIRE(met[static_cast<std::size_t>(index)] == 0);
        // The next loop knows nothing of that.
        REQUIRE(meets_all(workers, threads, count));
      }
}
