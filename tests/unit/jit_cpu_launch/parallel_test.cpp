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
