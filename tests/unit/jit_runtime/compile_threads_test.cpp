// Work that is waited for by somebody who may be interrupted.
#include "jit/runtime/compile_threads.h"

#include <doctest/doctest.h>

#include <atomic>
#include <future>
#include <stdexcept>
#include <thread>

using namespace sinter;
using namespace sinter::jit;

TEST_CASE("work is done, on another thread, when who waits for it goes on") {
  CompileThreads threads;
  InterruptSource interrupt;
  std::thread::id where;
  CHECK(threads.run([&](const std::byte*) { where = std::this_thread::get_id(); }, &interrupt,
                    interrupt.epoch()));
  CHECK(where != std::thread::id());
  CHECK(where != std::this_thread::get_id());
  CHECK(threads.left_behind() == 0);
}

TEST_CASE("work that is waited for is on a deep stack and knows its limit") {
  CompileThreads threads;
  InterruptSource interrupt;
  std::ptrdiff_t room = 0;
  const auto measure = [&](const std::byte* stack_limit) {
    const std::byte here{};
    if (stack_limit) room = &here - stack_limit;
  };
  CHECK(threads.run(measure, &interrupt, interrupt.epoch()));
  CHECK(room > 2 << 20);
}

TEST_CASE("what nobody can interrupt is done here") {
  CompileThreads threads;
  std::thread::id where;
  CHECK(threads.run([&](const std::byte*) { where = std::this_thread::get_id(); }, nullptr, 0));
  CHECK(where == std::this_thread::get_id());
}

TEST_CASE("what work throws comes out where it is waited for") {
  CompileThreads threads;
  InterruptSource interrupt;
  const auto fails = [](const std::byte*) { throw std::runtime_error("no"); };
  CHECK_THROWS_WITH((void)threads.run(fails, &interrupt, interrupt.epoch()), "no");
  CHECK_THROWS_WITH((void)threads.run(fails, nullptr, 0), "no");
}

TEST_CASE("an interruption leaves work behind, which goes on and is waited for in the end") {
  std::atomic<int> ended{0};
  std::promise<void> go;
  std::shared_future<void> gone(go.get_future());
  {
    CompileThreads threads;
    InterruptSource interrupt;
    const auto work = [&ended, gone](const std::byte*) {
      gone.wait();
      ++ended;
    };
    const std::uint32_t epoch = interrupt.epoch();
    interrupt.raise(InterruptSource::Reason::Interrupt);
    // (More than may be left behind: the last ones do not even begin.)
    for (int i = 0; i < 6; ++i)
      CHECK_FALSE(threads.run(work, &interrupt, epoch));
    CHECK(threads.left_behind() == 4);
    CHECK(ended == 0);
    go.set_value();
    // New work waits for a place, and is done.
    CHECK(threads.run([&](const std::byte*) { ++ended; }, &interrupt, interrupt.epoch()));
  }
  CHECK(ended == 5);
}
