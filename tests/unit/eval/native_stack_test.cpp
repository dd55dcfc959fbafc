#include "lang/eval/native_stack.h"

#include "lang/base/interruptible.h"
#include "lang/base/runtime_error.h"
#include "tests/unit/resident_memory.h"

#include <doctest/doctest.h>

#include <cstring>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace sinter::eval;

namespace {

/// Touches some megabytes of the stack.
[[gnu::noinline]] std::size_t go_down(int mebibytes) {
  volatile char frame[1 << 20];
  for (std::size_t i = 0; i < sizeof frame; i += 4096)
    frame[i] = static_cast<char>(mebibytes);
  const std::size_t below = mebibytes > 1 ? go_down(mebibytes - 1) : 0;
  return below + static_cast<std::size_t>(frame[4096]);
}

} // namespace

TEST_CASE("what runs on a stack ends before the caller goes on, and its exception comes out") {
  NativeStacks stacks;
  int sum = 0;
  std::set<const std::byte*> limits;
  for (int i = 0; i < 1000; ++i)
    stacks.run([&](const std::byte* limit) {
      const std::byte here{};
      CHECK(&here > limit);
      limits.insert(limit);
      sum += i;
    });
  CHECK(sum == 499'500);
  CHECK(limits.size() == 1); // one stack for all
  CHECK_THROWS_AS(stacks.run([](const std::byte*) { throw std::out_of_range("x"); }),
                  std::out_of_range);
  stacks.run([&](const std::byte*) { sum = 1; });
  CHECK(sum == 1);
}

TEST_CASE("what stops a thread stops what it has run on a stack") {
  NativeStacks stacks;
  sinter::InterruptSource interrupt;
  for (int i = 0; i < 2; ++i) { // on the same stack
    {
      const sinter::Interruptible stops(interrupt);
      stacks.run([](const std::byte*) { sinter::poll_interruption(); });
      interrupt.raise(sinter::InterruptSource::Reason::Interrupt);
      CHECK_THROWS_AS(stacks.run([](const std::byte*) { sinter::poll_interruption(); }),
                      sinter::RuntimeError);
      interrupt.clear();
    }
    stacks.run([](const std::byte*) { CHECK(!sinter::Interruptible::here()); });
  }
}

TEST_CASE("what runs inside of another, or beside it, has a stack of its own") {
  NativeStacks stacks;
  stacks.run([&](const std::byte* outer) {
    stacks.run([&](const std::byte* inner) { CHECK(inner != outer); });
  });
  std::vector<std::thread> threads;
  std::vector<int> counts(4, 0);
  for (int& count : counts)
    threads.emplace_back([&stacks, &count] {
      for (int i = 0; i < 200; ++i)
        stacks.run([&](const std::byte*) { ++count; });
    });
  for (std::thread& thread : threads)
    thread.join();
  CHECK(counts == std::vector<int>(4, 200));
}

#ifndef __SANITIZE_THREAD__
TEST_CASE("a deep stack does not stay") {
  NativeStacks stacks;
  stacks.run([](const std::byte*) {});
  const std::size_t before = sinter::tests::resident_bytes();
  std::size_t within = 0, touched = 0;
  stacks.run([&](const std::byte*) {
    touched = go_down(40);
    within = sinter::tests::resident_bytes();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  CHECK(touched > 0);
  CHECK(within > before + (std::size_t{38} << 20));
  CHECK(sinter::tests::resident_bytes() < before + (std::size_t{8} << 20));
}
#endif
